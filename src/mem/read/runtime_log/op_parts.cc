#include "mem/read/runtime_log/op_parts.h"

#include <array>
#include <charconv>

#include "base/string_pool.h"
#include "base/text_search.h"
#include "mem/read/runtime_log/mlir_text.h"

namespace ttscope::mem {
namespace {

constexpr std::uint32_t kMostResults = 1024;  // `%3:4000000000` must not allocate

HashedText hashed(std::string_view text) { return {text, hash_text(text), kNone}; }

/// 12 of `%12`; kNone for names that are not written so, or have too many digits.
std::uint32_t ssa_number(std::string_view name) {
  constexpr std::size_t kMostDigits = 7;
  if (name.size() < 2 || name.size() > kMostDigits + 1 || (name[1] == '0' && name.size() > 2)) return kNone;
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
  return count > kMostResults ? 0 : count;
}

void split_op(std::string_view text, OpPartsTable& table) { OpSplitter(text, table).split(); }

}  // namespace ttscope::mem
