#include "cli/cmd_oom.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/identify.h"
#include "app/report_name.h"
#include "base/text_escape.h"
#include "cli/option_values.h"
#include "cli/page_options.h"
#include "cli/profile_run.h"
#include "cli/terminal.h"
#include "cli/version.h"
#include "mem/load.h"
#include "mem/write/json/oom_json.h"
#include "mem/write/markdown/oom_markdown.h"
#include "mem/write/page/mem_page.h"
#include "mem/write/terminal/oom_summary.h"
#include "mem/write/words/oom_text.h"

namespace ttscope::cli {
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
