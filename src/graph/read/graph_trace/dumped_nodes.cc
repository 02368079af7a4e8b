#include "graph/read/graph_trace/dumped_nodes.h"

#include <simdjson.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include "base/json_cursor.h"

namespace ttscope::graph {
namespace {

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

}  // namespace

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

}  // namespace ttscope::graph
