#include "mem/read/ttnn_module.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/result.h"
#include "base/text.h"
#include "io/input_files.h"
#include "io/open_input.h"
#include "mem/model/log_lines.h"
#include "mem/model/runtime_log.h"
#include "mem/read/compiled_module.h"
#include "mem/read/log_reader.h"
#include "mem/read/mlir_text.h"
#include "mem/read/module_dumps.h"

namespace ttscope::mem {
namespace {

/// The results of const-eval functions that the modules of one rank have asked for, by what makes them equal.
struct ConstEvalResults {
  std::set<std::string> keys;
  std::uint32_t programs = 0;  ///< that ran
};

/// Where the ops of a module go.
struct ModuleRunTarget {
  RuntimeLog& log;
  LogTables& tables;
  RankLog& rank;
  ConstEvalResults& const_eval;
};

constexpr std::size_t kMaxCallDepth = 32;  // real programs nest three or four deep
/// Functions that call each other twice and more must not run without bound: ops against those of the text.
constexpr std::size_t kMaxRepeats = 64;
constexpr std::size_t kMinOps = 4096;

class ModuleExecution {
 public:
  ModuleExecution(const CompiledModule& module, const ModuleRunTarget& target)
      : module_(module),
        log_(target.log),
        tables_(target.tables),
        rank_(target.rank),
        const_eval_(target.const_eval) {
    std::size_t ops = 0;
    for (const CompiledFunction& function : module.functions) {
      ops += function.ops.size();
      if (function.has_body) functions_.emplace(tables_.name(function.name), &function);
    }
    max_ops_ = rank_.ops.size() + std::max(kMinOps, ops * kMaxRepeats);
  }

  void run() {
    for (const CompiledFunction* function : programs()) {
      ++const_eval_.programs;
      run_function(*function, kNone, kNone);
    }
  }

 private:
  // -- which functions are programs

  /// Those that nothing in the module calls. A text that was cut before its main function has only others.
  std::vector<const CompiledFunction*> programs() const {
    const std::set<std::uint32_t> called = callees();
    std::vector<const CompiledFunction*> programs;
    for (const FunctionUse wanted : {FunctionUse::kProgram, FunctionUse::kCalled, FunctionUse::kConstEval}) {
      for (const CompiledFunction& function : module_.functions) {
        if (function.has_body && function.use == wanted && called.count(tables_.name(function.name)) == 0)
          programs.push_back(&function);
      }
      if (!programs.empty()) break;
    }
    return programs;
  }

  std::set<std::uint32_t> callees() const {
    std::set<std::uint32_t> called;
    for (const CompiledFunction& function : module_.functions) {
      for (const CompiledOp& op : function.ops) {
        const OpText& text = log_.op_texts[op.text];
        if (text.callee != kNone) called.insert(text.callee);
        if (text.role != OpRole::kCall) continue;
        for (const std::string_view key :
             {"allocate_slots_callee = @", "capture_callee = @", "execute_callee = @"}) {
          if (const std::string_view name = symbol_after(text.text, key); !name.empty())
            called.insert(tables_.name(name));
        }
      }
    }
    return called;
  }

  // -- running them

  std::uint32_t op_count() const { return static_cast<std::uint32_t>(rank_.ops.size()); }

  void run_function(const CompiledFunction& function, std::uint32_t parent, std::uint32_t caller_op) {
    if (depth_ >= kMaxCallDepth) {
      log_.problems.add(LogProblem::kProgramsTooDeep, {rank_.file, function.line});
      return;
    }
    const auto instance = static_cast<std::uint32_t>(rank_.programs.size());
    ProgramInstance program;
    program.name = tables_.name(function.name);
    program.parent = parent;
    program.caller_op = caller_op;
    program.first_op = op_count();
    program.start_line = function.line;
    program.end_line = function.end_line;
    program.returned = function.returned;
    rank_.programs.push_back(program);
    rank_.events.push_back({op_count(), instance, true});
    ++depth_;
    for (const CompiledOp& op : function.ops) {
      if (rank_.ops.size() >= max_ops_) break;
      run_op(op, instance);
    }
    --depth_;
    rank_.programs[instance].end_op = op_count();
    rank_.events.push_back({op_count(), instance, false});
  }

