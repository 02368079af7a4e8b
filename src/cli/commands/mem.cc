#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include "app/formats.h"
#include "app/report_library.h"
#include "base/chips.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/inputs.h"
#include "cli/mem_profiles.h"
#include "cli/option_values.h"
#include "cli/outputs.h"
#include "cli/terminal.h"
#include "mem/analyze/logs.h"
#include "mem/analyze/verdict.h"
#include "mem/load.h"
#include "mem/write/failure_text.h"
#include "mem/write/json.h"
#include "mem/write/markdown.h"
#include "mem/write/page.h"
#include "mem/write/terminal.h"
#include "mem/write/ttmem_files.h"
#include "mem/write/verdict_text.h"

namespace ttscope::cli {
namespace {

constexpr std::string_view kMemExamples =
    "Examples:\n"
    "  ttscope mem run.log                        verdict, peaks, growth, live set\n"
    "  ttscope mem run.log --html run.html        the interactive page\n"
    "  ttscope mem run.log --llm - | less         the markdown report\n"
    "  ttscope mem run.log -q --max-dram 90%      exit code 3 when a bank is fuller\n"
    "  python model.py 2>&1 | ttscope mem -       straight from a run\n"
    "  ttscope mem ttnn.mlir --device p150        a compiled module, modelled\n"
    "\n"
    "Exit codes: 0 ok, 1 bad input or failed output, 2 wrong usage,\n"
    "3 limit exceeded, 4 nothing found\n";

/// A bound on a peak, and how it was given.
struct AskedLimit {
  std::string text;  ///< `--max-dram 90%`
  mem::PeakLimit limit;
};

/// What the options ask for.
struct MemOptions {
  std::vector<std::string> logs;
  mem::LoadOptions reading;
  Outputs outputs;
  std::string folder;
  std::optional<std::string> name;
  std::vector<AskedLimit> limits;
  std::string moment;  ///< as typed; empty: none
  std::optional<int> top;
  int threads = 0;
  bool verbose = false;
};

OptionSpec limit_option(std::string_view names, mem::Memory memory, MemOptions& options,
                        std::string_view help) {
  return value_option(
      names, "LIMIT",
      [&options, memory](std::string_view key, const std::string& value) -> std::string {
        const std::optional<LimitValue> limit = parse_limit(value);
        if (!limit) return wrong_value(key, value, "a share (90%) or bytes per bank (943718400, 900MB)");
        options.limits.push_back({fmt::format("{} {}", key, value), {memory, limit->fraction, limit->bytes}});
        return {};
      },
      help);
}

/// `276`: the first op at or behind that line; `op:22`: an op of the main rank by its index.
std::string take_moment(const std::string& text, MemOptions& options) {
  constexpr std::string_view kOp = "op:";
  const bool is_op = text.starts_with(kOp);
  std::uint32_t number = 0;
  const char* const begin = text.data() + (is_op ? kOp.size() : 0);
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(begin, end, number);
  if (error != std::errc() || stop != end || number == kNone || (!is_op && number == 0))
    return wrong_value("--at", text, "the number of a line, from 1, or op:N, from op:0");
  options.moment = text;
  (is_op ? options.reading.live_at_op : options.reading.live_at_line) = number;
  return {};
}

CommandSpec describe_mem(MemOptions& options) {
  Outputs& outputs = options.outputs;
  CommandSpec spec;
  spec.program = "ttscope mem";
  spec.summary = "memory profile of TT-XLA / tt-mlir runtime logs";
  spec.description =
      "Reads runtime logs and says where the device memory went: peaks and the ops that made them, growth op "
      "by op, "
      "the tensors live at the peak, padding and fragmentation, and how far the figures can be trusted.";
  spec.positional = {"LOG",
                     "log file, plain or packed (.gz, .zst, .xz, .bz2); - for standard input; a compiled "
                     "module (.mlir); or the "
                     "folder of a report",
                     1, kManyArguments};
  spec.arguments = &options.logs;
  spec.options = {
      outputs.json_option(),
      outputs.llm_option(),
      outputs.html_option(),
      outputs.file_option(
          "--out", "DIR", options.folder,
          "write NAME_memory.json, NAME_operations.json, NAME_inputs_registry.json and NAME_ir.json",
          ValueKind::kFolder),
      text_option("--name", "NAME", options.name,
                  "how those files begin and what the report is called (default: from the log's name)"),
      limit_option("--max-dram", mem::Memory::kDram, options,
                   "exit with 3 when the DRAM peak is over 90%, 900MB or so many bytes of a bank"),
      limit_option("--max-l1", mem::Memory::kL1, options, "the same for L1"),
      value_option(
          "--at", "PLACE",
          [&options](std::string_view, const std::string& text) { return take_moment(text, options); },
          "show also what is live before an op: a line of the log, or op:N, its op_index in the JSON"),
      choice_option(
          "--device", "NAME", product_names(),
          [&options](std::string_view, const std::string& name) {
            options.reading.device = find_product(name);
            return std::string();
          },
          "the product, for what the log does not tell: n150, n300, t3000, galaxy, p100, p150, p300, "
          "bh-galaxy"),
      flag_option("-v,--verbose", options.verbose,
                  "all sections: programs, waste, what the figures include, the tensors behind each advice"),
      number_option("--top", "N", 0, options.top,
                    "rows of each list in the summary (default 3, 5 with --verbose)"),
      number_option("--threads", "N", 1, options.threads,
                    "threads that read (default: as many as there are)"),
      outputs.color_option(),
      outputs.quiet_option(),
  };
  spec.examples = kMemExamples;
  return spec;
}

/// What the files of a run do not tell is not made up: these options need its log.
bool is_for_recorded_run(const MemOptions& options) {
  const std::pair<std::string_view, const std::string&> given[] = {{"--json", options.outputs.json},
                                                                   {"--llm", options.outputs.llm},
                                                                   {"--out", options.folder},
                                                                   {"--at", options.moment}};
  for (const auto& [key, value] : given) {
    if (value.empty()) continue;
    complain(
        fmt::format("{} needs the log of the run; `ttscope sql` and `ttscope export` read its files", key));
    return false;
  }
  return true;
}

Result<void> write_outputs(const mem::Profile& profile, MemOptions& options) {
  const std::string& name = *options.name;
  Result<void> written = options.outputs.write({
      {options.outputs.json,
       [&](Writer& out) {
         mem::write_mem_json(profile.log, profile.memory, out, {.tool_version = version_text()});
       }},
      {options.outputs.llm,
       [&](Writer& out) { mem::write_mem_markdown(profile.log, profile.memory, name, out); }},
      {options.outputs.html,
       [&](Writer& out) { mem::write_mem_page(profile, out, page_options(name, profile)); }},
  });
  if (!written || options.folder.empty()) return written;
  const auto files = mem::write_ttmem_files(profile.log, profile.memory, {options.folder, name});
  if (!files) return failure(files.error());
  options.outputs.add_written(
      fmt::format("{}/{}_{{memory,operations,inputs_registry,ir}}.json", options.folder, name));
  return {};
}

Result<void> print_summary(const mem::Profile& profile, const MemOptions& options) {
  if (!options.outputs.prints()) return {};
  const std::string& color = options.outputs.color;
  return print(summary_text(profile, color, options.top.value_or(options.verbose ? 5 : 3), options.verbose) +
               options.outputs.written_text() + closing_text(profile, color));
}

/// An op that is asked for and not there is no reason to say nothing.
std::string missing_moment(const mem::Profile& profile, const std::string& moment) {
  if (moment.empty() || profile.memory.live_at || profile.memory.main_rank >= profile.log.ranks.size())
    return {};
  const auto& ops = profile.log.ranks[profile.memory.main_rank].ops;
  if (ops.empty()) return fmt::format("--at {}: the log has no ops", moment);
  return fmt::format("--at {}: no op there; the last is op:{} at line {}", moment, ops.size() - 1,
                     ops.back().line);
}

int check_limits(const mem::Profile& profile, const std::vector<AskedLimit>& limits) {
  int code = kOk;
  for (const AskedLimit& asked : limits) {
    const Result<std::optional<mem::PeakOverLimit>> over = mem::check_limit(profile, asked.limit);
    if (!over) return fail(bad_input(fmt::format("{}: {}", asked.text, over.error().message)));
    if (!*over) continue;
    complain(mem::limit_text(profile, **over, asked.text));
    code = kLimitExceeded;
  }
  return code;
}

int run_mem(MemOptions& options) {
  const std::vector<std::string>& logs = options.logs;
  if (!options.outputs.are_usable(logs)) return kUsage;
  if (!options.name) options.name = app::report_name(logs.front());
  if (!app::is_plain_name(*options.name)) {
    complain(wrong_value("--name", *options.name, "a plain file name"));
    return kUsage;
  }
  if (logs.size() > 1) {
    const std::string other = app::wrong_kind_among(logs, {app::Subject::kMem});
    if (!other.empty()) return fail(bad_input(other));
  }
  CommandInputs inputs(logs, {app::Subject::kMem});
  options.reading.source = inputs.watched();
  options.reading.live_totals = !options.folder.empty();
  options.reading.threads = static_cast<unsigned>(options.threads);
  const Result<mem::Profile> log = profile_any(logs, options.reading);
  if (!log) return inputs.fail(log.error());
  if (const std::string archive = inputs.archive_message(); !archive.empty()) return fail(bad_input(archive));
  if (log->recorded && !is_for_recorded_run(options)) return kUsage;
  const std::string ranks = mem::several_logs_text(mem::several_logs(*log));
  if (!ranks.empty() && !options.outputs.quiet) complain(ranks);
  if (const std::string other = mem::other_device_text(*log); !other.empty()) complain(other);
  if (const std::string missing = missing_moment(*log, options.moment); !missing.empty()) {
    complain(missing);
    return kUsage;
  }
  Result<void> written = write_outputs(*log, options);
  if (written) written = print_summary(*log, options);
  if (!written) return fail(written.error());
  return check_limits(*log, options.limits);
}

}  // namespace

Command mem_command() { return make_command("mem", describe_mem, run_mem); }

namespace {

constexpr std::string_view kOomExamples =
    "Examples:\n"
    "  ttscope oom run.log                     what failed, why, who held the memory\n"
    "  ttscope oom ci.txt --markdown issue.md  a packet to paste into an issue\n"
    "  ttscope oom a.log b.log c.log           the same failure is recognised\n"
    "  pytest model.py 2>&1 | ttscope oom -    straight from a run\n"
    "\n"
    "Exit codes: 0 explained, 1 bad input or failed output, 2 wrong usage,\n"
    "4 no failure of memory found\n";

/// What the options ask for.
struct OomOptions {
  std::vector<std::string> logs;
  Outputs outputs{5};
  std::string packet;
};

CommandSpec describe_oom(OomOptions& options) {
  Outputs& outputs = options.outputs;
  CommandSpec spec;
  spec.program = "ttscope oom";
  spec.summary = "why a run had no memory left, from its log or an excerpt";
  spec.description =
      "Explains out-of-memory failures: which kind each is and the figures that prove it, the tensor that "
      "found no room, the op that asked for it, and who held the memory then. Reads whole logs, pasted CI "
      "excerpts and tracebacks. A log that cannot be read is named, and the others are explained.";
  spec.positional = {"LOG", "log or any text with the messages, plain or packed; - for standard input", 1,
                     kManyArguments};
  spec.arguments = &options.logs;
  spec.options = {
      outputs.json_option(),
      outputs.file_option("--markdown", "PATH", options.packet, "write a packet to paste into an issue"),
      outputs.llm_option("write it with all tensors, as markdown"),
      outputs.html_option("write the memory page of the log (one log)"),
      outputs.top_option("rows of each list in the summary (default 5, 0 for all)"),
      outputs.color_option(),
      outputs.quiet_option(),
  };
  spec.examples = kOomExamples;
  return spec;
}

bool are_usable(const OomOptions& options) {
  if (!options.outputs.are_usable(options.logs)) return false;
  if (std::count(options.logs.begin(), options.logs.end(), "-") > 1) {
    complain("standard input can be read once");
    return false;
  }
  if (!options.outputs.html.empty() && options.logs.size() > 1) {
    complain("--html shows one log; give the logs one by one");
    return false;
  }
  return true;
}

Result<mem::OomLog> read_one(const std::string& path) {
  const Result<app::Detected> found = app::detect(path, app::LogSearch::kBeginning);
  if (found && found->is_archive()) return failure(bad_input(app::kind_text(*found)));
  Result<mem::OomLog> log = explain_log(path);
  const bool has_findings = log && (!log->reports().empty() || !log->crashes.empty());
  const std::string other = has_findings ? "" : app::wrong_kind_among({path}, {.only_logs = true});
  if (!other.empty()) return failure(bad_input(other));
  return log;
}

Result<void> write_outputs(const std::vector<mem::OomLog>& logs, OomOptions& options) {
  const std::string name = app::report_name(options.logs.front());
  return options.outputs.write({
      {options.outputs.json, [&](Writer& out) { mem::write_oom_json(logs, out, version_text()); }},
      {options.packet, [&](Writer& out) { mem::write_oom_markdown(logs, out); }},
      {options.outputs.llm, [&](Writer& out) { mem::write_oom_markdown(logs, out, {.everything = true}); }},
      {options.outputs.html,
       [&](Writer& out) {
         mem::write_mem_page(logs.front().profile, out, page_options(name, logs.front().profile));
       }},
  });
}

int run_oom(OomOptions& options) {
  if (!are_usable(options)) return kUsage;
  std::vector<mem::OomLog> logs;
  int unread = kOk;
  for (const std::string& path : options.logs) {
    Result<mem::OomLog> log = read_one(path);
    if (log) {
      logs.push_back(std::move(*log));
    } else {
      unread = fail(log.error());
    }
  }
  if (logs.empty()) return unread;
  const bool found =
      std::any_of(logs.begin(), logs.end(), [](const mem::OomLog& log) { return !log.reports().empty(); });
  const bool crashed =
      std::any_of(logs.begin(), logs.end(), [](const mem::OomLog& log) { return !log.crashes.empty(); });
  const Outputs& outputs = options.outputs;
  Result<void> written = write_outputs(logs, options);
  if (written && (found || crashed) && outputs.prints())
    written = print(mem::oom_summary_text(logs, outputs.text_options()) + outputs.written_text());
  if (!written) return fail(written.error());
  if (!found) complain(mem::no_failure_text(logs));
  if (unread != kOk) return kFailed;
  return found ? kOk : kNothingFound;
}

}  // namespace

Command oom_command() { return make_command("oom", describe_oom, run_oom); }

}  // namespace ttscope::cli
