#include "mem/read/mlir_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <span>
#include <string>
#include <utility>

#include "base/string_pool.h"
#include "base/text.h"

namespace ttscope::mem {
namespace {

/// Characters that next_token does not just step over.
constexpr std::array<bool, 256> structural_characters() {
  std::array<bool, 256> is{};
  for (const char c : std::string_view("\"-<({[>)}]")) is[static_cast<unsigned char>(c)] = true;
  return is;
}

constexpr std::array<bool, 256> kStructural = structural_characters();

std::size_t skip_plain(std::string_view text, std::size_t at) {
  while (at < text.size() && !kStructural[static_cast<unsigned char>(text[at])]) ++at;
  return at;
}

}  // namespace

std::size_t find_closing(std::string_view text, std::size_t open) {
  int depth = 0;
  for (std::size_t at = open; at < text.size(); at = skip_plain(text, at)) {
    const std::size_t here = at;
    at = next_token(text, at, depth);
    if (depth <= 0) return here;
  }
  return std::string_view::npos;
}

std::size_t find_at_depth(std::string_view text, std::string_view wanted, std::size_t from) {
  int depth = 0;
  for (std::size_t at = from; at < text.size();) {
    if (depth == 0 && text.substr(at, wanted.size()) == wanted) return at;
    at = next_token(text, at, depth);
    if (depth < 0) return std::string_view::npos;
    if (depth > 0) at = skip_plain(text, at);
  }
  return std::string_view::npos;
}

std::size_t location_start(std::string_view text) {
  if (text.empty() || text.back() != ')') return kNoPlace;
  std::size_t at = text.rfind(" loc(");
  // A string never holds a quote itself.
  while (at != kNoPlace &&
         std::count(text.begin() + static_cast<std::ptrdiff_t>(at), text.end(), '"') % 2 != 0) {
    at = at == 0 ? kNoPlace : text.rfind(" loc(", at - 1);
  }
  return at;
}

namespace {

constexpr std::size_t kMaxDims = 16;  // no real tensor has more; keeps hostile text cheap
constexpr std::int64_t kMaxTensorBytes = std::int64_t{1}
                                         << 38;  // more than any device or mesh holds: damaged text

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_word(char c) { return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

std::string_view word_at(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() && is_word(text[end])) ++end;
  return text.substr(0, end);
}

/// An element: `bf16`, or `!ttcore.tile<32x32, bfp_bf8>` (height and width filled). Advances past it.
std::string_view take_element(std::string_view& text, std::int64_t& height, std::int64_t& width) {
  if (text.empty() || text[0] != '!') {
    const std::string_view word = word_at(text);
    text.remove_prefix(word.size());
    return word;
  }
  const std::size_t open = text.find('<');
  const std::size_t close = open == std::string_view::npos ? open : find_closing(text, open);
  if (close == std::string_view::npos) return {};
  std::string_view inside = text.substr(open + 1, close - open - 1);
  const bool is_tile = text.substr(0, open).find(".tile") != std::string_view::npos;
  text.remove_prefix(close + 1);
  if (!is_tile) return word_at(inside);
  const std::size_t comma = inside.find(',');
  if (comma == std::string_view::npos) return {};
  std::string_view dims_text = inside.substr(0, comma);
  const std::vector<std::int64_t> dims = take_dims(dims_text);
  if (dims.size() != 2 || dims[0] <= 0 || dims[1] <= 0) return {};
  height = dims[0];
  width = dims[1];
  return word_at(trimmed(inside.substr(comma + 1)));
}

BufferType buffer_named(std::string_view text) {
  const std::size_t open = text.find('<');
  std::string_view name = open != std::string_view::npos ? text.substr(open + 1) : text;
  while (!name.empty() && (name[0] == '#' || name[0] == '<')) name.remove_prefix(1);
  name = word_at(name);
  constexpr std::array<std::pair<std::string_view, BufferType>, 8> kNames = {{
      {"dram", BufferType::kDram},
      {"l1", BufferType::kL1},
      {"system_memory", BufferType::kSystemMemory},
      {"system", BufferType::kSystemMemory},
      {"l1_small", BufferType::kL1Small},
      {"trace", BufferType::kTrace},
      {"deviceDRAM", BufferType::kDram},
      {"deviceL1", BufferType::kL1},
  }};
  for (const auto& [known, buffer] : kNames) {
    if (known == name) return buffer;
  }
  return BufferType::kNone;
}

/// The memory layout item is the first one behind the memref: `<interleaved>` or, long ago, `interleaved`.
MemoryLayout layout_named(std::string_view after_memref) {
  while (!after_memref.empty() &&
         (after_memref[0] == ',' || after_memref[0] == ' ' || after_memref[0] == '<')) {
    after_memref.remove_prefix(1);
  }
  const std::string_view name = word_at(after_memref);
  for (const MemoryLayout layout :
       {MemoryLayout::kInterleaved, MemoryLayout::kHeightSharded, MemoryLayout::kWidthSharded,
        MemoryLayout::kBlockSharded, MemoryLayout::kNdSharded}) {
    if (ttscope::mem::name_of(layout) == name) return layout;
  }
  return MemoryLayout::kNone;
}

/// The grid is the first `<8x8` before the memref; `<1x1, (d0, d1) -> (0, d0, d1)>` has a map inside.
std::vector<std::int64_t> grid_before(std::string_view text) {
  for (std::size_t at = text.find('<'); at != std::string_view::npos; at = text.find('<', at + 1)) {
    if (at + 1 < text.size() && is_digit(text[at + 1])) {
      std::string_view dims = text.substr(at + 1);
      return take_dims(dims);
    }
  }
  return {};
}

bool parse_layout(std::string_view layout, TensorType& type) {
  const std::size_t memref = layout.find("memref<");
  if (memref == std::string_view::npos) return false;
  const std::size_t open = memref + 6;
  const std::size_t close = find_closing(layout, open);
  if (close == std::string_view::npos) return false;
  std::string_view inside = layout.substr(open + 1, close - open - 1);
  type.memref = take_dims(inside);
  const std::string_view element = take_element(inside, type.tile_height, type.tile_width);
  if (element.empty()) return false;
  // Tiles spell unsigned types their own way (`u32` for `ui32`): a difference in name only keeps the
  // tensor's.
  const std::int64_t stored_bytes = tile_bytes(element, 32, 32);
  if (stored_bytes != tile_bytes(type.tensor_dtype, 32, 32)) type.dtype = element;
  type.buffer = buffer_named(trimmed(inside.substr(inside.empty() || inside[0] != ',' ? 0 : 1)));
  type.grid = grid_before(layout.substr(0, memref));
  type.layout = layout_named(layout.substr(close + 1));
  type.has_layout = type.buffer != BufferType::kNone;
  return type.has_layout;
}

}  // namespace

std::vector<std::int64_t> take_dims(std::string_view& text) {
  std::vector<std::int64_t> dims;
  while (!text.empty() && (is_digit(text[0]) || text[0] == '?') && dims.size() < kMaxDims) {
    std::int64_t dim = -1;
    std::size_t length = 1;
    if (text[0] != '?') {
      const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), dim);
      if (error != std::errc()) dim = std::int64_t{1} << 62;
      length = static_cast<std::size_t>(end - text.data());
    }
    dims.push_back(dim);
    text.remove_prefix(length);
    if (text.empty() || text[0] != 'x') break;
    text.remove_prefix(1);
  }
  return dims;
}

