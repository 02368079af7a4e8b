#include "mem/analyse/module_uses.h"

#include "base/text_search.h"

namespace ttscope::mem {
namespace {

bool is_of_name(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '#';
}

/// `%7#1` from its `%` on.
std::string_view name_at(std::string_view text, std::size_t at) {
  std::size_t end = at + 1;
  while (end < text.size() && is_of_name(text[end])) ++end;
  return text.substr(at, end - at);
}

/// `func.func public @main(`, `func.func private @main_const_eval_0(`.
bool begins_function(std::string_view line, std::string_view name) {
  const std::size_t func = line.find("func.func");
  const std::size_t at = func == kNoPlace ? func : line.find('@', func);
  return at != kNoPlace && line.substr(at + 1).starts_with(name) &&
         line.substr(at + 1 + name.size(), 1) == "(";
}

/// `%7 = ` and `%7:2 = ` make `%7`.
bool makes(std::string_view statement, std::string_view value) {
  const std::string_view base = value.substr(0, value.find('#'));
  if (!statement.starts_with(base)) return false;
  const std::string_view behind = statement.substr(base.size());
  return behind.starts_with(" = ") || behind.starts_with(":");
}

}  // namespace

ModuleUses::ModuleUses(const ModuleDump& module, std::string_view function, std::string_view result) {
  bool inside = false;
  bool behind_op = false;
  for (std::size_t i = 0; i < module.lines.size(); ++i) {
    const std::string_view statement = trimmed(module.lines[i]);
    if (statement.find("func.func") != kNoPlace) {
      if (inside) return;
      inside = begins_function(statement, function);
      continue;
    }
    if (!inside) continue;
    // What the op itself takes is in use until it ends.
    if (makes(statement, result)) behind_op = true;
    if (behind_op) note(statement, module.body_line + static_cast<std::uint32_t>(i));
  }
}

void ModuleUses::note(std::string_view statement, std::uint32_t line) {
  const bool frees = statement.starts_with("\"ttnn.deallocate\"");
  for (std::size_t at = statement.find('%'); at != kNoPlace; at = statement.find('%', at + 1)) {
    Rest& rest = values_[name_at(statement, at)];
    if (!frees) rest.is_used = true;
    if (frees && rest.freed_line == 0) rest.freed_line = line;
  }
}

std::uint32_t ModuleUses::freed_at(std::string_view value) const {
  const auto found = values_.find(value);
  return found == values_.end() || found->second.is_used ? 0 : found->second.freed_line;
}

}  // namespace ttscope::mem
