#include "graph/read/node_reader.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <mutex>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <vector>

#include "base/json_reader.h"
#include "base/text.h"
#include "graph/model/graph_trace.h"

namespace ttscope::graph {
namespace {

// Blocks of nodes with simdjson; for the .cc files of this folder only.

/// How much is read at once: the first block is small, for lists may be short; two of the largest with their
/// indexes stay in the cache.
constexpr std::size_t kFirstWindowBytes = std::size_t{1} << 16;
constexpr std::size_t kWindowBytes = std::size_t{1} << 19;

}  // namespace

/// Some nodes of a list: the text between two borders, copied with brackets around it and indexed by the
/// parser.
struct NodeBlock {
  simdjson::ondemand::parser parser;
  simdjson::ondemand::document document;
  std::string text;
  std::size_t begin = 0;  ///< in the input
  std::size_t end = 0;    ///< `begin`: no border was found
  bool indexed = false;   ///< false: the text is not what the parser takes
};

namespace {

/// Hands out the blocks of a list one after the other. In long inputs the next one is cut and indexed by a
/// thread of its own while the current one is read: both take about as long.
class BlockAhead {
 public:
  explicit BlockAhead(std::string_view input) : input_(input) {}
  ~BlockAhead();
  BlockAhead(const BlockAhead&) = delete;
  BlockAhead& operator=(const BlockAhead&) = delete;

  /// The block that begins here; valid until the next call.
  NodeBlock& take(std::size_t begin, std::size_t window_bytes);

 private:
  struct Wish {
    std::size_t begin = 0;
    std::size_t window_bytes = 0;
    bool operator==(const Wish&) const = default;
  };
  enum class State { kIdle, kWanted, kReady, kStopped };

  void work();
  void prepare(const Wish& wish, NodeBlock& block) const;
  void foresee(const NodeBlock& current, std::size_t window_bytes);

  std::string_view input_;
  std::array<NodeBlock, 2> blocks_;
  std::size_t current_ = 0;
  std::mutex mutex_;
  std::condition_variable changed_;
  State state_ = State::kIdle;  ///< of blocks_[1 - current_]
  Wish wish_;
  std::jthread thread_;  ///< last, so that it ends before what it uses
};

std::size_t before_blanks(std::string_view text, std::size_t end) {
  while (end > 0 && is_blank_or_break(text[end - 1])) --end;
  return end;
}

std::size_t behind_blanks(std::string_view text, std::size_t at) {
  while (at < text.size() && is_blank_or_break(text[at])) ++at;
  return at;
}

/// Behind the last node that seems to end in the window; `begin` if none does. A brace with a quote behind it
/// opens an object, for inside of a text the quote would be escaped; whether it is a node, the parser will
/// tell.
std::size_t guess_cut(std::string_view text, std::size_t begin, std::size_t window_bytes) {
  std::size_t brace = std::min(text.size(), begin + window_bytes);
  while (brace > begin) {
    brace = text.rfind('{', brace - 1);
    if (brace == std::string_view::npos || brace <= begin) return begin;
    const std::size_t quote = behind_blanks(text, brace + 1);
    if (quote == text.size() || text[quote] != '"') continue;
    const std::size_t comma = before_blanks(text, brace);
    if (comma <= begin || text[comma - 1] != ',') continue;
    const std::size_t end = before_blanks(text, comma - 1);
    if (end > begin && text[end - 1] == '}') return end;
  }
  return begin;
}

/// Copies and indexes [begin, end) of the input.
void index_block(std::string_view input, std::size_t begin, std::size_t end, NodeBlock& block) {
  block.begin = begin;
  block.end = end;
  block.text.clear();
  block.text.reserve(end - begin + 2 + simdjson::SIMDJSON_PADDING);
  block.text += '[';
  block.text += input.substr(begin, end - begin);
  block.text += ']';
  block.indexed =
      !block.parser.iterate(block.text.data(), block.text.size(), block.text.capacity()).get(block.document);
}

BlockAhead::~BlockAhead() {
  const std::lock_guard lock(mutex_);
  state_ = State::kStopped;
  changed_.notify_all();
}

void BlockAhead::prepare(const Wish& wish, NodeBlock& block) const {
  const std::size_t cut = guess_cut(input_, wish.begin, wish.window_bytes);
  if (cut == wish.begin) {
    block.begin = block.end = cut;
    block.indexed = false;
    return;
  }
  index_block(input_, wish.begin, cut, block);
}

void BlockAhead::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [&] { return state_ == State::kWanted || state_ == State::kStopped; });
    if (state_ == State::kStopped) return;
    NodeBlock& block = blocks_[1 - current_];
    const Wish wish = wish_;
    lock.unlock();
    bool is_ready = true;
    try {
      prepare(wish, block);
    } catch (const std::bad_alloc&) {
      is_ready = false;  // the reader tries again, and says what is wrong
    }
    lock.lock();
    if (state_ == State::kStopped) return;
    state_ = is_ready ? State::kReady : State::kIdle;
    changed_.notify_all();
  }
}