  void run_op(const CompiledOp& compiled, std::uint32_t instance) {
    const OpText& text = log_.op_texts[compiled.text];
    ExecutedOp op;
    op.text = compiled.text;
    op.loc = compiled.loc;
    op.line = compiled.line;
    op.instance = instance;
    if (text.role == OpRole::kDeallocate) op.retained = keeps_operand(text);
    const std::uint32_t index = op_count();
    if (text.role == OpRole::kLoadCached) {
      const std::string key = cache_key(text);
      op.cache_miss = const_eval_.keys.insert(key).second;
      op.cache_hit = !op.cache_miss;
      rank_.cache_keys.emplace_back(index, tables_.name(key));
    }
    rank_.ops.push_back(op);
    if (text.role == OpRole::kCall || op.cache_miss) run_callees(text, instance, index);
  }

  /// The runtime's cache knows a result by the text of its function and by the tensors that it was made from:
  /// what depends on no argument is shared among programs, since its cache is one for all of them.
  std::string cache_key(const OpText& text) const {
    const auto found = functions_.find(text.callee);
    std::string key =
        fmt::format("const-eval {:x}", found == functions_.end() ? 0 : body_hash(*found->second));
    const bool is_shared = text.operands.count == 0 && module_.shares_const_eval && found != functions_.end();
    if (is_shared) return key;
    const std::string_view callee = text.callee == kNone ? std::string_view{} : log_.names[text.callee];
    key += fmt::format(" of program {} {}", const_eval_.programs, callee);
    for (const std::uint32_t operand : log_.ids(text.operands)) key += fmt::format(" {}", operand);
    return key;
  }

  /// Names restart in every function, so that equal functions have equal texts.
  std::uint64_t body_hash(const CompiledFunction& function) const {
    std::string ids;
    for (const CompiledOp& op : function.ops) ids += fmt::format("{} ", op.text);
    for (const std::uint32_t name : log_.ids(function.returned)) ids += fmt::format("%{} ", name);
    return hash_text(ids);
  }

  /// An argument of an outermost program belongs to who started it.
  bool keeps_operand(const OpText& text) const {
    if (!module_.retains_arguments || depth_ > 1) return false;
    const auto operands = log_.ids(text.operands);
    return !operands.empty() && log_.names[operands[0]].starts_with("%arg");
  }

  /// The first execution of a trace op allocates the slots, then captures; both stay.
  void run_callees(const OpText& text, std::uint32_t instance, std::uint32_t caller_op) {
    if (text.callee != kNone) return run_named(text.callee, instance, caller_op);
    for (const std::string_view key : {"allocate_slots_callee = @", "capture_callee = @"}) {
      const std::string_view name = symbol_after(text.text, key);
      if (!name.empty()) run_named(tables_.name(name), instance, caller_op);
    }
  }

  void run_named(std::uint32_t name, std::uint32_t instance, std::uint32_t caller_op) {
    const auto found = functions_.find(name);
    if (found != functions_.end() && rank_.ops.size() < max_ops_)
      run_function(*found->second, instance, caller_op);
  }

  const CompiledModule& module_;
  RuntimeLog& log_;
  LogTables& tables_;
  RankLog& rank_;
  ConstEvalResults& const_eval_;
  std::unordered_map<std::uint32_t, const CompiledFunction*> functions_;  ///< by name
  std::size_t depth_ = 0;
  std::size_t max_ops_ = 0;
};

/// Appends to a rank what the runtime would print of running every program of a module once, after those that
/// the rank has run already: const-eval functions run where load_cached asks for them, a trace is captured,
/// calls are followed. Nothing of it ran; sizes and lifetimes are what the module says.
void append_module_run(const CompiledModule& module, const ModuleRunTarget& target) {
  ModuleExecution(module, target).run();
}

std::uint64_t lines_of(std::string_view text) {
  const auto breaks = static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n'));
  return breaks + (text.empty() || text.back() == '\n' ? 0 : 1);
}

class ModuleLogMaker {
 public:
  ModuleLogMaker(RuntimeLog& log, LogSource source) : log_(log), tables_(log) { log.source = source; }

  void add_file(const std::string& path, std::string_view text) {
    const auto file = static_cast<std::uint32_t>(log_.files.size());
    log_.files.push_back(path);
    log_.file_lines.push_back(lines_of(text));
    log_.input_bytes += text.size();
    RankLog rank;
    ConstEvalResults const_eval;
    rank.file = file;
    rank.number = static_cast<int>(log_.ranks.size());
    for (ModuleSection& section : find_modules(text)) {
      ModuleDump dump;
      dump.file = file;
      dump.rank = static_cast<std::uint32_t>(log_.ranks.size());
      dump.line = dump.body_line = section.first_line;
      dump.lines = std::move(section.lines);
      parse_module(dump, tables_);  // the generic form is read with its functions
      run(dump, rank, const_eval);
      shorten(dump);
      log_.modules.push_back(std::move(dump));
    }
    if (!rank.programs.empty()) log_.ranks.push_back(std::move(rank));
  }

