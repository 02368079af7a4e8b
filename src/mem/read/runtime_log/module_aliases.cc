#include "mem/read/runtime_log/module_aliases.h"

#include <algorithm>
#include <array>

#include "base/text_search.h"

namespace ttscope::mem {
namespace {

constexpr std::size_t kLongestAliasName = 128;
constexpr std::size_t kAliasLimit = 1 << 12;  // of one alias; real layouts have a few hundred characters
constexpr int kDeepestAlias = 32;             // locations of inlined calls nest deeper than layouts do
constexpr std::size_t kExpandedTimes = 64;    // all that is written out against the module's own text

bool is_alias_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$';
}

constexpr std::array<bool, 256> marked_characters() {
  std::array<bool, 256> is{};
  for (const char c : std::string_view("#!\"")) is[static_cast<unsigned char>(c)] = true;
  return is;
}
constexpr std::array<bool, 256> kMarked = marked_characters();

/// The next alias or string; the text's end if there is none.
std::size_t next_mark(std::string_view text, std::size_t at) {
  while (at < text.size() && !kMarked[static_cast<unsigned char>(text[at])]) ++at;
  return at;
}

/// Behind the string that begins at `at`.
std::size_t string_end(std::string_view text, std::size_t at) {
  std::size_t end = at + 1;
  while (end < text.size() && text[end] != '"') end += text[end] == '\\' ? 2 : 1;
  return std::min(end + 1, text.size());
}

}  // namespace

std::string_view alias_name(std::string_view line) {
  if (line.size() < 2 || (line[0] != '#' && line[0] != '!')) return {};
  const std::size_t equals = line.substr(0, kLongestAliasName).find(" = ");
  if (equals == kNoPlace || line.substr(0, equals).find_first_of(" .<(") != kNoPlace) return {};
  return line.substr(0, equals);
}

void ModuleAliases::collect(std::string_view line) {
  room_bytes_ += kExpandedTimes * line.size();
  const std::string_view name = alias_name(line);
  if (name.empty()) return;
  std::string_view text = trimmed(line.substr(name.size() + 3));
  // `loc(#loc3)` has the parentheses where it is used.
  if (text.starts_with("loc(") && text.back() == ')') text = text.substr(4, text.size() - 5);
  aliases_.try_emplace(name, Alias{text, {}});
}

void ModuleAliases::append_expanded(std::string_view text, std::size_t limit_bytes, std::string& out) {
  std::size_t copied = 0;  // up to here `text` is in `out`
  for (std::size_t at = next_mark(text, 0); at < text.size() && out.size() < limit_bytes;
       at = next_mark(text, at)) {
    if (text[at] == '"') {
      at = string_end(text, at);
      continue;
    }
    std::size_t end = at + 1;
    while (end < text.size() && is_alias_character(text[end])) ++end;
    const bool dotted = end < text.size() && text[end] == '.';
    const std::string_view expanded = dotted ? std::string_view{} : expansion(text.substr(at, end - at));
    if (!expanded.empty() && expanded.size() <= room_bytes_) {
      out.append(text.substr(copied, at - copied)).append(expanded);
      room_bytes_ -= expanded.size();
      copied = end;
    }
    at = end;
  }
  const std::size_t room = limit_bytes - std::min(limit_bytes, out.size());
  out.append(text.substr(copied, room));
}

std::string_view ModuleAliases::expansion(std::string_view name) {
  const auto found = aliases_.find(name);
  return found == aliases_.end() ? std::string_view{} : expand(found->second);
}

std::string_view ModuleAliases::expand(Alias& alias) {
  if (alias.state == Alias::State::kExpanded) return alias.expanded;
  if (alias.state == Alias::State::kBeingExpanded || depth_ >= kDeepestAlias) return {};  // it names itself
  alias.state = Alias::State::kBeingExpanded;
  ++depth_;
  append_expanded(alias.text, kAliasLimit, alias.expanded);
  --depth_;
  alias.state = Alias::State::kExpanded;
  return alias.expanded;
}

}  // namespace ttscope::mem