bool parse_type(std::string_view text, TensorType& type) {
  if (!text.starts_with("tensor<")) return true;
  type.is_tensor = true;
  const std::size_t close = find_closing(text, 6);
  std::string_view inside = text.substr(7, close == std::string_view::npos ? close : close - 7);
  type.shape = take_dims(inside);
  std::int64_t height = 0;
  std::int64_t width = 0;
  type.tensor_dtype = take_element(inside, height, width);
  type.dtype = type.tensor_dtype;
  bool readable = !type.tensor_dtype.empty() && close != std::string_view::npos;
  if (!inside.empty() && inside[0] == ',') {
    const std::string_view layout = trimmed(inside.substr(1));
    if (layout.find("layout<") != std::string_view::npos) readable = parse_layout(layout, type) && readable;
  }
  compute_sizes(type);
  if (std::max(type.logical_bytes, type.padded_bytes) > kMaxTensorBytes) {
    type.logical_bytes = type.padded_bytes = type.page_bytes = type.pages_per_shard = 0;
    readable = false;
  }
  return readable;
}

namespace {

constexpr std::uint32_t kMaxResults = 1024;  // `%3:4000000000` must not allocate

HashedText hashed(std::string_view text) { return {text, hash_text(text), kNone}; }

/// 12 of `%12`; kNone for names that are not written so, or have too many digits.
std::uint32_t ssa_number(std::string_view name) {
  constexpr std::size_t kMaxDigits = 7;
  if (name.size() < 2 || name.size() > kMaxDigits + 1 || (name[1] == '0' && name.size() > 2)) return kNone;
  std::uint32_t number = 0;
  for (const char c : name.substr(1)) {
    if (c < '0' || c > '9') return kNone;
    number = number * 10 + static_cast<std::uint32_t>(c - '0');
  }
  return name[0] == '%' ? number : kNone;
}

HashedText ssa_name(std::string_view text) { return {text, hash_text(text), ssa_number(text)}; }

bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' ||
         c == '$';
}

