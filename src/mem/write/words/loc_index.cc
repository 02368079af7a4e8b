#include "mem/write/words/loc_index.h"

#include "mem/model/runtime_trace.h"

namespace ttscope::mem {
namespace {

constexpr int kAliasDepth = 16;  ///< of aliases that name aliases

/// How well a line stands for its location; lower is better.
enum class Strength : std::uint8_t { kMainOp, kConstEvalOp, kHeader };

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// The `#loc12` at `from`, empty if there is none; `#loc` alone means unknown.
std::string_view alias_at(std::string_view line, std::size_t from) {
  constexpr std::string_view kPrefix = "#loc";
  if (line.substr(from, kPrefix.size()) != kPrefix) return {};
  std::size_t end = from + kPrefix.size();
  while (end < line.size() && is_digit(line[end])) ++end;
  return end == from + kPrefix.size() ? std::string_view() : line.substr(from, end - from);
}

class Indexer {
 public:
  explicit Indexer(const std::vector<std::string_view>& lines) : lines_(lines), strengths_(lines.size()) {}

  LocIndex run() {
    find_aliases();
    find_functions();
    for (std::uint32_t i = 0; i < lines_.size(); ++i) add_alias_use(i);
    for (std::uint32_t i = 0; i < lines_.size(); ++i) add_inline(i);
    for (std::uint32_t i = 0; i < lines_.size(); ++i) add_callee(i);
    return std::move(index_);
  }

 private:
  void find_aliases() {
    for (const std::string_view line : lines_) {
      const std::string_view name = alias_at(line, 0);
      const std::size_t value = line.find("loc(", name.size());
      if (!name.empty() && value != std::string_view::npos) aliases_.emplace(name, line.substr(value + 4));
    }
  }

  void find_functions() {
    Strength strength = Strength::kHeader;
    for (std::uint32_t i = 0; i < lines_.size(); ++i) {
      const std::string_view line = lines_[i];
      const std::size_t start = line.find_first_not_of(' ');
      strengths_[i] = strength;
      if (start == std::string_view::npos || line[start] == '}' || line[start] == '#')
        strengths_[i] = Strength::kHeader;
      if (start == std::string_view::npos || !line.substr(start).starts_with("func.func")) continue;
      strengths_[i] = Strength::kHeader;
      const std::string_view name = function_name(line);
      strength =
          name.find("const_eval") == std::string_view::npos ? Strength::kMainOp : Strength::kConstEvalOp;
      if (!index_.functions.empty()) index_.functions.back().last_line = i;
      index_.functions.push_back({std::string(name), i + 1, static_cast<std::uint32_t>(lines_.size())});
    }
  }

  static std::string_view function_name(std::string_view line) {
    const std::size_t at = line.find('@');
    if (at == std::string_view::npos) return {};
    return line.substr(at + 1, line.find('(', at) - at - 1);
  }

  /// Name of a location: its first quoted text, through aliases where one of them comes first.
  std::string name_of_alias(std::string_view alias, int depth) const {
    const auto found = aliases_.find(alias);
    if (found == aliases_.end() || depth > kAliasDepth) return {};
    const std::string_view text = found->second;
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '"') return display_loc(text.substr(i));
      const std::string_view inner = alias_at(text, i);
      if (!inner.empty()) return name_of_alias(inner, depth + 1);
    }
    return {};
  }

  void add_alias_use(std::uint32_t i) {
    constexpr std::string_view kUse = "loc(#loc";
    const std::string_view line = lines_[i];
    if (!alias_at(line, 0).empty()) return;
    for (std::size_t at = line.find(kUse); at != std::string_view::npos; at = line.find(kUse, at + 1)) {
      const std::string_view alias = alias_at(line, at + 4);
      const std::size_t end = at + 4 + alias.size();
      if (alias.empty() || end >= line.size() || line[end] != ')') continue;
      add(name_of_alias(alias, 0), i);
      return;
    }
  }

  void add_inline(std::uint32_t i) {
    constexpr std::string_view kUse = "loc(\"";
    const std::string_view line = lines_[i];
    if (!alias_at(line, 0).empty()) return;
    for (std::size_t at = line.find(kUse); at != std::string_view::npos; at = line.find(kUse, at + 1)) {
      add(display_loc(line.substr(at + 4)), i);
    }
  }

  void add_callee(std::uint32_t i) {
    constexpr std::string_view kUse = "load_cached(@";
    const std::size_t at = lines_[i].find(kUse);
    if (at == std::string_view::npos) return;
    const std::string_view rest = lines_[i].substr(at + kUse.size() - 1);
    add(std::string(rest.substr(0, rest.find_first_of(",) "))), i);
  }

  void add(std::string name, std::uint32_t i) {
    if (name.empty()) return;
    const auto [place, is_new] = places_.try_emplace(name, index_.entries.size());
    if (is_new) {
      index_.entries.push_back({std::move(name), i + 1, {}});
      best_.push_back(strengths_[i]);
    }
    LocIndex::Entry& entry = index_.entries[place->second];
    if (strengths_[i] < best_[place->second]) {
      entry.line = i + 1;
      best_[place->second] = strengths_[i];
    }
    const bool is_op = strengths_[i] != Strength::kHeader;
    if (is_op && (entry.lines.empty() || entry.lines.back() != i + 1)) entry.lines.push_back(i + 1);
  }

  const std::vector<std::string_view>& lines_;
  std::vector<Strength> strengths_;
  std::unordered_map<std::string_view, std::string_view>
      aliases_;                                          ///< what stands after `loc(` in the definition
  std::unordered_map<std::string, std::size_t> places_;  ///< in entries
  std::vector<Strength> best_;                           ///< by entry
  LocIndex index_;
};

}  // namespace

LocIndex index_locations(const std::vector<std::string_view>& lines) { return Indexer(lines).run(); }

}  // namespace ttscope::mem
