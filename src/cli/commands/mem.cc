#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

#include "app/formats.h"
#include "app/report_library.h"
#include "base/chips.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/inputs.h"
#include "cli/mem_profiles.h"
#include "cli/option_values.h"
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
struct MemRequest {
  std::vector<std::string> logs;
  mem::LoadOptions reading;
  std::string json_path;
  std::string markdown_path;
  std::string page_path;
  std::string folder;
  std::string name;
  std::vector<AskedLimit> limits;
  std::string color;
  int top = 3;
  bool quiet = false;
  bool verbose = false;

  /// How many outputs go to standard output.
  int on_stdout() const { return (json_path == "-") + (markdown_path == "-") + (page_path == "-"); }
};

bool read_limit(const ParsedArgs& args, std::string_view key, mem::Memory memory, MemRequest& request) {
  if (!args.has(key)) return true;
  const std::optional<LimitValue> limit = parse_limit(args.value(key));
  if (!limit) {
    complain(fmt::format("{} {}: expected a share (90%) or bytes per bank (943718400, 900MB)", key,
                         args.value(key)));
    return false;
  }
  request.limits.push_back(
      {fmt::format("{} {}", key, args.value(key)), {memory, limit->fraction, limit->bytes}});
  return true;
}

bool read_name(const ParsedArgs& args, MemRequest& request) {
  request.name = args.value("--name", app::report_name(args.positionals.front()));
  if (app::is_plain_name(request.name)) return true;
  complain(fmt::format("--name {}: expected a plain file name", request.name));
  return false;
}

/// `276`: the first op at or behind that line; `op:22`: an op of the main rank by its index.
bool read_moment(const ParsedArgs& args, MemRequest& request) {
  constexpr std::string_view kOp = "op:";
  const std::string text = args.value("--at");
  if (!args.has("--at")) return true;
  const bool is_op = text.starts_with(kOp);
  std::uint32_t number = 0;
  const char* const begin = text.data() + (is_op ? kOp.size() : 0);
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(begin, end, number);
  if (error != std::errc() || stop != end || number == kNone || (!is_op && number == 0)) {
    complain(fmt::format("--at {}: expected the number of a line, from 1, or op:N, from op:0", text));
    return false;
  }
  (is_op ? request.reading.live_at_op : request.reading.live_at_line) = number;
  return true;
}

bool read_device(const ParsedArgs& args, MemRequest& request) {
  if (!args.has("--device")) return true;
  request.reading.device = find_product(args.value("--device"));
  if (request.reading.device != nullptr) return true;
  complain(fmt::format("--device {}: expected one of {}", args.value("--device"),
                       fmt::join(product_names(), ", ")));
  return false;
}

bool read_request(const ParsedArgs& args, MemRequest& request) {
  request.logs = args.positionals;
  request.json_path = args.value("--json");
  request.markdown_path = args.value("--llm");
  request.page_path = args.value("--html");
  request.folder = args.value("--out");
  request.reading.live_totals = args.has("--out");
  request.color = args.value("--color", "auto");
  request.quiet = args.has("--quiet");
  request.verbose = args.has("--verbose");
  if (request.verbose) request.top = 5;
  if (!read_device(args, request)) return false;
  if (!are_usable_outputs(args, {"--json", "--llm", "--html", "--out"})) return false;
  int threads = 0;
  if (!read_number(args, "--threads", 1, threads) || !read_number(args, "--top", 0, request.top))
    return false;
  if (!read_moment(args, request)) return false;
  request.reading.threads = static_cast<unsigned>(threads);
  return read_limit(args, "--max-dram", mem::Memory::kDram, request) &&
         read_limit(args, "--max-l1", mem::Memory::kL1, request) && read_name(args, request);
}

/// What the files of a run do not tell is not made up: these options need its log.
bool is_for_recorded_run(const ParsedArgs& args) {
  for (const std::string_view key : {"--json", "--llm", "--out", "--at"}) {
    if (!args.has(key)) continue;
    complain(
        fmt::format("{} needs the log of the run; `ttscope sql` and `ttscope export` read its files", key));
    return false;
  }
  return true;
}

Result<void> write_outputs(const mem::Profile& log, const MemRequest& request) {
  Result<void> written = write_output(request.json_path, [&](Writer& out) {
    mem::write_mem_json(log.trace, log.memory, out, {.tool_version = version_text()});
  });
  if (!written) return written;
  written = write_output(request.markdown_path, [&](Writer& out) {
    mem::write_mem_markdown(log.trace, log.memory, request.name, out);
  });
  if (!written) return written;
  written = write_output(request.page_path, [&](Writer& out) {
    mem::write_mem_page(log, out, page_options(request.name, log));
  });
  if (!written || request.folder.empty()) return written;
  const auto files = mem::write_ttmem_files(log.trace, log.memory, {request.folder, request.name});
  if (!files) return failure(files.error());
  return {};
}

