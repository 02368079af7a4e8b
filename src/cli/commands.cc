#include "cli/commands.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/arg_parser.h"
#include "cli/cmd_agents.h"
#include "cli/cmd_analyze_memory.h"
#include "cli/cmd_completion.h"
#include "cli/cmd_delete.h"
#include "cli/cmd_demo.h"
#include "cli/cmd_diff.h"
#include "cli/cmd_doctor.h"
#include "cli/cmd_export.h"
#include "cli/cmd_fit.h"
#include "cli/cmd_gate.h"
#include "cli/cmd_graph.h"
#include "cli/cmd_help.h"
#include "cli/cmd_last_run.h"
#include "cli/cmd_list.h"
#include "cli/cmd_mem.h"
#include "cli/cmd_oom.h"
#include "cli/cmd_perf.h"
#include "cli/cmd_phases.h"
#include "cli/cmd_run.h"
#include "cli/cmd_serve.h"
#include "cli/cmd_sql.h"
#include "cli/cmd_tail.h"
#include "cli/cmd_timeline.h"
#include "cli/cmd_trace.h"
#include "cli/cmd_ttmem.h"
#include "cli/help_text.h"
#include "cli/profiler_modes.h"
#include "cli/terminal.h"

namespace ttscope::cli {

const std::vector<Command>& all_commands() {
  static const std::vector<Command> kCommands = {
      {"mem", mem_spec, run_mem},          {"oom", oom_spec, run_oom},
      {"fit", fit_spec, run_fit},          {"phases", phases_spec, run_phases},
      {"perf", perf_spec, run_perf},       {"timeline", timeline_spec, run_timeline},
      {"graph", graph_spec, run_graph},    {"diff", diff_spec, run_diff},
      {"gate", gate_spec, run_gate},       {"sql", sql_spec, run_sql},
      {"export", export_spec, run_export}, {"run", run_spec, run_run},
      {"trace", trace_spec, run_trace},    {"tail", tail_spec, run_tail},
      {"doctor", doctor_spec, run_doctor}, {"last-run", last_run_spec, run_last_run},
      {"serve", serve_spec, run_serve},    {"demo", demo_spec, run_demo},
      {"agents", agents_spec, run_agents}, {"completion", completion_spec, run_completion},
      {"help", help_spec, run_help},
  };
  return kCommands;
}

const std::vector<Command>& other_programs() {
  static const std::vector<Command> kPrograms = {
      {"ttmem", ttmem_spec, run_ttmem},
      {"tt-memory-profiler", profiler_spec, run_profiler},
      {"analyze_memory", analyze_memory_spec, nullptr, run_analyze_memory},
  };
  return kPrograms;
}

const std::vector<Command>& ttmem_commands() {
  static const std::vector<Command> kCommands = {
      {"list", list_spec, run_list},
      {"serve", ttmem_serve_spec, run_ttmem_serve},
      {"delete", delete_spec, run_delete},
      {"prune", prune_spec, run_prune},
  };
  return kCommands;
}

const Command* find_command(std::string_view name) {
  const auto& commands = all_commands();
  const auto found = std::find_if(commands.begin(), commands.end(),
                                  [&](const Command& command) { return command.name == name; });
  return found == commands.end() ? nullptr : &*found;
}

int run_command(const Command& command, const std::vector<std::string>& args) {
  if (command.run_unparsed != nullptr) return command.run_unparsed(args);
  const CommandSpec spec = command.spec();
  const auto parsed = parse_args(spec, args);
  if (!parsed) {
    complain(parsed.error());
    say(fmt::format("{}Try `{} --help`.\n", usage_line(spec), spec.program));
    return kUsage;
  }
  if (parsed->help_wanted) return answer(help_text(spec));
  return command.run(*parsed);
}

}  // namespace ttscope::cli