/// What comes next if the block turns out to be cut where nodes end.
void BlockAhead::foresee(const NodeBlock& current, std::size_t window_bytes) {
  if (current.end == current.begin || window_bytes < kWindowBytes || std::thread::hardware_concurrency() < 2)
    return;
  if (!thread_.joinable()) {
    try {
      thread_ = std::jthread([this] { work(); });
    } catch (const std::system_error&) {
      return;  // no thread can be started: each block is prepared when it is taken
    }
  }
  const std::size_t comma = behind_blanks(input_, current.end);
  if (comma == input_.size() || input_[comma] != ',') return;
  wish_ = {behind_blanks(input_, comma + 1), std::min(window_bytes * 2, kWindowBytes)};
  state_ = State::kWanted;
  changed_.notify_all();
}

NodeBlock& BlockAhead::take(std::size_t begin, std::size_t window_bytes) {
  std::unique_lock lock(mutex_);
  const Wish wish{begin, window_bytes};
  changed_.wait(lock, [&] { return state_ != State::kWanted; });
  const bool was_foreseen = state_ == State::kReady && wish_ == wish;
  state_ = State::kIdle;
  if (was_foreseen) {
    current_ = 1 - current_;
  } else {
    prepare(wish, blocks_[current_]);
  }
  foresee(blocks_[current_], window_bytes);
  return blocks_[current_];
}

// Fields of a node, by simdjson; for the .cc files of this folder only.

/// What a node says of itself. Texts are views into the input, not into the parser's copy.
struct NodeFields {
  NodeKind kind = NodeKind::kOther;
  bool has_type = false;
  std::int64_t counter = -1;
  std::int64_t level = -1;
  std::int64_t duration_ns = 0;
  std::int64_t tensor_id = -1;  ///< of the old types `tensor[7]`
  std::string_view type;
  std::string_view params;     ///< the object; empty: null
  std::string_view arguments;  ///< the array; empty: none or `[]`
  std::uint32_t first_input = 0;
};

/// Where the parser's copy of the block begins, and the same place of the input.
struct BlockOrigin {
  const char* copy;
  const char* source;
};

using simdjson::error_code;
using simdjson::ondemand::value;

/// What read_fields is given.
struct Target {
  const BlockOrigin& origin;
  GraphTrace& trace;
  NodeFields& node;
};

/// The text up to the next quote; the parser knows that there is one. What we look for has no escapes.
std::string_view until_quote(const char* begin) {
  return {begin, static_cast<std::size_t>(static_cast<const char*>(std::strchr(begin, '"')) - begin)};
}

/// Without the exception that the result's conversion to bool throws.
bool is_null(value field) {
  bool truth = false;
  return field.is_null().get(truth) == simdjson::SUCCESS && truth;
}

/// The text of a container in the input, without what stands between it and the next token.
std::string_view in_input(std::string_view raw, const BlockOrigin& origin) {
  while (!raw.empty() && is_blank_or_break(raw.back())) raw.remove_suffix(1);
  return {origin.source + (raw.data() - origin.copy), raw.size()};
}