TextPart part_of(std::string_view text, std::string_view part) {
  return {static_cast<std::uint32_t>(part.data() - text.data()), static_cast<std::uint32_t>(part.size())};
}

OpRole role_named(std::string_view name, bool has_callee) {
  if (name == "ttnn.deallocate") return OpRole::kDeallocate;
  if (name == "ttnn.get_device") return OpRole::kGetDevice;
  if (name == "ttcore.load_cached" || name == "tt.load_cached") return OpRole::kLoadCached;
  if (has_callee || name.find("trace") != kNoPlace) return OpRole::kCall;
  return OpRole::kCompute;
}

bool may_share_operand(std::string_view name) {
  constexpr std::array<std::string_view, 9> kNames = {
      "ttnn.reshape", "ttnn.to_layout", "ttnn.typecast",   "ttnn.to_dtype",         "ttnn.to_memory_config",
      "ttnn.view",    "ttnn.annotate",  "ttnn.mesh_shard", "ttnn.distribute_tensor"};
  for (const std::string_view known : kNames) {
    if (known == name) return true;
  }
  return name.starts_with("ttnn.region_");
}

/// Reads one op text front to back; `at_` is how far it got.
class OpSplitter {
 public:
  OpSplitter(std::string_view text, OpPartsTable& table) : text_(text), table_(table) {
    parts_.first_name = static_cast<std::uint32_t>(table.names.size());
  }

  void split() {
    if (read_result_names() && read_name_and_operands()) {
      read_attributes();
      read_signature();
      read_flags();
    } else {
      table_.names.resize(parts_.first_name);
      parts_ = {};
    }
    table_.ops.push_back(parts_);
  }

 private:
  /// `%3`, `%3:4`, `%query, %key, %value`.
  bool read_result_names() {
    if (text_.empty() || text_[0] != '%') return true;
    const std::size_t equals = text_.find(" = ");
    if (equals == kNoPlace) return false;
    bool good = true;
    for_each_item(text_.substr(0, equals), [&](std::string_view item) {
      if (item[0] != '%' || (item.find(':') != kNoPlace && results_of(item) == 0)) good = false;
      table_.names.push_back(ssa_name(item));
      ++parts_.results;
    });
    at_ = equals + 3;
    return good;
  }

  bool read_name_and_operands() {
    const bool quoted = at_ < text_.size() && text_[at_] == '"';
    const std::size_t begin = at_ + (quoted ? 1 : 0);
    std::size_t end = begin;
    while (end < text_.size() && is_name_character(text_[end])) ++end;
    name_ = text_.substr(begin, end - begin);
    std::size_t open = end + (quoted ? 1 : 0);
    if (name_.empty() || open >= text_.size()) return false;
    if (text_.substr(open).starts_with(" @")) {  // func.call @f(%a)
      std::size_t callee_end = open + 2;
      while (callee_end < text_.size() && is_name_character(text_[callee_end])) ++callee_end;
      parts_.callee = hashed(text_.substr(open + 2, callee_end - open - 2));
      has_callee_ = true;
      open = callee_end;
    }
    if (open >= text_.size() || text_[open] != '(') return false;
    parts_.name = hashed(name_ == "call" ? std::string_view("func.call") : name_);
    parts_.role = role_named(name_, has_callee_);
    read_operand_list(open);
    return true;
  }

