#include "mem/read/module_dumps.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <string>
#include <unordered_map>

#include "base/text.h"
#include "mem/model/log_lines.h"
#include "mem/read/mlir_text.h"

namespace ttscope::mem {
namespace {

constexpr std::size_t kHeaderLineLimit =
    256;  // a printed header is one line; damaged ones are not followed far
constexpr std::size_t kTypeLimit = 1 << 12;  // of one type; real layouts have a few hundred characters

std::string expanded(std::string_view text, ModuleAliases& aliases) {
  std::string out;
  aliases.append_expanded(text, kTypeLimit, out);
  return out;
}

/// Text behind `key` in an attribute dictionary; empty if absent.
std::string_view behind(std::string_view text, std::string_view key) {
  const std::size_t at = text.find(key);
  return at == kNoPlace ? std::string_view{} : text.substr(at + key.size());
}

ArgumentRole role_in(std::string_view attributes) {
  const std::string_view value = behind(attributes, "argument_type<");
  const std::string_view name = value.substr(0, value.find('>'));
  for (const ArgumentRole role : {ArgumentRole::kInput, ArgumentRole::kParameter, ArgumentRole::kConstant}) {
    if (ttscope::mem::name_of(role) == name) return role;
  }
  return ArgumentRole::kUnknown;
}

void read_local_shape(std::string_view attributes, ArgumentInfo& argument) {
  std::string_view shape = behind(attributes, "local_shape = tensor<");
  if (shape.data() == nullptr) return;
  argument.local_shape = take_dims(shape);
  argument.has_local_shape = true;
}

/// `%arg1: tensor<768xbf16, #ttnn_layout3> {ttcore.argument_type = ..., ttir.name = "norm.weight"}
/// loc("p1.4")`
bool read_argument(std::string_view text, ModuleAliases& aliases, LogTables& tables, ArgumentInfo& argument) {
  const std::size_t colon = text.find(':');
  if (text.empty() || text[0] != '%' || colon == kNoPlace) return false;
  argument.ssa = tables.name(trimmed(text.substr(0, colon)));
  std::string_view rest = trimmed(text.substr(colon + 1));
  const std::size_t open = rest.find('<');
  const std::size_t close = open == kNoPlace ? open : find_closing(rest, open);
  if (rest.substr(0, 7) == "tensor<" && close != kNoPlace) {
    argument.type = tables.type(expanded(rest.substr(0, close + 1), aliases));
    rest = rest.substr(close + 1);
  }
  argument.role = role_in(rest);
  const std::string_view name = behind(rest, "ttir.name = \"");
  argument.model_name = name.substr(0, name.find('"'));
  argument.presharded = rest.find("presharded") != kNoPlace;
  argument.kv_cache = rest.find("kv_cache") != kNoPlace && rest.find("ttcore.kv_cache") != kNoPlace;
  read_local_shape(rest, argument);
  return true;
}

/// A function header that the dump broke over lines is joined; printed ones are a single line.
std::string_view header_text(const ModuleDump& module, std::size_t& line, std::string& joined) {
  const std::string_view first = module.lines[line];
  std::size_t at = first.find('(');
  if (at == kNoPlace || find_closing(first, at) != kNoPlace) return first;
  joined = first;
  const std::size_t last = std::min(module.lines.size(), line + kHeaderLineLimit);
  int depth = 0;
  for (std::size_t next = line + 1; next < last; ++next) {
    joined += ' ';
    joined += module.lines[next];
    while (at < joined.size()) {  // on from where the line before ended
      at = next_token(joined, at, depth);
      if (depth > 0) continue;
      line = next;
      return joined;
    }
  }
  return first;
}

bool read_function(std::string_view header, ModuleAliases& aliases, LogTables& tables,
                   FunctionInfo& function) {
  const std::size_t at = header.find('@');
  const std::size_t open = at == kNoPlace ? at : header.find('(', at);
  if (open == kNoPlace) return false;
  std::string_view name = header.substr(at + 1, open - at - 1);
  if (name.size() > 1 && name.front() == '"') name = name.substr(1, name.size() - 2);
  function.name = name;
  const std::size_t close = find_closing(header, open);
  for_each_item(header.substr(open + 1, close == kNoPlace ? close : close - open - 1),
                [&](std::string_view item) {
                  ArgumentInfo argument;
                  if (read_argument(item, aliases, tables, argument))
                    function.arguments.push_back(std::move(argument));
                });
  const std::string_view rest = close == kNoPlace ? std::string_view{} : header.substr(close);
  function.is_const_eval =
      rest.find("const_eval") != kNoPlace || function.name.find("_const_eval_") != std::string::npos;
  return true;
}

/// `return %3, %5 : types` and `%0 = ttcore.load_cached(@f, [%arg1, %arg2]) : ...` of the current function.
void read_body_line(std::string_view line, LogTables& tables, FunctionInfo& function) {
  if (line.substr(0, 8) == "return %" || line.substr(0, 13) == "func.return %") {
    function.returned.clear();
    const std::size_t begin = line.find('%');
    for_each_item(line.substr(begin, line.find(" : ") - begin),
                  [&](std::string_view item) { function.returned.push_back(tables.name(item)); });
    return;
  }
  const std::string_view call = behind(line, "load_cached(@");
  if (call.data() == nullptr) return;
  const std::size_t open = call.find('[');
  const std::size_t close = open == kNoPlace ? open : call.find(']', open);
  if (close == kNoPlace) return;
  std::vector<std::uint32_t> operands;
  for_each_item(call.substr(open + 1, close - open - 1),
                [&](std::string_view item) { operands.push_back(tables.name(item)); });
  function.calls.emplace_back(trimmed(call.substr(0, call.find(','))), std::move(operands));
}

/// `%1 = "ttnn.mesh_shard"(%arg5, %0) <{... shard_type<identity>}> : (...) -> tensor<...>`: the device holds
/// the shard.
void read_mesh_shard(std::string_view line, ModuleAliases& aliases, LogTables& tables,
                     FunctionInfo& function) {
  const std::string_view operands = behind(line, "ttnn.mesh_shard\"(");
  const std::size_t arrow = line.rfind(") -> tensor<");
  if (operands.data() == nullptr || arrow == kNoPlace || line.find("shard_type<identity>") == kNoPlace)
    return;
  const std::uint32_t ssa = tables.name(trimmed(operands.substr(0, operands.find_first_of(",)"))));
  const std::string_view type = line.substr(arrow + 5);
  const std::size_t close = find_closing(type, 6);
  if (close == kNoPlace) return;
  for (ArgumentInfo& argument : function.arguments) {
    if (argument.ssa == ssa) argument.device_type = tables.type(expanded(type.substr(0, close + 1), aliases));
  }
}

void set_device_type(FunctionInfo& function, std::uint32_t ssa, std::uint32_t type) {
  for (ArgumentInfo& argument : function.arguments) {
    if (argument.ssa == ssa) argument.device_type = type;
  }
}

/// Shards that const-eval functions take of their arguments are shards of the caller's.
void pass_shards_to_callers(ModuleDump& module) {
  std::unordered_map<std::string_view, const FunctionInfo*> sharding;
  for (const FunctionInfo& function : module.functions) {
    const bool shards =
        std::any_of(function.arguments.begin(), function.arguments.end(),
                    [](const ArgumentInfo& argument) { return argument.device_type != kNone; });
    if (shards) sharding.emplace(function.name, &function);
  }
  for (FunctionInfo& caller : module.functions) {
    for (const auto& [callee_name, operands] : caller.calls) {
      const auto callee = sharding.find(callee_name);
      if (callee == sharding.end()) continue;
      const std::vector<ArgumentInfo>& arguments = callee->second->arguments;
      for (std::size_t k = 0; k < std::min(operands.size(), arguments.size()); ++k) {
        if (arguments[k].device_type != kNone) set_device_type(caller, operands[k], arguments[k].device_type);
      }
    }
  }
}

std::int64_t integer_after(std::string_view text, std::string_view key) {
  const std::string_view value = behind(text, key);
  std::int64_t number = 0;
  std::from_chars(value.data(), value.data() + value.size(), number);
  return number;
}

}  // namespace

bool parse_module(ModuleDump& module, LogTables& tables) {
  ModuleAliases aliases;
  for (const std::string_view line : module.lines) aliases.collect(line);
  std::string joined;
  for (std::size_t i = 0; i < module.lines.size(); ++i) {
    const std::string_view line = trimmed(module.lines[i]);
    if (line.substr(0, 10) == "func.func ") {
      FunctionInfo function;
      if (read_function(header_text(module, i, joined), aliases, tables, function)) {
        module.functions.push_back(std::move(function));
      }
    } else if (!module.functions.empty()) {
      read_body_line(line, tables, module.functions.back());
      read_mesh_shard(line, aliases, tables, module.functions.back());
    }
  }
  pass_shards_to_callers(module);
  return !module.functions.empty();
}

std::optional<FunctionInfo> parse_function_header(std::string_view header, ModuleAliases& aliases,
                                                  LogTables& tables) {
  FunctionInfo function;
  if (!read_function(header, aliases, tables, function)) return std::nullopt;
  return function;
}

std::optional<SystemDescription> parse_system_description(std::string_view line) {
  const std::size_t at = line.find("system_desc<");
  const std::string_view chips = at == kNoPlace ? line : behind(line.substr(at), "{arch = ");
  if (at == kNoPlace || chips.data() == nullptr) return std::nullopt;
  const std::size_t end = find_closing(line, static_cast<std::size_t>(chips.data() - line.data()) - 8);
  const std::string_view chip = chips.substr(0, end == kNoPlace ? 4096 : line.data() + end - chips.data());
  SystemDescription system;
  std::string_view arch = chip.substr(0, chip.find_first_of(">,", 1));
  while (!arch.empty() && arch[0] == '<') arch.remove_prefix(1);
  system.arch = arch.substr(0, arch.find('_'));
  system.dram_channels = static_cast<std::uint32_t>(integer_after(chip, "num_dram_channels = "));
  std::string_view grid = behind(chip, "grid = ");
  const std::vector<std::int64_t> dims = take_dims(grid);
  if (dims.size() == 2)
    system.worker_cores = static_cast<std::uint32_t>(saturating_multiply(dims[0], dims[1]) & 0xffff);
  const std::int64_t dram_end = integer_after(chip, "dram_unreserved_end = ");
  const std::int64_t dram_base = integer_after(chip, "dram_unreserved_base = ");
  system.dram_bytes_per_channel = dram_end > dram_base && dram_base > 0
                                      ? dram_end - dram_base
                                      : integer_after(chip, "dram_channel_size = ");
  system.l1_bytes = integer_after(chip, "l1_size = ") - integer_after(chip, " l1_unreserved_base = ");
  system.dram_alignment_bytes =
      static_cast<std::uint32_t>(integer_after(chip, "noc_dram_address_align_bytes = ") & 0xffff);
  if (system.dram_channels == 0 || system.dram_channels > 64) return std::nullopt;
  return system;
}

std::optional<SystemDescription> find_system_description(const ModuleDump& module) {
  constexpr std::size_t kMaxModuleNameLength = 4096;  // its attributes begin behind it
  for (const std::string_view line : module.lines) {
    const bool is_alias = !line.empty() && line[0] == '#';
    const bool is_module = line.substr(0, 32).find("module ") != kNoPlace;
    if (!is_alias && !is_module) continue;
    if (line.substr(0, kMaxModuleNameLength).find("system_desc") == kNoPlace) continue;
    if (auto system = parse_system_description(line)) return system;
  }
  return std::nullopt;
}

namespace {

constexpr std::size_t kMaxAliasNameLength = 128;
constexpr std::size_t kAliasLimit = 1 << 12;  // of one alias; real layouts have a few hundred characters
constexpr int kMaxAliasDepth = 32;            // locations of inlined calls nest deeper than layouts do
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
std::size_t next_marker(std::string_view text, std::size_t at) {
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
  const std::size_t equals = line.substr(0, kMaxAliasNameLength).find(" = ");
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
  for (std::size_t at = next_marker(text, 0); at < text.size() && out.size() < limit_bytes;
       at = next_marker(text, at)) {
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
  if (alias.state == Alias::State::kBeingExpanded || depth_ >= kMaxAliasDepth) return {};  // it names itself
  alias.state = Alias::State::kBeingExpanded;
  ++depth_;
  append_expanded(alias.text, kAliasLimit, alias.expanded);
  --depth_;
  alias.state = Alias::State::kExpanded;
  return alias.expanded;
}

namespace {

/// Some wrappers write the time or a level word before every line of a dump.
std::string_view without_line_stamp(std::string_view line) {
  constexpr std::string_view kRuntime = "RuntimeTTNN: ";
  if (line.substr(0, kRuntime.size()) == kRuntime) line.remove_prefix(kRuntime.size());
  return line;
}

}  // namespace

void ModuleCollector::walk(std::string_view bytes, bool stable, const ChunkScan& scan,
                           const std::vector<std::uint32_t>& rank_of_tag) {
  std::size_t next_header = 0;
  const auto advance_to_header = [&] {
    while (next_header < scan.records.size() && scan.records[next_header].kind != LineKind::kModuleHeader)
      ++next_header;
    return next_header < scan.records.size();
  };
  const char* at = bytes.data();
  const char* const end = at + bytes.size();
  while (at < end) {
    const bool has_header = advance_to_header();
    if (open_.empty()) {
      if (!has_header) return;
      at = scan.records[next_header].text.data();  // nothing of interest before it
    }
    const auto* newline = static_cast<const char*>(std::memchr(at, '\n', static_cast<std::size_t>(end - at)));
    const char* const line_end = newline == nullptr ? end : newline;
    std::string_view line(at, static_cast<std::size_t>(line_end - at));
    at = newline == nullptr ? end : newline + 1;
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    if (has_header && scan.records[next_header].text.data() + scan.records[next_header].text.size() <=
                          line.data() + line.size()) {
      open(scan.records[next_header], rank_of_tag[scan.records[next_header].tag]);
      ++next_header;
      continue;
    }
    const std::string_view tag = take_rank_tag(line);
    for (std::size_t i = 0; i < scan.tags.size(); ++i) {
      if (scan.tags[i] == tag) {
        take_line(line, stable, rank_of_tag[i]);
        break;
      }
    }
  }
}

void ModuleCollector::open(const LineRecord& header, std::uint32_t rank) {
  for (std::size_t i = 0; i < open_.size(); ++i) {
    if (open_[i].rank == rank) {
      close(i, true);
      break;
    }
  }
  ModuleDump module;
  module.stage = header.stage;
  module.file = file_;
  module.rank = rank;
  module.line = first_line_ + header.line;
  module.body_line = module.line + 1;
  open_.push_back({rank, static_cast<std::uint32_t>(log_.modules.size()), kNotSeen});
  log_.modules.push_back(std::move(module));
}

bool ModuleCollector::take_line(std::string_view line, bool stable, std::uint32_t rank) {
  for (std::size_t i = 0; i < open_.size(); ++i) {
    if (open_[i].rank != rank) continue;
    if (line.find("END OF MLIR MODULE") != std::string_view::npos || has_logger_prefix(line)) {
      close(i, true);
      return true;
    }
    std::string_view body = without_line_stamp(without_trailing_color(line));
    const std::size_t blanks = std::min(body.find_first_not_of(" \t"), body.size());
    if (open_[i].indent == kNotSeen && blanks < body.size()) open_[i].indent = blanks;
    body.remove_prefix(std::min(blanks, open_[i].indent));
    log_.modules[open_[i].module].lines.push_back(stable ? body : log_.arena.copy(body));
    return true;
  }
  return false;
}

void ModuleCollector::close(std::size_t which, bool complete) {
  ModuleDump& module = log_.modules[open_[which].module];
  module.complete = complete;
  const Place place{module.file, module.line};
  if (!complete) log_.problems.add(LogProblem::kModuleCut, place);
  const bool has_functions =
      module.stage == Stage::kVhlo || parse_module(module, tables_);  // vhlo has its own dialect
  if (!has_functions) log_.problems.add(LogProblem::kModuleUnparsed, place);
  if (auto system = find_system_description(module)) log_.systems.push_back(std::move(*system));
  open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(which));
}

void ModuleCollector::end_file() {
  while (!open_.empty()) close(open_.size() - 1, false);
}

}  // namespace ttscope::mem