/// Appends the counters of an array like `[3, 14]`.
error_code append_counters(value field, std::vector<std::uint32_t>& to) {
  simdjson::ondemand::array array;
  if (const error_code error = field.get_array().get(array)) {
    return error == simdjson::INCORRECT_TYPE && is_null(field) ? simdjson::SUCCESS : error;
  }
  std::string_view raw;
  if (const error_code error = array.raw_json().get(raw)) return error;
  const char* at = raw.data() + 1;
  const char* const end = raw.data() + raw.size();
  while (at < end) {
    while (at < end && (is_blank_or_break(*at) || *at == ',')) ++at;
    if (at == end || *at == ']') return simdjson::SUCCESS;
    std::uint32_t counter = 0;
    const auto [behind, error] = std::from_chars(at, end, counter);
    if (error != std::errc()) return simdjson::NUMBER_ERROR;
    to.push_back(counter);
    at = behind;
  }
  return simdjson::SUCCESS;
}

error_code take_number(value field, std::int64_t& number) {
  std::int64_t taken = 0;
  error_code error = field.get_int64().get(taken);
  if (error == simdjson::INCORRECT_TYPE && is_null(field)) return simdjson::SUCCESS;
  if (error == simdjson::INCORRECT_TYPE) error = field.get_int64_in_string().get(taken);
  if (error == simdjson::SUCCESS) number = taken;
  return error;
}

error_code take_params(value field, const BlockOrigin& origin, NodeFields& node) {
  simdjson::ondemand::object object;
  if (const error_code error = field.get_object().get(object)) {
    return error == simdjson::INCORRECT_TYPE && is_null(field) ? simdjson::SUCCESS : error;
  }
  std::string_view raw;
  if (const error_code error = object.raw_json().get(raw)) return error;
  node.params = in_input(raw, origin);
  return simdjson::SUCCESS;
}

error_code take_arguments(value field, const BlockOrigin& origin, NodeFields& node) {
  simdjson::ondemand::array array;
  if (const error_code error = field.get_array().get(array)) {
    return error == simdjson::INCORRECT_TYPE && is_null(field) ? simdjson::SUCCESS : error;
  }
  std::string_view raw;
  if (const error_code error = array.raw_json().get(raw)) return error;
  node.arguments = in_input(raw, origin);
  if (node.arguments.size() == 2) node.arguments = {};
  return simdjson::SUCCESS;
}

error_code take_type(value field, const BlockOrigin& origin, NodeFields& node) {
  simdjson::ondemand::raw_json_string raw;
  if (const error_code error = field.get_raw_json_string().get(raw)) return error;
  const std::string_view text = until_quote(raw.raw());
  node.has_type = true;
  node.type = {origin.source + (text.data() - origin.copy), text.size()};
  node.tensor_id = -1;
  node.kind = node_kind_of(text);
  if (node.kind != NodeKind::kOther || !text.starts_with("tensor[")) return simdjson::SUCCESS;
  node.kind = NodeKind::kTensor;
  std::from_chars(text.data() + 7, text.data() + text.size(), node.tensor_id);
  return simdjson::SUCCESS;
}

/// Reads the value of a key. It is compared together with the quote that ends it, which makes it whole;
/// behind the block the parser needs more readable bytes than any of these keys has.
error_code take_field(const char* key, value field, const Target& target) {
  const auto is = [&](const auto& quoted) { return std::memcmp(key, quoted, sizeof(quoted) - 1) == 0; };
  NodeFields& node = target.node;
  switch (key[0]) {
    case 'a':
      return is("arguments\"") ? take_arguments(field, target.origin, node) : simdjson::SUCCESS;
    case 'p':
      return is("params\"") ? take_params(field, target.origin, node) : simdjson::SUCCESS;
    case 's':
      return is("stacking_level\"") ? take_number(field, node.level) : simdjson::SUCCESS;
    case 'd':
      return is("duration_ns\"") ? take_number(field, node.duration_ns) : simdjson::SUCCESS;
    case 'i':
      return is("input_tensors\"") ? append_counters(field, target.trace.input_tensors) : simdjson::SUCCESS;
    case 'c':
      if (is("connections\"")) return append_counters(field, target.trace.connections);
      return is("counter\"") ? take_number(field, node.counter) : simdjson::SUCCESS;
    case 'n':
      if (is("node_type\"") || (is("name\"") && !node.has_type)) return take_type(field, target.origin, node);
      return simdjson::SUCCESS;
    default:
      return simdjson::SUCCESS;
  }
}