  /// Outputs show the text of a module: its large constants are left out there as well.
  void shorten(ModuleDump& dump) {
    constexpr std::size_t kLongLine = std::size_t{1} << 14;
    std::string kept;
    for (std::string_view& line : dump.lines) {
      if (line.size() < kLongLine) continue;
      const std::string_view shorter = without_constants(line, kept);
      if (shorter.size() < line.size()) line = log_.arena.copy(shorter);
    }
  }

  /// A module adds to what the rank has run.
  void run(ModuleDump& dump, RankLog& rank, ConstEvalResults& const_eval) {
    const CompiledModule module = read_compiled_module(dump, log_, tables_);
    dump.complete = dump.complete && !module.is_cut;
    if (log_.systems.empty()) {
      if (auto system = find_system_description(dump)) log_.systems.push_back(std::move(*system));
    }
    if (dump.functions.empty()) log_.problems.add(LogProblem::kModuleUnparsed, {dump.file, dump.line});
    append_module_run(module, {log_, tables_, rank, const_eval});
  }

 private:
  RuntimeLog& log_;
  LogTables tables_;
};

/// The modules to run, in order: of every compilation the one that TTNN ops are in. The stage behind it has
/// the same device functions and the host's in another dialect.
std::vector<std::uint32_t> modules_to_run(const RuntimeLog& log) {
  std::vector<std::uint32_t> chosen;
  std::map<std::pair<std::uint32_t, std::uint32_t>, bool>
      has_ttnn;  // (file, rank): its last stages are TTNN's
  for (std::uint32_t m = 0; m < log.modules.size(); ++m) {
    const ModuleDump& dump = log.modules[m];
    bool& ttnn_before = has_ttnn[{dump.file, dump.rank}];
    if (dump.stage == Stage::kTtnn || (dump.stage == Stage::kTtnnRuntime && !ttnn_before))
      chosen.push_back(m);
    ttnn_before = dump.stage == Stage::kTtnn;
  }
  return chosen;
}

/// Modules of lines that are no rank's are a rank of their file.
void place_in_ranks(RuntimeLog& log) {
  std::map<std::uint32_t, std::uint32_t> rank_of_file;
  for (ModuleDump& dump : log.modules) {
    if (dump.rank != kNone) continue;
    const auto next = static_cast<std::uint32_t>(log.ranks.size());
    const auto [found, is_new] = rank_of_file.emplace(dump.file, next);
    if (is_new) {
      RankLog& rank = log.ranks.emplace_back();
      rank.file = dump.file;
      rank.number = static_cast<int>(next);
    }
    dump.rank = found->second;
  }
}

bool needs_modules(const RuntimeLog& log) {
  return std::any_of(log.ranks.begin(), log.ranks.end(), [](const RankLog& rank) {
    const auto has_text = [](const ExecutedOp& op) { return op.text != kNone; };
    return !rank.failures.empty() && std::none_of(rank.ops.begin(), rank.ops.end(), has_text);
  });
}

}  // namespace

RuntimeLog read_ttnn_module_text(const std::string& path, std::string_view text) {
  RuntimeLog log;
  ModuleLogMaker(log, LogSource::kModule).add_file(path, text);
  return log;
}

Result<RuntimeLog> read_ttnn_modules(const std::vector<std::string>& paths) {
  RuntimeLog log;
  ModuleLogMaker maker(log, LogSource::kModule);
  for (const std::string& path : paths) {
    ASSIGN_OR_RETURN(io::WholeText text, io::open_whole_text(path));
    if (has_runtime_lines(text.bytes())) return failure({ErrorCode::kOtherKind, path + ": the log of a run"});
    maker.add_file(path, text.bytes());
    if (!text.warning.empty()) log.warnings.push_back(text.warning);
    log.backing.push_back(text.file);
  }
  return log;
}

bool run_printed_modules(RuntimeLog& log) {
  const std::vector<std::uint32_t> chosen = modules_to_run(log);
  if (chosen.empty()) return false;
  place_in_ranks(log);
  for (RankLog& rank : log.ranks) {  // lines of programs without a line of an op say nothing
    rank.programs.clear();
    rank.events.clear();
  }
  ModuleLogMaker maker(log, LogSource::kPrintedModules);
  std::vector<ConstEvalResults> const_eval(log.ranks.size());
  for (const std::uint32_t m : chosen) {
    const std::uint32_t rank = log.modules[m].rank;
    maker.run(log.modules[m], log.ranks[rank], const_eval[rank]);
  }
  return std::any_of(log.ranks.begin(), log.ranks.end(),
                     [](const RankLog& rank) { return !rank.ops.empty(); });
}

void index_printed_modules(RuntimeLog& log) {
  if (!needs_modules(log)) return;
  LogTables tables(log);
  for (const std::uint32_t m : modules_to_run(log)) {
    ModuleDump& dump = log.modules[m];
    dump.ops.clear();  // it may have been asked for before
    for (const CompiledFunction& function : read_compiled_module(dump, log, tables).functions) {
      const bool in_const_eval = function.use == FunctionUse::kConstEval;
      const std::uint32_t name = tables.name(function.name);
      for (const CompiledOp& op : function.ops)
        dump.ops.push_back({op.text, op.loc, op.line, name, in_const_eval});
    }
  }
}

namespace {

constexpr int kLinesLookedAt = 200;  // comments of a file's head, then something of MLIR

bool has_text(std::string_view text, std::string_view wanted) {
  return !text.empty() && ::memmem(text.data(), text.size(), wanted.data(), wanted.size()) != nullptr;
}

/// `#loc3 = `, `module @x`, `func.func @main(`, ...: the first line that is neither blank nor a comment.
bool begins_as_mlir(std::string_view line) {
  constexpr std::array<std::string_view, 6> kWords = {"module ",   "builtin.module", "\"builtin.module\"",
                                                      "func.func", "\"func.func\"",  "ttcore."};
  for (const std::string_view word : kWords) {
    if (line.starts_with(word)) return true;
  }
  return !alias_name(line).empty();
}

bool looks_like_mlir(std::string_view text) {
  for (int i = 0; i < kLinesLookedAt && !text.empty(); ++i) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == kNoPlace ? text.size() : end + 1);
    take_rank_tag(line);
    line = trimmed(line);
    if (line.empty() || line.starts_with("//")) continue;
    return begins_as_mlir(line);
  }
  return false;
}