Result<void> print_summary(const mem::Profile& log, const MemRequest& request) {
  if (request.quiet || request.on_stdout() > 0) return {};
  std::string text = summary_text(log, request.color, request.top, request.verbose);
  std::string written;
  for (const std::string& path : {request.json_path, request.markdown_path, request.page_path}) {
    if (!path.empty()) written += fmt::format("  {}\n", terminal_safe(path));
  }
  if (!request.folder.empty()) {
    written += fmt::format("  {}/{}_{{memory,operations,inputs_registry,ir}}.json\n",
                           terminal_safe(request.folder), request.name);
  }
  if (!written.empty()) text += "\nWritten\n" + written;
  return print(text + closing_text(log, request.color));
}

/// An op that is asked for and not there is no reason to say nothing.
std::string missing_moment(const mem::Profile& log, const ParsedArgs& args) {
  if (!args.has("--at") || log.memory.live_at || log.memory.main_rank >= log.trace.ranks.size()) return {};
  const auto& ops = log.trace.ranks[log.memory.main_rank].ops;
  if (ops.empty()) return fmt::format("--at {}: the log has no ops", args.value("--at"));
  return fmt::format("--at {}: no op there; the last is op:{} at line {}", args.value("--at"), ops.size() - 1,
                     ops.back().line);
}

int check_limits(const mem::Profile& log, const MemRequest& request) {
  int code = kOk;
  for (const AskedLimit& asked : request.limits) {
    const Result<std::optional<mem::PeakOverLimit>> over = mem::check_limit(log, asked.limit);
    if (!over) return fail(bad_input(fmt::format("{}: {}", asked.text, over.error().message)));
    if (!*over) continue;
    complain(mem::limit_text(log, **over, asked.text));
    code = kLimitExceeded;
  }
  return code;
}

}  // namespace

CommandSpec mem_spec() {
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
                     1,
                     1000000,
                     ValueKind::kFile,
                     {}};
  spec.options = {
      {"--json", "PATH", "write everything as one JSON document", ValueKind::kFile, {}},
      {"--llm", "PATH", "write the markdown report", ValueKind::kFile, {}},
      {"--html", "PATH", "write the report page: one file, opens in any browser", ValueKind::kFile, {}},
      {"--out",
       "DIR",
       "write NAME_memory.json, NAME_operations.json, NAME_inputs_registry.json and NAME_ir.json",
       ValueKind::kFolder,
       {}},
      {"--name",
       "NAME",
       "how those files begin and what the report is called (default: from the log's name)",
       ValueKind::kText,
       {}},
      {"--max-dram",
       "LIMIT",
       "exit with 3 when the DRAM peak is over 90%, 900MB or so many bytes of a bank",
       ValueKind::kText,
       {}},
      {"--max-l1", "LIMIT", "the same for L1", ValueKind::kText, {}},
      {"--at",
       "PLACE",
       "show also what is live before an op: a line of the log, or op:N, its op_index in the JSON",
       ValueKind::kText,
       {}},
      {"--device",
       "NAME",
       "the product, for what the log does not tell: n150, n300, t3000, galaxy, p100, p150, p300, bh-galaxy",
       ValueKind::kChoice,
       {"n150", "n300", "t3000", "galaxy", "p100", "p150", "p300", "bh-galaxy"}},
      {"-v,--verbose",
       "",
       "all sections: programs, waste, what the figures include, the tensors behind each advice",
       ValueKind::kText,
       {}},
      {"--top", "N", "rows of each list in the summary (default 3, 5 with --verbose)", ValueKind::kText, {}},
      {"--threads", "N", "threads that read (default: as many as there are)", ValueKind::kText, {}},
      {"--color", "WHEN", "auto, always or never", ValueKind::kChoice, {"auto", "always", "never"}},
      {"-q,--quiet", "", "no summary", ValueKind::kText, {}},
  };
  spec.examples = kMemExamples;
  return spec;
}

int run_mem(const ParsedArgs& args) {
  MemRequest request;
  if (!read_request(args, request)) return kUsage;
  if (args.positionals.size() > 1) {
    const std::string other = app::other_kind_message(args.positionals, app::Subject::kMem);
    if (!other.empty()) return fail(bad_input(other));
  }
  GivenInputs inputs(request.logs, app::Subject::kMem);
  request.reading.source = inputs.watched();
  const Result<mem::Profile> log = profile_any(request.logs, request.reading);
  if (!log) return inputs.fail(log.error());
  if (const std::string archive = inputs.archive_message(); !archive.empty()) return fail(bad_input(archive));
  if (log->recorded && !is_for_recorded_run(args)) return kUsage;
  const std::string ranks = mem::several_logs_text(mem::several_logs(*log));
  if (!ranks.empty() && !request.quiet) complain(ranks);
  if (const std::string other = mem::other_device_text(*log); !other.empty()) complain(other);
  if (const std::string missing = missing_moment(*log, args); !missing.empty()) {
    complain(missing);
    return kUsage;
  }
  Result<void> written = write_outputs(*log, request);
  if (written) written = print_summary(*log, request);
  if (!written) return fail(written.error());
  return check_limits(*log, request);
}

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
struct OomRequest {
  std::vector<std::string> logs;
  std::string json_path;
  std::string packet_path;
  std::string llm_path;
  std::string page_path;
  std::string color;
  int top = 5;
  bool quiet = false;