/// Reads one node. Connections and input tensors are put at the end of the trace's columns; the caller takes
/// them back after an error.
error_code read_fields(simdjson::ondemand::object& object, const BlockOrigin& origin, GraphTrace& trace,
                       NodeFields& node) {
  const Target target{origin, trace, node};
  for (auto entry : object) {
    simdjson::ondemand::raw_json_string raw_key;
    if (const error_code error = entry.key().get(raw_key)) return error;
    value field;
    if (const error_code error = entry.value().get(field)) return error;
    if (const error_code error = take_field(raw_key.raw(), field, target)) return error;
  }
  return simdjson::SUCCESS;
}

/// Reads nodes that are written as ttnn dumps them: keys in the order of the alphabet, with or without white
/// space between. Then nothing has to be indexed: each key stands where it is expected. Anything else is left
/// to the JSON parser.
class DumpedNodes {
 public:
  explicit DumpedNodes(std::string_view text) : text_(text) {}
  ~DumpedNodes() { stopped_ = true; }
  DumpedNodes(const DumpedNodes&) = delete;
  DumpedNodes& operator=(const DumpedNodes&) = delete;

  /// The node that begins here; false, and nothing added to the trace, if it is not in that form. `end` is
  /// behind it.
  bool read(std::size_t begin, GraphTrace& trace, NodeFields& node, std::size_t& end);

 private:
  bool is_valid_text(std::size_t begin, std::size_t end);
  void check_ahead(std::size_t begin);

  std::string_view text_;
  std::optional<std::size_t> first_;          ///< where the first node begins
  std::atomic<std::size_t> valid_from_ = 0;   ///< what the thread has found to be UTF-8
  std::atomic<std::size_t> valid_until_ = 0;  ///< 0: nothing yet
  std::atomic<bool> stopped_ = false;
  std::jthread thread_;  ///< last, so that it ends before what it uses
};

/// Whether N bytes are the same. The library's memcmp is a call, and this is done ten times for each node.
template <std::size_t N>
bool are_same(const char* left, const char* right) {
  const auto word = [](const char* at) {
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, at, sizeof bytes);
    return bytes;
  };
  if constexpr (N < 8) {
    for (std::size_t i = 0; i < N; ++i) {
      if (left[i] != right[i]) return false;
    }
    return true;
  } else {
    for (std::size_t i = 0; i + 8 < N; i += 8) {
      if (word(left + i) != word(right + i)) return false;
    }
    return word(left + N - 8) == word(right + N - 8);
  }
}

/// A place in the text that moves over what is expected.
class Scan {
 public:
  Scan(std::string_view text, std::size_t begin)
      : begin_(text.data()), at_(begin_ + begin), end_(begin_ + text.size()) {}

  std::size_t position() const { return static_cast<std::size_t>(at_ - begin_); }
  void move_to(std::size_t position) { at_ = begin_ + position; }
  std::string_view since(std::size_t position) const {
    return {begin_ + position, static_cast<std::size_t>(at_ - begin_) - position};
  }

  void skip_blanks() {
    while (at_ < end_ && (*at_ == ' ' || *at_ == '\n')) ++at_;
  }

  /// Passes white space and this text.
  template <std::size_t N>
  bool pass(const char (&expected)[N]) {
    skip_blanks();
    if (static_cast<std::size_t>(end_ - at_) < N - 1 || !are_same<N - 1>(at_, expected)) return false;
    at_ += N - 1;
    return true;
  }

  /// `,"key":` before a value.
  template <std::size_t N>
  bool pass_key(const char (&quoted_with_colon)[N]) {
    const char* const before = at_;
    if (pass(",") && pass(quoted_with_colon)) return true;
    at_ = before;
    return false;
  }

