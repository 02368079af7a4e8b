#include "cli/cmd_perf.h"

#include <fmt/format.h>

#include <thread>

#include "cli/perf_capture.h"
#include "cli/perf_files.h"
#include "cli/terminal.h"

namespace ttscope::cli {
namespace {

Result<std::string> report_text(const std::vector<PerfCapture>& captures, bool compat) {
  std::vector<output::OpsCsvPart> parts;
  bool device_only = true;
  bool quasar = false;
  for (const PerfCapture& capture : captures) {
    parts.push_back({&capture.report, &capture.host, &capture.counters, &capture.network, {}, 0});
    device_only &= capture.device_only;
    quasar |= capture.quasar;
  }
  StringWriter out;
  output::write_ops_csv(parts, {compat, device_only, quasar}, out);
  const Result<void> done = out.finish();
  if (!done) return failure(done.error());
  return out.text();
}

}  // namespace

CommandSpec perf_spec() {
  CommandSpec spec;
  spec.program = "ttscope perf";
  spec.summary = "ops performance report of device profiler files";
  spec.description = "Makes the ops report from the files of a profiler run, complete or not.";
  spec.positional = {"PATH", "artifacts folder, profiler files, or ops reports", 1, 1000000, ValueKind::kFile, {}};
  spec.options = {
      {"-o,--output-folder", "DIR", "where the report goes", ValueKind::kFolder, {}},
      {"--compat", "", "byte for byte as the reference writes it", ValueKind::kText, {}},
      {"--device-only", "", "leave the host's files aside", ValueKind::kText, {}},
      {"--from-device-log", "", "leave the runtime's own report aside", ValueKind::kText, {}},
  };
  return spec;
}

int run_perf(const ParsedArgs& args) {
  const Result<PerfInputs> inputs = find_perf_inputs(args.positionals);
  if (!inputs) {
    complain(inputs.error().message);
    return kFailed;
  }
  std::vector<PerfCapture> captures;
  for (const PerfFiles& files : inputs->captures) {
    Result<PerfCapture> capture = read_perf_capture(files, {.compat = args.has("--compat"),
                                                            .device_only = args.has("--device-only"),
                                                            .from_device_log = args.has("--from-device-log"),
                                                            .threads = std::thread::hardware_concurrency()});
    if (!capture) {
      complain(capture.error().message);
      return kFailed;
    }
    captures.push_back(std::move(*capture));
  }
  const Result<std::string> text = report_text(captures, args.has("--compat"));
  if (!text) return kFailed;
  return print(*text) ? kOk : kFailed;
}

}  // namespace ttscope::cli