  void read_operand_list(std::size_t open) {
    std::size_t close = find_closing(text_, open);
    parts_.cut = close == kNoPlace;
    if (parts_.cut) close = text_.size();
    std::string_view list = text_.substr(open + 1, close - open - 1);
    if (parts_.role == OpRole::kLoadCached && !list.empty() && list[0] == '@') {
      const std::size_t comma = list.find(',');
      parts_.callee = hashed(trimmed(list.substr(1, comma == kNoPlace ? kNoPlace : comma - 1)));
      const std::size_t bracket = list.find('[');
      const std::size_t end = bracket == kNoPlace ? kNoPlace : find_closing(list, bracket);
      list = bracket == kNoPlace ? std::string_view{}
                                 : list.substr(bracket + 1, end == kNoPlace ? kNoPlace : end - bracket - 1);
    }
    for_each_item(list, [&](std::string_view item) {
      table_.names.push_back(ssa_name(item));
      ++parts_.operands;
    });
    at_ = parts_.cut ? text_.size() : close + 1;
  }

  void read_attributes() {
    if (text_.substr(at_).starts_with(" <{")) {
      const std::size_t close = find_closing(text_, at_ + 1);
      if (close == kNoPlace) return mark_cut();
      parts_.attributes = part_of(text_, text_.substr(at_ + 3, close - at_ - 4));
      at_ = close + 1;
    }
    if (text_.substr(at_).starts_with(" {")) {
      const std::size_t close = find_closing(text_, at_ + 1);
      if (close == kNoPlace) return mark_cut();
      parts_.discardable = part_of(text_, text_.substr(at_ + 2, close - at_ - 2));
      at_ = close + 1;
    }
  }

  /// ` : (types) -> type` or `-> (types)`; regions (` ({...})`) may stand before it.
  void read_signature() {
    if (parts_.cut) return;
    const std::size_t colon = find_at_depth(text_, " : ", at_);
    if (colon == kNoPlace) return mark_cut();
    parts_.signature = hashed(text_.substr(colon + 3));
  }

  void mark_cut() {
    parts_.cut = true;
    at_ = text_.size();
  }

  void read_flags() {
    const std::string_view attributes = text_.substr(parts_.attributes.begin, parts_.attributes.length);
    parts_.frees_first_operand = attributes.find("deallocate_activation = true") != kNoPlace;
    parts_.identity_mesh_shard =
        name_ == "ttnn.mesh_shard" && attributes.find("shard_type<identity>") != kNoPlace;
    parts_.may_be_view = may_share_operand(name_);
  }

  std::string_view text_;
  OpPartsTable& table_;
  OpParts parts_;
  std::string_view name_;
  bool has_callee_ = false;
  std::size_t at_ = 0;
};

}  // namespace

std::uint32_t results_of(std::string_view item) {
  const std::size_t colon = item.find(':');
  if (colon == kNoPlace) return 0;
  std::uint32_t count = 0;
  std::from_chars(item.data() + colon + 1, item.data() + item.size(), count);
  return count > kMaxResults ? 0 : count;
}

void split_op(std::string_view text, OpPartsTable& table) { OpSplitter(text, table).split(); }

namespace {

/// Names of the results; `%3:4` stands for `%3#0` to `%3#3`.
IdRange intern_results(std::span<const HashedText> items, LogTables& tables) {
  const std::uint32_t begin = tables.list_end();
  for (const HashedText& item : items) {
    const std::uint32_t count = results_of(item.text);
    if (count == 0) {
      tables.append(tables.name(item));
      continue;
    }
    const std::string base(item.text.substr(0, item.text.find(':')));
    for (std::uint32_t i = 0; i < count; ++i) tables.append(tables.name(base + '#' + std::to_string(i)));
  }
  return {begin, tables.list_end() - begin};
}

IdRange intern_operands(std::span<const HashedText> items, LogTables& tables) {
  const std::uint32_t begin = tables.list_end();
  for (const HashedText& item : items) tables.append(tables.name(item));
  return {begin, tables.list_end() - begin};
}

void intern_signature(const HashedText& text, std::size_t begin, LogTables& tables, OpText& op) {
  const Signature& signature = tables.signature(text);
  const auto offset = static_cast<std::uint32_t>(begin);
  op.input_types = signature.input_types;
  op.result_types = signature.result_types;
  op.input_signature = {offset + signature.inputs.begin, signature.inputs.length};
  op.result_signature = {offset + signature.results.begin, signature.results.length};
  op.cut = signature.cut;
}

}  // namespace

