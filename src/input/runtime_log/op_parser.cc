#include "input/runtime_log/op_parser.h"

#include <array>
#include <charconv>
#include <string>

#include "input/runtime_log/mlir_text.h"

namespace ttscope::input {
namespace {

constexpr std::size_t kNotFound = std::string_view::npos;
constexpr std::uint32_t kMostResults = 1024;  // `%3:4000000000` must not allocate

bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' ||
         c == '$';
}

/// `%3`, `%3:4` (names `%3#0` ...), `%query, %key, %value`.
bool read_results(std::string_view list, TraceTables& tables, std::vector<std::uint32_t>& ids) {
  bool good = true;
  for_each_item(list, [&](std::string_view item) {
    const std::size_t colon = item.find(':');
    if (item[0] != '%') good = false;
    if (colon == kNotFound) {
      ids.push_back(tables.name(item));
      return;
    }
    std::uint32_t count = 0;
    std::from_chars(item.data() + colon + 1, item.data() + item.size(), count);
    if (count == 0 || count > kMostResults) good = false;
    const std::string base(item.substr(0, colon));
    for (std::uint32_t i = 0; good && i < count; ++i)
      ids.push_back(tables.name(base + '#' + std::to_string(i)));
  });
  return good;
}

std::vector<std::uint32_t> read_operands(std::string_view list, TraceTables& tables) {
  std::vector<std::uint32_t> ids;
  for_each_item(list, [&](std::string_view item) { ids.push_back(tables.name(item)); });
  return ids;
}

TextPart part_of(std::string_view text, std::string_view part) {
  return {static_cast<std::uint32_t>(part.data() - text.data()), static_cast<std::uint32_t>(part.size())};
}

OpRole role_named(std::string_view name, bool has_callee) {
  if (name == "ttnn.deallocate") return OpRole::kDeallocate;
  if (name == "ttnn.get_device") return OpRole::kGetDevice;
  if (name == "ttcore.load_cached" || name == "tt.load_cached") return OpRole::kLoadCached;
  if (has_callee || name.find("trace") != kNotFound) return OpRole::kCall;
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
class OpReader {
 public:
  OpReader(std::string_view text, TraceTables& tables) : text_(text), tables_(tables) { op_.text = text; }

  OpText read() {
    std::vector<std::uint32_t> results;
    if (!read_result_names(results) || !read_name_and_operands()) return unparsed();
    read_attributes();
    read_signature();
    op_.results = tables_.store(results);
    read_flags();
    return op_;
  }

 private:
  OpText unparsed() {
    OpText bare;
    bare.text = text_;
    return bare;
  }

  bool read_result_names(std::vector<std::uint32_t>& results) {
    if (text_.empty() || text_[0] != '%') return true;
    const std::size_t equals = text_.find(" = ");
    if (equals == kNotFound || !read_results(text_.substr(0, equals), tables_, results)) return false;
    at_ = equals + 3;
    return true;
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
      op_.callee = tables_.name(text_.substr(open + 2, callee_end - open - 2));
      open = callee_end;
    }
    if (open >= text_.size() || text_[open] != '(') return false;
    op_.name = tables_.name(name_ == "call" ? std::string_view("func.call") : name_);
    op_.role = role_named(name_, op_.callee != kNoId);
    return read_operand_list(open);
  }

  bool read_operand_list(std::size_t open) {
    std::size_t close = find_closing(text_, open);
    op_.cut = close == kNotFound;
    if (op_.cut) close = text_.size();
    std::string_view list = text_.substr(open + 1, close - open - 1);
    if (op_.role == OpRole::kLoadCached && !list.empty() && list[0] == '@') {
      const std::size_t comma = list.find(',');
      op_.callee = tables_.name(trimmed(list.substr(1, comma == kNotFound ? kNotFound : comma - 1)));
      const std::size_t bracket = list.find('[');
      const std::size_t end = bracket == kNotFound ? kNotFound : find_closing(list, bracket);
      list = bracket == kNotFound
                 ? std::string_view{}
                 : list.substr(bracket + 1, end == kNotFound ? kNotFound : end - bracket - 1);
    }
    op_.operands = tables_.store(read_operands(list, tables_));
    at_ = op_.cut ? text_.size() : close + 1;
    return true;
  }

  void read_attributes() {
    if (text_.substr(at_).starts_with(" <{")) {
      const std::size_t close = find_closing(text_, at_ + 1);
      if (close == kNotFound) return mark_cut();
      op_.attributes = part_of(text_, text_.substr(at_ + 3, close - at_ - 4));
      at_ = close + 1;
    }
    if (text_.substr(at_).starts_with(" {")) {
      const std::size_t close = find_closing(text_, at_ + 1);
      if (close == kNotFound) return mark_cut();
      op_.discardable = part_of(text_, text_.substr(at_ + 2, close - at_ - 2));
      at_ = close + 1;
    }
  }

  /// ` : (types) -> type` or `-> (types)`; regions (` ({...})`) may stand before it.
  void read_signature() {
    if (op_.cut) return;
    const std::size_t colon = find_at_depth(text_, " : ", at_);
    if (colon == kNotFound) return mark_cut();
    const auto begin = static_cast<std::uint32_t>(colon + 3);
    const Signature& signature = tables_.signature(text_.substr(begin));
    op_.input_types = signature.input_types;
    op_.result_types = signature.result_types;
    op_.input_signature = {begin + signature.inputs.begin, signature.inputs.length};
    op_.result_signature = {begin + signature.results.begin, signature.results.length};
    op_.cut = signature.cut;
  }

  void mark_cut() {
    op_.cut = true;
    at_ = text_.size();
  }

  void read_flags() {
    op_.frees_first_operand = text_.find("deallocate_activation = true") != kNotFound;
    op_.identity_mesh_shard = name_ == "ttnn.mesh_shard" && text_.find("shard_type<identity>") != kNotFound;
    op_.may_be_view = may_share_operand(name_);
  }

  std::string_view text_;
  TraceTables& tables_;
  OpText op_;
  std::string_view name_;
  std::size_t at_ = 0;
};

}  // namespace

OpText parse_op(std::string_view text, TraceTables& tables) { return OpReader(text, tables).read(); }

}  // namespace ttscope::input
