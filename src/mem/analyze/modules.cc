#include "mem/analyze/modules.h"

#include <algorithm>

#include "base/text.h"
#include "mem/analyze/failures.h"
#include "mem/model/runtime_log.h"

namespace ttscope::mem {
namespace {

constexpr std::string_view kDeviceOperation = "DeviceOperation";

/// tt-metal's `Conv3dDeviceOperation` is what `Conv3dOp` runs.
std::string op_type_of(std::string_view name) {
  if (!name.ends_with(kDeviceOperation)) return std::string(name);
  return std::string(name.substr(0, name.size() - kDeviceOperation.size())) + "Op";
}

bool has_failed_size(const RuntimeLog& log, const OpText& op, const OutOfMemory& failure) {
  for (const IdRange types : {op.result_types, op.input_types}) {
    for (const std::uint32_t type : log.ids(types)) {
      if (log.types[type].on_device() && matches_failed_size(log.types[type], failure)) return true;
    }
  }
  return false;
}

std::string location_of(const RuntimeLog& log, const ModuleOp& op) {
  return op.loc == kNone ? std::string() : display_loc(log.locs[op.loc]);
}

std::string_view name_of_op(const RuntimeLog& log, const ModuleOp& op) {
  const std::uint32_t name = log.op_texts[op.text].name;
  return name == kNone ? std::string_view() : std::string_view(log.names[name]);
}

/// What is known of an op that has no line.
struct OpTraits {
  std::string type;                ///< `Conv3dOp`
  std::uint32_t function = kNone;  ///< its program, where lines tell it; in RuntimeLog::names
  bool in_const_eval = false;      ///< otherwise
};

/// By the header of the memory block before it.
OpTraits op_traits_of_block(const RuntimeLog& log, const RankLog& rank, const ExecutedOp& op) {
  OpTraits traits;
  if (op.op_type != kNone) traits.type = log.names[op.op_type];
  if (op.instance < rank.programs.size()) traits.function = rank.programs[op.instance].name;
  return traits;
}

OpTraits op_traits_of_frames(const Backtrace& frames) {
  const std::string type = op_type_of(frames.op);
  return {type, kNone, frames.const_eval_line != 0 && type != "LoadCachedOp"};
}

/// Ops of the modules that have the traits. Where some of them make a tensor of the size that was asked for,
/// only these.
std::vector<const ModuleOp*> ops_with(const RuntimeLog& log, std::uint32_t rank, const OutOfMemory& failure,
                                      const OpTraits& traits) {
  std::vector<const ModuleOp*> found;
  std::vector<const ModuleOp*> of_size;
  for (const ModuleDump* module : modules_before(log, rank, failure.line)) {
    for (const ModuleOp& op : module->ops) {
      const bool is_there = traits.function == kNone ? op.in_const_eval == traits.in_const_eval
                                                     : op.function == traits.function;
      if (!is_there || fit_of(name_of_op(log, op), traits.type) != TypeFit::kYes) continue;
      found.push_back(&op);
      if (failure.kind == FailureKind::kAllocation && has_failed_size(log, log.op_texts[op.text], failure))
        of_size.push_back(&op);
    }
  }
  return of_size.empty() ? found : of_size;
}

}  // namespace

std::vector<const ModuleDump*> modules_before(const RuntimeLog& log, std::uint32_t rank, std::uint32_t line) {
  std::vector<const ModuleDump*> modules;
  for (std::size_t i = log.modules.size(); i-- > 0;) {
    const ModuleDump& module = log.modules[i];
    const bool is_of_rank = module.rank == rank || module.rank == kNone;
    if (module.file == log.ranks[rank].file && is_of_rank && module.line < line) modules.push_back(&module);
  }
  return modules;
}

FailingOp find_failing_op(const RuntimeLog& log, std::uint32_t rank, const OutOfMemory& failure) {
  FailingOp failing_op;
  const RankLog& ops = log.ranks[rank];
  if (failure.last_op < ops.ops.size()) {
    const ExecutedOp& running = ops.ops[failure.last_op];
    if (running.text == kNone)
      failing_op.ops = ops_with(log, rank, failure, op_traits_of_block(log, ops, running));
    return failing_op;
  }
  if (failure.backtrace.op.empty()) return failing_op;
  failing_op.name = failure.backtrace.op;
  failing_op.line = failure.backtrace.op_line;
  failing_op.ops = ops_with(log, rank, failure, op_traits_of_frames(failure.backtrace));
  if (failing_op.ops.empty()) return failing_op;
  const auto same_name = [&](const ModuleOp* op) {
    return name_of_op(log, *op) == name_of_op(log, *failing_op.ops.front());
  };
  if (std::all_of(failing_op.ops.begin(), failing_op.ops.end(), same_name))
    failing_op.name = name_of_op(log, *failing_op.ops[0]);
  if (failing_op.ops.size() > 1) return failing_op;
  const ModuleOp& only = *failing_op.ops.front();
  failing_op.loc = location_of(log, only);
  failing_op.program =
      only.function == kNone ? std::string_view() : std::string_view(log.names[only.function]);
  failing_op.line = only.line;
  return failing_op;
}

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
  bool is_after_op = false;
  for (std::size_t i = 0; i < module.lines.size(); ++i) {
    const std::string_view statement = trimmed(module.lines[i]);
    if (statement.find("func.func") != kNoPlace) {
      if (inside) return;
      inside = begins_function(statement, function);
      continue;
    }
    if (!inside) continue;
    // What the op itself takes is in use until it ends.
    if (makes(statement, result)) is_after_op = true;
    if (is_after_op) note(statement, module.body_line + static_cast<std::uint32_t>(i));
  }
}

void ModuleUses::note(std::string_view statement, std::uint32_t line) {
  const bool frees = statement.starts_with("\"ttnn.deallocate\"");
  for (std::size_t at = statement.find('%'); at != kNoPlace; at = statement.find('%', at + 1)) {
    ValueUse& rest = values_[name_at(statement, at)];
    if (!frees) rest.is_used = true;
    if (frees && rest.freed_line == 0) rest.freed_line = line;
  }
}

std::uint32_t ModuleUses::freed_at(std::string_view value) const {
  const auto found = values_.find(value);
  return found == values_.end() || found->second.is_used ? 0 : found->second.freed_line;
}

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