  /// A number without sign, as all of a node are. False for one that is too large.
  template <typename Number>
  bool pass_number(Number& number) {
    skip_blanks();
    const char* const begin = at_;
    std::uint64_t value = 0;
    while (at_ < end_ && *at_ >= '0' && *at_ <= '9' && at_ - begin < 19) {
      value = value * 10 + static_cast<std::uint64_t>(*at_++ - '0');
    }
    number = static_cast<Number>(value);
    const bool is_ended =
        at_ < end_ && (*at_ < '0' || *at_ > '9') && *at_ != '.' && *at_ != 'e' && *at_ != 'E';
    return at_ > begin && is_ended && value <= static_cast<std::uint64_t>(std::numeric_limits<Number>::max());
  }

  /// `[3,14]`
  bool pass_counters(std::vector<std::uint32_t>& to) {
    if (!pass("[")) return false;
    if (pass("]")) return true;
    for (;;) {
      std::uint32_t counter = 0;
      if (!pass_number(counter)) return false;
      to.push_back(counter);
      if (pass("]")) return true;
      if (!pass(",")) return false;
    }
  }

  /// A text without escapes.
  bool pass_plain_text(std::string_view& text) {
    if (!pass("\"")) return false;
    const void* quote = std::memchr(at_, '"', static_cast<std::size_t>(end_ - at_));
    if (quote == nullptr) return false;
    text = {at_, static_cast<std::size_t>(static_cast<const char*>(quote) - at_)};
    at_ = static_cast<const char*>(quote) + 1;
    return text.find('\\') == std::string_view::npos;
  }

  /// Moves behind the first brace that a comma and this key follow. They hold quotes that are not escaped, so
  /// they cannot stand inside of a string.
  template <std::size_t N>
  bool pass_object_before(const char (&quoted_with_colon)[N]) {
    for (;;) {
      const void* brace = std::memchr(at_, '}', static_cast<std::size_t>(end_ - at_));
      if (brace == nullptr) return false;
      const char* const behind = static_cast<const char*>(brace) + 1;
      at_ = behind;
      const bool is_found = pass_key(quoted_with_colon);
      at_ = behind;
      if (is_found) return true;
    }
  }

 private:
  const char* begin_;
  const char* at_;
  const char* end_;
};

bool pass_arguments(std::string_view text, Scan& scan, NodeFields& node) {
  if (!scan.pass("{") || !scan.pass("\"arguments\":") || !scan.pass("[")) return false;
  const std::size_t begin = scan.position() - 1;
  if (scan.pass("]")) return true;
  JsonCursor cursor(text, begin);
  const std::optional<std::string_view> arguments = cursor.take_value();
  if (!arguments) return false;
  node.arguments = *arguments;
  scan.move_to(cursor.position());
  return true;
}

bool pass_params(Scan& scan, NodeFields& node) {
  if (scan.pass("null")) return true;
  scan.skip_blanks();
  const std::size_t begin = scan.position();
  if (!scan.pass("{") || !scan.pass_object_before("\"stacking_level\":")) return false;
  node.params = scan.since(begin);
  return true;
}

bool pass_node(std::string_view text, Scan& scan, GraphTrace& trace, NodeFields& node) {
  return pass_arguments(text, scan, node) &&                                                //
         scan.pass_key("\"connections\":") && scan.pass_counters(trace.connections) &&      //
         scan.pass_key("\"counter\":") && scan.pass_number(node.counter) &&                 //
         (!scan.pass_key("\"duration_ns\":") || scan.pass_number(node.duration_ns)) &&      //
         scan.pass_key("\"input_tensors\":") && scan.pass_counters(trace.input_tensors) &&  //
         scan.pass_key("\"node_type\":") && scan.pass_plain_text(node.type) &&              //
         scan.pass_key("\"params\":") && pass_params(scan, node) &&                         //
         scan.pass_key("\"stacking_level\":") && scan.pass_number(node.level) && scan.pass("}");
}

/// Whether what follows is what follows a node of a list; otherwise the brace we took for its end was
/// another.
bool ends_here(Scan scan) { return scan.pass("]") || (scan.pass(",") && scan.pass("{") && scan.pass("\"")); }

