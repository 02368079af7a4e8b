#include "mem/read/ttnn_module/module_reader.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <utility>

#include "io/whole_text.h"
#include "mem/read/runtime_log/module_parser.h"
#include "mem/read/runtime_log/sniff.h"
#include "mem/read/ttnn_module/compiled_module.h"
#include "mem/read/ttnn_module/module_run.h"
#include "mem/read/ttnn_module/module_sections.h"
#include "mem/read/ttnn_module/op_statement.h"

namespace ttscope::mem {
namespace {

std::uint64_t lines_of(std::string_view text) {
  const auto breaks = static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n'));
  return breaks + (text.empty() || text.back() == '\n' ? 0 : 1);
}

class TraceMaker {
 public:
  TraceMaker(RuntimeTrace& trace, TraceSource source) : trace_(trace), tables_(trace) {
    trace.source = source;
  }

  void add_file(const std::string& path, std::string_view text) {
    const auto file = static_cast<std::uint32_t>(trace_.files.size());
    trace_.files.push_back(path);
    trace_.file_lines.push_back(lines_of(text));
    trace_.input_bytes += text.size();
    RankTrace rank;
    ConstEvalResults const_eval;
    rank.file = file;
    rank.number = static_cast<int>(trace_.ranks.size());
    for (ModuleSection& section : find_modules(text)) {
      ModuleDump dump;
      dump.file = file;
      dump.rank = static_cast<std::uint32_t>(trace_.ranks.size());
      dump.line = dump.body_line = section.first_line;
      dump.lines = std::move(section.lines);
      parse_module(dump, tables_);  // the generic form is read with its functions
      run(dump, rank, const_eval);
      shorten(dump);
      trace_.modules.push_back(std::move(dump));
    }
    if (!rank.programs.empty()) trace_.ranks.push_back(std::move(rank));
  }

  /// Outputs show the text of a module: its large constants are left out there as well.
  void shorten(ModuleDump& dump) {
    constexpr std::size_t kLongLine = std::size_t{1} << 14;
    std::string kept;
    for (std::string_view& line : dump.lines) {
      if (line.size() < kLongLine) continue;
      const std::string_view shorter = without_constants(line, kept);
      if (shorter.size() < line.size()) line = trace_.arena.copy(shorter);
    }
  }

  /// A module adds to what the rank has run.
  void run(ModuleDump& dump, RankTrace& rank, ConstEvalResults& const_eval) {
    const CompiledModule module = read_compiled_module(dump, trace_, tables_);
    dump.complete = dump.complete && !module.is_cut;
    if (trace_.systems.empty()) {
      if (auto system = find_system_description(dump)) trace_.systems.push_back(std::move(*system));
    }
    if (dump.functions.empty()) trace_.problems.add(LogProblem::kModuleUnparsed, {dump.file, dump.line});
    append_module_run(module, {trace_, tables_, rank, const_eval});
  }

 private:
  RuntimeTrace& trace_;
  TraceTables tables_;
};

/// The modules to run, in order: of every compilation the one that TTNN ops are in. The stage behind it has
/// the same device functions and the host's in another dialect.
std::vector<std::uint32_t> modules_to_run(const RuntimeTrace& trace) {
  std::vector<std::uint32_t> chosen;
  std::map<std::pair<std::uint32_t, std::uint32_t>, bool>
      has_ttnn;  // (file, rank): its last stages are TTNN's
  for (std::uint32_t m = 0; m < trace.modules.size(); ++m) {
    const ModuleDump& dump = trace.modules[m];
    bool& ttnn_before = has_ttnn[{dump.file, dump.rank}];
    if (dump.stage == Stage::kTtnn || (dump.stage == Stage::kTtnnRuntime && !ttnn_before))
      chosen.push_back(m);
    ttnn_before = dump.stage == Stage::kTtnn;
  }
  return chosen;
}

/// Modules of lines that are no rank's are a rank of their file.
void place_in_ranks(RuntimeTrace& trace) {
  std::map<std::uint32_t, std::uint32_t> rank_of_file;
  for (ModuleDump& dump : trace.modules) {
    if (dump.rank != kNone) continue;
    const auto next = static_cast<std::uint32_t>(trace.ranks.size());
    const auto [found, is_new] = rank_of_file.emplace(dump.file, next);
    if (is_new) {
      RankTrace& rank = trace.ranks.emplace_back();
      rank.file = dump.file;
      rank.number = static_cast<int>(next);
    }
    dump.rank = found->second;
  }
}

bool needs_modules(const RuntimeTrace& trace) {
  return std::any_of(trace.ranks.begin(), trace.ranks.end(), [](const RankTrace& rank) {
    const auto has_text = [](const ExecutedOp& op) { return op.text != kNone; };
    return !rank.failures.empty() && std::none_of(rank.ops.begin(), rank.ops.end(), has_text);
  });
}

}  // namespace

RuntimeTrace read_ttnn_module_text(const std::string& path, std::string_view text) {
  RuntimeTrace trace;
  TraceMaker(trace, TraceSource::kModule).add_file(path, text);
  return trace;
}

Result<RuntimeTrace> read_ttnn_modules(const std::vector<std::string>& paths) {
  RuntimeTrace trace;
  TraceMaker maker(trace, TraceSource::kModule);
  for (const std::string& path : paths) {
    Result<io::WholeText> text = io::open_whole_text(path);
    if (!text) return failure(text.error());
    if (has_runtime_lines(text->bytes()))
      return failure({ErrorCode::kOtherKind, path + ": the log of a run"});
    maker.add_file(path, text->bytes());
    if (!text->warning.empty()) trace.warnings.push_back(text->warning);
    trace.backing.push_back(text->file);
  }
  return trace;
}

bool run_printed_modules(RuntimeTrace& trace) {
  const std::vector<std::uint32_t> chosen = modules_to_run(trace);
  if (chosen.empty()) return false;
  place_in_ranks(trace);
  for (RankTrace& rank : trace.ranks) {  // lines of programs without a line of an op say nothing
    rank.programs.clear();
    rank.events.clear();
  }
  TraceMaker maker(trace, TraceSource::kPrintedModules);
  std::vector<ConstEvalResults> const_eval(trace.ranks.size());
  for (const std::uint32_t m : chosen) {
    const std::uint32_t rank = trace.modules[m].rank;
    maker.run(trace.modules[m], trace.ranks[rank], const_eval[rank]);
  }
  return std::any_of(trace.ranks.begin(), trace.ranks.end(),
                     [](const RankTrace& rank) { return !rank.ops.empty(); });
}

void index_printed_modules(RuntimeTrace& trace) {
  if (!needs_modules(trace)) return;
  TraceTables tables(trace);
  for (const std::uint32_t m : modules_to_run(trace)) {
    ModuleDump& dump = trace.modules[m];
    dump.ops.clear();  // it may have been asked for before
    for (const CompiledFunction& function : read_compiled_module(dump, trace, tables).functions) {
      const bool in_const_eval = function.use == FunctionUse::kConstEval;
      const std::uint32_t name = tables.name(function.name);
      for (const CompiledOp& op : function.ops)
        dump.ops.push_back({op.text, op.loc, op.line, name, in_const_eval});
    }
  }
}

}  // namespace ttscope::mem