OpText intern_op(const OpParts& parts, const OpPartsTable& table, std::string_view text, LogTables& tables) {
  OpText op;
  op.text = text;
  op.role = parts.role;
  if (parts.role == OpRole::kUnparsed) return op;
  op.name = tables.name(parts.name);
  if (!parts.callee.text.empty()) op.callee = tables.name(parts.callee);
  const auto names = std::span(table.names).subspan(parts.first_name, parts.results + parts.operands);
  op.results = intern_results(names.first(parts.results), tables);
  op.operands = intern_operands(names.subspan(parts.results), tables);
  op.attributes = parts.attributes;
  op.discardable = parts.discardable;
  op.cut = true;
  if (!parts.signature.text.empty())
    intern_signature(parts.signature, text.size() - parts.signature.text.size(), tables, op);
  op.frees_first_operand = parts.frees_first_operand;
  op.identity_mesh_shard = parts.identity_mesh_shard;
  op.may_be_view = parts.may_be_view;
  return op;
}

OpText parse_op(std::string_view text, LogTables& tables) {
  OpPartsTable table;
  split_op(text, table);
  return intern_op(table.ops.back(), table, text, tables);
}

std::size_t expected_ops(std::uint64_t log_bytes) {
  constexpr std::uint64_t kBytesPerOp = 1600;
  return static_cast<std::size_t>(std::min<std::uint64_t>(log_bytes, std::uint64_t{16} << 30) / kBytesPerOp);
}

void LogTables::expect_bytes(std::uint64_t log_bytes) {
  const std::size_t ops = expected_ops(log_bytes);
  log_.op_texts.reserve(log_.op_texts.size() + ops);
  log_.op_bodies.reserve(log_.op_bodies.size() + ops);
  log_.names.reserve(log_.names.size() + ops);
  log_.locs.reserve(log_.locs.size() + ops);
  log_.id_lists.reserve(log_.id_lists.size() + 4 * ops);
}

void LogTables::prefetch(const OpPartsTable& table, const OpParts& op) const {
  signature_texts_.prefetch(op.signature.hash);
  const std::size_t end = op.first_name + op.results + op.operands;
  for (std::size_t i = op.first_name; i < end; ++i) {
    if (table.names[i].number >= numbered_names_.size()) log_.names.prefetch(table.names[i].hash);
  }
}

std::uint32_t LogTables::new_name(const HashedText& name) {
  const std::uint32_t id = log_.names.intern(name.text, name.hash, StringPool::Bytes::kCopy);
  // A number far ahead of all others would cost memory and is not worth it.
  if (name.number == kNone || name.number > 2 * numbered_names_.size() + 4096) return id;
  if (name.number >= numbered_names_.size()) numbered_names_.resize(name.number + 1, kNone);
  numbered_names_[name.number] = id;
  return id;
}

std::uint32_t LogTables::type(std::string_view text) {
  const std::uint32_t id = log_.type_texts.intern(text);
  if (id == log_.types.size()) {
    TensorType type;
    if (!parse_type(text, type)) ++unreadable_types_;
    type.text = log_.type_texts[id];
    log_.types.push_back(std::move(type));
  }
  return id;
}

const Signature& LogTables::signature(const HashedText& text) {
  const std::uint32_t id = signature_texts_.intern(text.text, text.hash, StringPool::Bytes::kCopy);
  if (id == signatures_.size()) signatures_.push_back(parse_signature(text.text));
  return signatures_[id];
}

Signature LogTables::parse_signature(std::string_view text) {
  Signature signature;
  signature.cut = true;
  const std::size_t close = text.empty() || text[0] != '(' ? std::string_view::npos : find_closing(text, 0);
  if (close == std::string_view::npos) return signature;
  signature.inputs = {1, static_cast<std::uint32_t>(close - 1)};
  signature.input_types = types_of(text.substr(1, close - 1));
  if (text.substr(close + 1, 4) != " -> ") return signature;
  std::string_view results = trimmed(text.substr(close + 5));
  signature.cut = results.empty();
  if (results.empty()) return signature;  // an empty text stands nowhere
  signature.results = {static_cast<std::uint32_t>(results.data() - text.data()),
                       static_cast<std::uint32_t>(results.size())};
  if (results[0] == '(') {
    const std::size_t end = find_closing(results, 0);
    signature.cut = end == std::string_view::npos;
    results = results.substr(1, signature.cut ? end : end - 1);
  }
  signature.result_types = types_of(results);
  return signature;
}

IdRange LogTables::types_of(std::string_view list) {
  const std::uint32_t begin = list_end();
  for_each_item(list, [&](std::string_view item) { append(type(item)); });
  return {begin, list_end() - begin};
}

}  // namespace ttscope::mem