bool uses_ttnn(std::string_view text) {
  return has_text(text, "\"ttnn.") || has_text(text, "#ttnn.") || has_text(text, "!ttnn.") ||
         has_text(text, "#tt.layout<");
}

}  // namespace

bool is_ttnn_module(const io::Beginning& beginning) {
  if (beginning.path_kind == io::PathKind::kFolder || beginning.is_binary()) return false;
  const std::string_view text = beginning.text();
  return looks_like_mlir(text) && uses_ttnn(text) && !has_runtime_lines(text);
}

bool has_ttnn_module(std::string_view text) {
  return has_text(text, "func.func") && has_text(text, "\"ttnn.");
}

namespace {

constexpr std::string_view kPassDump = "// -----// IR Dump ";
constexpr std::string_view kSplit = "// -----";

bool finds(std::string_view text, std::string_view wanted) {
  return !text.empty() && ::memmem(text.data(), text.size(), wanted.data(), wanted.size()) != nullptr;
}

bool opens_module(std::string_view line) {
  for (const std::string_view word : {"module", "builtin.module", "\"builtin.module\"("}) {
    if (!line.starts_with(word)) continue;
    if (word.back() == '(') return true;
    const std::string_view rest = line.substr(word.size());
    if (rest.starts_with(" {") || rest.starts_with(" @") || rest.starts_with(" attributes")) return true;
  }
  return false;
}

bool opens_function(std::string_view line) {
  return line.starts_with("func.func ") || line.starts_with("\"func.func\"");
}

/// Begins with a character that begins lines inside a module, but none of a logger.
bool is_inside(std::string_view line) {
  constexpr std::string_view kInside = " }%\"^\t";
  return line.empty() || (kInside.find(line[0]) != kNoPlace && !opens_module(line) && !opens_function(line));
}

class SectionFinder {
 public:
  explicit SectionFinder(std::string_view text) : text_(text) {}

  std::vector<ModuleSection> find() {
    const char* at = text_.data();
    const char* const end = at + text_.size();
    for (std::uint32_t number = 1; at < end; ++number) {
      const auto* newline =
          static_cast<const char*>(std::memchr(at, '\n', static_cast<std::size_t>(end - at)));
      const char* const line_end = newline == nullptr ? end : newline;
      std::string_view line(at, static_cast<std::size_t>(line_end - at));
      if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
      take(line, number);
      at = newline == nullptr ? end : newline + 1;
    }
    close();
    return std::move(found_);
  }