/// Runs ahead of the reader over a long text: besides checking it, that brings it into memory.
void DumpedNodes::check_ahead(std::size_t begin) {
  constexpr std::size_t kStepBytes = std::size_t{1} << 18;
  valid_from_ = begin;
  while (begin < text_.size() && !stopped_) {
    std::size_t end = std::min(text_.size(), begin + kStepBytes);
    // Not between the bytes of one character, which are at most four.
    for (int i = 0; i < 3 && end < text_.size() && (static_cast<unsigned char>(text_[end]) & 0xc0) == 0x80;
         ++i)
      --end;
    if (!simdjson::validate_utf8(text_.substr(begin, end - begin))) return;  // the reader will find the place
    begin = end;
    valid_until_.store(begin, std::memory_order_release);
  }
}

bool DumpedNodes::is_valid_text(std::size_t begin, std::size_t end) {
  // Short lists are read before a thread is there.
  constexpr std::size_t kThreadFromBytes = std::size_t{4} << 20;
  if (!first_) first_ = begin;
  if (!thread_.joinable() && begin >= *first_ + kThreadFromBytes && std::thread::hardware_concurrency() > 1) {
    try {
      thread_ = std::jthread([this, begin] { check_ahead(begin); });
    } catch (const std::system_error&) {
      first_ = text_.size();  // no thread can be started: it is not tried again
    }
  }
  if (valid_until_.load(std::memory_order_acquire) >= end && valid_from_ <= begin) return true;
  return simdjson::validate_utf8(text_.substr(begin, end - begin));
}

bool DumpedNodes::read(std::size_t begin, GraphTrace& trace, NodeFields& node, std::size_t& end) {
  const std::size_t connections = trace.connections.size();
  const std::size_t inputs = trace.input_tensors.size();
  Scan scan(text_, begin);
  if (pass_node(text_, scan, trace, node) && ends_here(scan) && is_valid_text(begin, scan.position())) {
    end = scan.position();
    node.has_type = true;
    node.kind = node_kind_of(node.type);
    node.first_input = static_cast<std::uint32_t>(inputs);
    // Where the end of params was guessed wrong, reading them fails; so those that nobody reads are not
    // taken.
    const bool is_read = node.kind != NodeKind::kOther && node.kind != NodeKind::kError &&
                         node.kind != NodeKind::kCaptureStart;
    if ((is_read || node.params.empty()) && !node.type.starts_with("tensor[")) return true;
  }
  trace.connections.resize(connections);
  trace.input_tensors.resize(inputs);
  return false;
}

/// Nodes are alike over a capture, so the first ones tell how large its columns will be.
constexpr std::size_t kSampleBytes = std::size_t{8} << 20;

/// Room for `times` what the columns hold: growing step by step would leave holes of their whole size behind,
/// whereas pages that are not used cost nothing.
void reserve_columns(GraphTrace& trace, double times) {
  const auto reserve = [&](auto& column) {
    column.reserve(static_cast<std::size_t>(static_cast<double>(column.size()) * times * 1.1));
  };
  reserve(trace.kinds);
  reserve(trace.levels);
  reserve(trace.details);
  reserve(trace.connection_ends);
  reserve(trace.connections);
  reserve(trace.functions);
  reserve(trace.input_tensors);
  reserve(trace.function_ends);
  reserve(trace.tensors);
  reserve(trace.event_addresses);
  reserve(trace.event_facts);
  reserve(trace.program_addresses);
  reserve(trace.program_facts_ids);
}

}  // namespace

struct NodeReader::Blocks {
  explicit Blocks(std::string_view text) : dumped(text), ahead(text) {}

  DumpedNodes dumped;
  BlockAhead ahead;
  NodeBlock single;  ///< for a node that is read alone
};

/// The fields of a node while it is read. Views point into the input.
struct NodeReader::Node : NodeFields {};

NodeReader::NodeReader(std::string_view text, std::string name, GraphTrace& trace)
    : text_(text),
      name_(std::move(name)),
      trace_(trace),
      params_(trace),
      blocks_(std::make_unique<Blocks>(text)) {}

NodeReader::~NodeReader() = default;