  std::vector<std::string> outputs() const { return {json_path, packet_path, llm_path, page_path}; }
  bool on_stdout() const {
    const std::vector<std::string> paths = outputs();
    return std::find(paths.begin(), paths.end(), "-") != paths.end();
  }
};

bool read_oom_request(const ParsedArgs& args, OomRequest& request) {
  request.logs = args.positionals;
  request.json_path = args.value("--json");
  request.packet_path = args.value("--markdown");
  request.llm_path = args.value("--llm");
  request.page_path = args.value("--html");
  request.color = args.value("--color", "auto");
  request.quiet = args.has("--quiet");
  if (!are_usable_outputs(args, {"--json", "--markdown", "--llm", "--html"})) return false;
  if (std::count(request.logs.begin(), request.logs.end(), "-") > 1) {
    complain("standard input can be read once");
    return false;
  }
  if (!request.page_path.empty() && request.logs.size() > 1) {
    complain("--html shows one log; give the logs one by one");
    return false;
  }
  return read_number(args, "--top", 0, request.top);
}

Result<mem::OomLog> read_one(const std::string& path) {
  if (const std::string archive = app::archive_message(path); !archive.empty())
    return failure(bad_input(archive));
  Result<mem::OomLog> log = explain_log(path);
  const bool tells_something = log && (!log->reports().empty() || !log->crashes.empty());
  const std::string other = tells_something ? "" : app::not_a_log_message(path);
  if (!other.empty()) return failure(bad_input(other));
  return log;
}

Result<void> write_oom_outputs(const std::vector<mem::OomLog>& logs, const OomRequest& request) {
  Result<void> written =
      write_output(request.json_path, [&](Writer& out) { mem::write_oom_json(logs, out, version_text()); });
  if (!written) return written;
  written = write_output(request.packet_path, [&](Writer& out) { mem::write_oom_markdown(logs, out); });
  if (!written) return written;
  written = write_output(request.llm_path,
                         [&](Writer& out) { mem::write_oom_markdown(logs, out, {.everything = true}); });
  if (!written) return written;
  const std::string name = app::report_name(request.logs.front());
  return write_output(request.page_path, [&](Writer& out) {
    mem::write_mem_page(logs.front().profile, out, page_options(name, logs.front().profile));
  });
}

Result<void> print_oom_summary(const std::vector<mem::OomLog>& logs, const OomRequest& request) {
  if (request.quiet || request.on_stdout()) return {};
  std::string text = mem::oom_summary_text(
      logs, {use_color(request.color, Stream::kOut), terminal_width(Stream::kOut), request.top});
  std::string written;
  for (const std::string& path : request.outputs()) {
    if (!path.empty()) written += fmt::format("  {}\n", terminal_safe(path));
  }
  if (!written.empty()) text += "\nWritten\n" + written;
  return print(text);
}

}  // namespace

CommandSpec oom_spec() {
  CommandSpec spec;
  spec.program = "ttscope oom";
  spec.summary = "why a run had no memory left, from its log or an excerpt";
  spec.description =
      "Explains out-of-memory failures: which kind each is and the figures that prove it, the tensor that "
      "found no room, the op that asked for it, and who held the memory then. Reads whole logs, pasted CI "
      "excerpts and tracebacks. A log that cannot be read is named, and the others are explained.";
  spec.positional = {"LOG",
                     "log or any text with the messages, plain or packed; - for standard input",
                     1,
                     1000000,
                     ValueKind::kFile,
                     {}};
  spec.options = {
      {"--json", "PATH", "write everything as one JSON document", ValueKind::kFile, {}},
      {"--markdown", "PATH", "write a packet to paste into an issue", ValueKind::kFile, {}},
      {"--llm", "PATH", "write it with all tensors, as markdown", ValueKind::kFile, {}},
      {"--html", "PATH", "write the memory page of the log (one log)", ValueKind::kFile, {}},
      {"--top", "N", "rows of each list in the summary (default 5, 0 for all)", ValueKind::kText, {}},
      {"--color", "WHEN", "auto, always or never", ValueKind::kChoice, {"auto", "always", "never"}},
      {"-q,--quiet", "", "no summary", ValueKind::kText, {}},
  };
  spec.examples = kOomExamples;
  return spec;
}

int run_oom(const ParsedArgs& args) {
  OomRequest request;
  if (!read_oom_request(args, request)) return kUsage;
  std::vector<mem::OomLog> logs;
  int unread = kOk;
  for (const std::string& path : request.logs) {
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
  Result<void> written = write_oom_outputs(logs, request);
  const bool crashed =
      std::any_of(logs.begin(), logs.end(), [](const mem::OomLog& log) { return !log.crashes.empty(); });
  if (written && (found || crashed)) written = print_oom_summary(logs, request);
  if (!written) return fail(written.error());
  if (!found) complain(mem::no_failure_text(logs));
  if (unread != kOk) return kFailed;
  return found ? kOk : kNothingFound;
}

}  // namespace ttscope::cli