 private:
  void take(std::string_view line, std::uint32_t number) {
    if (is_open_ && is_inside(line)) return take_inner(line);
    const std::string_view tag = take_rank_tag(line);
    if (is_open_ && tag != tag_) {  // of another process
      section_.lines.emplace_back();
      return;
    }
    if (is_open_ && is_inside(line)) return take_inner(without_trailing_color(line));
    take_outer(without_trailing_color(line), tag, number);
  }

  void take_inner(std::string_view line) {
    is_closed_module_ |= line.starts_with('}');
    section_.lines.push_back(line);
  }

  /// A line that may begin or end a module.
  void take_outer(std::string_view line, std::string_view tag, std::uint32_t number) {
    if (line.starts_with(kSplit)) return begin_part(line);
    const std::string_view alias = alias_name(line);
    const bool begins = opens_module(line) || opens_function(line) || !alias.empty();
    if (!is_open_) {
      if (begins) open(tag, number);
    } else if (ends_before(line, alias, begins)) {
      close();
      if (begins) open(tag, number);
    }
    if (!is_open_) return;
    section_.is_module |= opens_module(line);
    has_code_ |= opens_module(line) || opens_function(line);
    if (!alias.empty()) aliases_.insert(alias);
    section_.lines.push_back(line);
  }

  /// Behind a module its locations may follow; anything else is the next one, or no module.
  bool ends_before(std::string_view line, std::string_view alias, bool begins) const {
    if (opens_module(line)) return section_.is_module;
    if (begins) {
      const bool is_location = alias.starts_with("#loc") && aliases_.count(alias) == 0;
      return is_closed_module_ && section_.is_module && !is_location;
    }
    if (line.empty() || line.starts_with("//") || line.starts_with("{-#") || line.starts_with("#-}"))
      return false;
    return is_closed_module_ || has_logger_prefix(line) || finds(line, "END OF MLIR MODULE");
  }

  /// `// -----` parts files; `// -----// IR Dump After TTNNDeallocate //----- //` begins the text after a
  /// pass.
  void begin_part(std::string_view line) {
    close();
    is_pass_dump_ = line.starts_with(kPassDump);
    if (!is_pass_dump_) continues_program_ = false;
  }

  void open(std::string_view tag, std::uint32_t number) {
    section_ = {};
    section_.first_line = number;
    section_.is_pass_dump = is_pass_dump_;
    tag_ = tag;
    is_open_ = true;
    is_closed_module_ = false;
    has_code_ = false;
    aliases_.clear();
  }

  void close() {
    if (!is_open_) return;
    is_open_ = false;
    if (!has_code_ && is_after_last()) {  // its aliases, printed at the end
      found_.back().lines.insert(found_.back().lines.end(), section_.lines.begin(), section_.lines.end());
      return;
    }
    if (!is_ttnn()) {
      continues_program_ = false;
      return;
    }
    // Passes over single functions print no more than these.
    const bool replaces = continues_program_ && section_.is_pass_dump && found_.back().is_pass_dump;
    if (!replaces) {
      found_.push_back(std::move(section_));
    } else if (section_.is_module || !found_.back().is_module) {
      found_.back() = std::move(section_);
    }
    continues_program_ = true;
  }

  bool is_after_last() const {
    return !found_.empty() && found_.back().first_line + found_.back().lines.size() == section_.first_line;
  }

  bool is_ttnn() const {
    for (const std::string_view line : section_.lines) {
      if (finds(line.substr(0, 256), "\"ttnn.") || finds(line.substr(0, 256), "ttcore.load_cached"))
        return true;
    }
    return false;
  }

  std::string_view text_;
  std::vector<ModuleSection> found_;
  ModuleSection section_;
  std::string_view tag_;
  std::unordered_set<std::string_view> aliases_;  ///< of the open section
  bool is_open_ = false;
  bool is_closed_module_ = false;   ///< a bracket at the first column closed what was open
  bool has_code_ = false;           ///< the open section has more than aliases
  bool is_pass_dump_ = false;       ///< of the part that comes
  bool continues_program_ = false;  ///< no other stage since the last section found
};

}  // namespace

std::vector<ModuleSection> find_modules(std::string_view text) { return SectionFinder(text).find(); }

}  // namespace ttscope::mem