Error NodeReader::broken_at(std::size_t position, std::string_view what) const {
  const TextPlace place = place_in(text_, position);
  return bad_input(fmt::format("{}:{}: {} (byte {} of {})", terminal_safe(name_), place.line, what, position,
                               text_.size()));
}

Result<std::size_t> NodeReader::read_array(std::size_t begin) {
  JsonCursor cursor(text_, begin);
  if (cursor.take(']')) return cursor.position();
  std::size_t window = kFirstWindowBytes;
  bool is_reserved = false;
  for (std::size_t at = begin;;) {
    const bool was_dumped = read_dumped(at);
    const BlockEnd end = was_dumped ? BlockEnd::kReadAll : read_block(blocks_->ahead.take(at, window));
    if (!problem_.empty()) return failure(broken_at(reached_, problem_));
    if (end == BlockEnd::kArrayEnded) return reached_;
    if (end == BlockEnd::kBroken) {
      cursor.move_to(reached_);
      if (cursor.position() > at) cursor.take(',');  // behind the nodes of the block that were read
      const Result<std::size_t> node_end = read_exactly(cursor.position());
      if (!node_end) return failure(node_end.error());
      reached_ = *node_end;
    }
    cursor.move_to(reached_);
    if (cursor.take(']')) return cursor.position();
    if (!cursor.take(',')) {
      return failure(broken_at(cursor.position(), cursor.is_at_end()
                                                      ? "the list of nodes is cut off"
                                                      : "expected a comma or ] behind a node"));
    }
    cursor.peek();  // the block that was foreseen begins behind white space
    at = cursor.position();
    window = std::min(window * 2, kWindowBytes);
    if (!is_reserved && at - begin >= kSampleBytes) {
      is_reserved = true;
      reserve_columns(trace_, static_cast<double>(text_.size() - begin) / static_cast<double>(at - begin));
    }
  }
}

/// Reads nodes in the usual form from `at` on, up to one that is not or to the sample that tells the size of
/// the columns. False if there is none.
bool NodeReader::read_dumped(std::size_t& at) {
  const std::size_t limit = at + kSampleBytes;
  bool has_any = false;
  for (std::size_t next = at; next < limit;) {
    Node node;
    std::size_t end = 0;
    if (!blocks_->dumped.read(next, trace_, node, end)) break;
    if (!add_node(node)) {  // perhaps not in that form after all: the parser shall say
      problem_.clear();
      trace_.connections.resize(trace_.kinds.empty() ? 0 : trace_.connection_ends.back());
      trace_.input_tensors.resize(node.first_input);
      break;
    }
    has_any = true;
    reached_ = end;
    JsonCursor cursor(text_, end);
    if (!cursor.take(',')) break;
    next = cursor.position();
  }
  return has_any;
}

/// Reads the one node at `begin`, whose end is found by the exact walk; gives the place behind it.
Result<std::size_t> NodeReader::read_exactly(std::size_t begin) {
  JsonCursor cursor(text_, begin);
  if (cursor.peek() != '{') {
    return failure(broken_at(cursor.position(), cursor.is_at_end() ? "the list of nodes is cut off"
                                                                   : "expected a node, which is an object"));
  }
  const std::size_t start = cursor.position();
  if (!cursor.take_value()) {
    const bool is_cut = JsonCursor(text_, cursor.position()).is_at_end();
    return failure(
        broken_at(cursor.position(),
                  fmt::format("{}, expected {}", is_cut ? "the file ends inside a node" : "damaged JSON",
                              cursor.expected())));
  }
  const std::size_t end = cursor.position();
  index_block(text_, start, end, blocks_->single);
  if (read_block(blocks_->single) != BlockEnd::kReadAll) {
    return failure(broken_at(start, problem_.empty() ? "a node that cannot be read (damaged text or number)"
                                                     : std::string_view(problem_)));
  }
  return end;
}

NodeReader::BlockEnd NodeReader::read_block(NodeBlock& block) {
  const std::string& text = block.text;
  const std::size_t begin = block.begin;
  reached_ = begin;
  if (!block.indexed) return BlockEnd::kBroken;
  const std::string_view source = text_.substr(begin);
  simdjson::ondemand::document& document = block.document;
  simdjson::ondemand::array nodes;
  if (document.get_array().get(nodes)) return BlockEnd::kBroken;
  const auto in_source = [&](const char* place) {
    return begin + static_cast<std::size_t>(place - text.data()) - 1;
  };
  for (auto element : nodes) {
    simdjson::ondemand::object object;
    Node node;
    if (element.get_object().get(object)) return BlockEnd::kBroken;
    const std::size_t connections = trace_.connections.size();
    const std::size_t inputs = trace_.input_tensors.size();
    if (read_fields(object, {text.data() + 1, source.data()}, trace_, node) != simdjson::SUCCESS) {
      trace_.connections.resize(connections);
      trace_.input_tensors.resize(inputs);
      return BlockEnd::kBroken;
    }
    node.first_input = static_cast<std::uint32_t>(inputs);
    if (!add_node(node)) return BlockEnd::kBroken;
    const char* place = nullptr;
    if (document.current_location().get(place)) return BlockEnd::kBroken;
    reached_ = in_source(place);
  }
  const char* place = nullptr;
  if (!document.current_location().get(
          place)) {  // something stands behind the array: it ended inside of the block
    reached_ = in_source(place);
    return BlockEnd::kArrayEnded;
  }
  return BlockEnd::kReadAll;
}

std::uint8_t NodeReader::level_of(const Node& node) {
  constexpr std::int64_t kDeepest = std::numeric_limits<std::uint8_t>::max();
  if (node.kind == NodeKind::kFunctionStart) ++depth_;
  const auto derived = static_cast<std::int64_t>(depth_);
  if (node.kind == NodeKind::kFunctionEnd && depth_ > 0) --depth_;
  if (node.level < 0) trace_.has_levels = false;
  return static_cast<std::uint8_t>(std::min(node.level < 0 ? derived : node.level, kDeepest));
}

void NodeReader::add_counter(std::int64_t counter) {
  const std::size_t index = trace_.kinds.size();
  if (trace_.counters.empty() && counter == static_cast<std::int64_t>(index)) return;
  for (std::size_t i = trace_.counters.size(); i < index; ++i)
    trace_.counters.push_back(static_cast<std::int64_t>(i));
  trace_.counters.push_back(counter);
}

bool NodeReader::add_node(const Node& node) {
  if (!node.has_type) {
    problem_ = "an object without node_type; expected a node of a graph capture";
    return false;
  }
  if (trace_.size() == std::numeric_limits<std::uint32_t>::max() - 1) {
    problem_ = "more nodes than can be numbered";
    return false;
  }
  std::uint32_t detail = 0;
  bool readable = true;
  if (node.kind == NodeKind::kFunctionStart) {
    FunctionNode function;
    function.arguments_json = node.arguments;
    function.first_input = node.first_input;
    function.input_count = static_cast<std::uint32_t>(trace_.input_tensors.size()) - node.first_input;
    readable = params_.add_function(node.params, function, detail);
  } else {
    trace_.input_tensors.resize(node.first_input);  // only functions have any
    readable = params_.add(node.kind, node.params, detail);
  }
  if (!readable) {
    problem_ = fmt::format("params of a {} that cannot be read", node_type_text(node.kind));
    return false;
  }
  if (node.kind == NodeKind::kFunctionEnd || node.kind == NodeKind::kCaptureEnd) {
    trace_.function_ends.set_duration(detail, node.duration_ns);
  }
  if (node.kind == NodeKind::kOther) detail = params_.text_id(node.type);
  if (node.kind == NodeKind::kTensor && node.tensor_id >= 0) trace_.tensors.set_id(detail, node.tensor_id);
  add_counter(node.counter < 0 ? static_cast<std::int64_t>(trace_.kinds.size()) : node.counter);
  trace_.levels.push_back(level_of(node));
  trace_.kinds.push_back(node.kind);
  trace_.details.push_back(detail);
  trace_.connection_ends.push_back(static_cast<std::uint32_t>(trace_.connections.size()));
  return true;
}

}  // namespace ttscope::graph
