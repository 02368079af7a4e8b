#include "cli/commands/fit.h"

#include <fmt/format.h>

#include <charconv>
#include <utility>

#include "app/fit_input.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/inputs.h"
#include "cli/mem_profiles.h"
#include "cli/option_values.h"
#include "cli/terminal.h"
#include "fit/outputs.h"

namespace ttscope::cli {
namespace {

constexpr int kMostWays = 1024;
constexpr std::int64_t kLargestScale = 1 << 24;

std::optional<std::int64_t> positive(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  return whole && value >= 1 && value <= kLargestScale ? std::optional(value) : std::nullopt;
}

/// `8`, or `4:8` where the recorded value is given.
bool read_scaling(const ParsedArgs& args, std::string_view key, fit::Scaling& scaling) {
  if (!args.has(key)) return true;
  const std::string text = args.value(key);
  const std::size_t colon = text.find(':');
  const auto to = positive(std::string_view(text).substr(colon == std::string::npos ? 0 : colon + 1));
  const auto from =
      colon == std::string::npos ? std::optional<std::int64_t>(0) : positive(text.substr(0, colon));
  if (!to || !from) {
    complain(fmt::format("{} {}: expected a whole number, or what it was and what it shall be, as in {} 4:8",
                         key, text, key));
    return false;
  }
  scaling = {*from, *to};
  return true;
}

bool read_names(const ParsedArgs& args, std::string_view key, std::vector<std::string>& names) {
  if (!args.has(key)) return true;
  names = comma_separated(args.value(key));
  if (!names.empty()) return true;
  complain(fmt::format("{} needs the name of a tensor", key));
  return false;
}

}  // namespace

std::vector<std::string> device_list(const std::string& text) {
  std::vector<std::string> list;
  std::size_t at = 0;
  for (const std::string_view part : comma_parts(text)) {
    if (part.starts_with("custom")) {
      list.push_back(text.substr(at));
      break;
    }
    list.emplace_back(part);
    at += part.size() + 1;
  }
  return list;
}

bool read_devices(const ParsedArgs& args, fit::Question& question) {
  if (!args.has("--device")) return true;
  question.devices = device_list(args.value("--device"));
  const auto devices = fit::asked_devices(question, {});
  if (devices) return true;
  complain("--device " + devices.error().message);
  return false;
}

std::vector<OptionSpec> fit_question_options() {
  return {
      {"--device",
       "NAME",
       "n150, n300, t3000, galaxy, p100, p150, p300, bh-galaxy, all, several with commas, or "
       "custom:DRAM=12x1024MB,L1=64x1.3MB (default: the input's own)",
       ValueKind::kText,
       {}},
      {"--weights",
       "FORMAT",
       "weights and const-eval results in bfp8 or bfp4",
       ValueKind::kChoice,
       {"bfp8", "bfp4"}},
      {"--free-originals", "", "weights are freed once const-eval has its copies", ValueKind::kText, {}},
      {"--originals-on-host",
       "",
       "weights that const-eval copies are on the device only while it reads them",
       ValueKind::kText,
       {}},
      {"--row-major", "NAMES", "these tensors in rows instead of tiles", ValueKind::kText, {}},
      {"--free-early", "NAMES", "these tensors are freed after their last use", ValueKind::kText, {}},
      {"--tp", "N", "weights and caches split over N times as many chips", ValueKind::kText, {}},
      {"--batch", "[FROM:]N", "another batch; FROM where the inputs do not tell it", ValueKind::kText, {}},
      {"--sequence", "[FROM:]N", "another sequence, in the same way", ValueKind::kText, {}},
      {"--best-fit",
       "",
       "the smallest hole that is large enough, instead of the first",
       ValueKind::kText,
       {}},
      {"--recompute", "", "activations are computed again (training configs)", ValueKind::kText, {}},
      {"--optimizer", "NAME", "another optimizer (training configs)", ValueKind::kText, {}},
      {"--search", "", "find the smallest change that fits", ValueKind::kText, {}},
      {"--max", "WHAT", "the largest batch or sequence that fits", ValueKind::kChoice, {"batch", "sequence"}},
  };
}

bool read_fit_question(const ParsedArgs& args, fit::Question& question) {
  fit::Changes& changes = question.changes;
  if (args.has("--weights"))
    changes.weights = args.value("--weights") == "bfp8" ? fit::WeightFormat::kBfp8 : fit::WeightFormat::kBfp4;
  changes.free_originals = args.has("--free-originals");
  changes.originals_on_host = args.has("--originals-on-host");
  changes.best_fit = args.has("--best-fit");
  changes.recompute = args.has("--recompute");
  changes.optimizer = args.value("--optimizer");
  question.search = args.has("--search");
  if (args.has("--max"))
    question.maximum = args.value("--max") == "batch" ? fit::Growth::kBatch : fit::Growth::kSequence;
  int ways = 1;
  if (!read_number(args, "--tp", 1, ways)) return false;
  if (ways > kMostWays) {
    complain(fmt::format("--tp {}: expected at most {}", ways, kMostWays));
    return false;
  }
  changes.tensor_parallel = static_cast<std::uint32_t>(ways);
  return read_devices(args, question) && read_names(args, "--row-major", changes.row_major) &&
         read_names(args, "--free-early", changes.free_early) &&
         read_scaling(args, "--batch", changes.batch) && read_scaling(args, "--sequence", changes.sequence);
}

namespace {

constexpr std::string_view kFitExamples =
    "Examples:\n"
    "  ttscope fit run.log                          does it fit where it ran?\n"
    "  ttscope fit run.log --device all             one table of all devices\n"
    "  ttscope fit run.log --weights bfp8 --batch 8 two changes together\n"
    "  ttscope fit oom.log --search                 the smallest change that does\n"
    "  ttscope fit run.log --device p150 --max batch\n"
    "  ttscope fit run.log --device custom:DRAM=12x1024MB,L1=64x1.3MB\n"
    "  ttscope fit training.yaml --max batch        before it is run\n"
    "\n"
    "Exit codes: 0 it fits, 1 bad input or failed output, 2 wrong usage,\n"
    "3 it does not fit on a device asked for, 4 nothing found\n";

/// What the options ask for, beside the question itself.
struct FitRequest {
  std::vector<std::string> inputs;
  fit::Question question;
  std::string json_path;
  std::string llm_path;
  std::string color;
  int top = 5;
  bool quiet = false;

  bool on_stdout() const { return json_path == "-" || llm_path == "-"; }
};

bool read_fit_request(const ParsedArgs& args, FitRequest& request) {
  request.inputs = args.positionals;
  request.json_path = args.value("--json");
  request.llm_path = args.value("--llm");
  request.color = args.value("--color", "auto");
  request.quiet = args.has("--quiet");
  if (!are_usable_outputs(args, {"--json", "--llm"})) return false;
  return read_number(args, "--top", 0, request.top) && read_fit_question(args, request.question);
}

Result<void> write_fit_outputs(const fit::Report& report, const FitRequest& request) {
  Result<void> written =
      write_output(request.json_path, [&](Writer& out) { fit::write_fit_json(report, out, version_text()); });
  if (!written) return written;
  written = write_output(request.llm_path, [&](Writer& out) { fit::write_fit_markdown(report, out); });
  if (!written || request.quiet || request.on_stdout()) return written;
  std::string text = fit::fit_summary_text(
      report, {use_color(request.color, Stream::kOut), terminal_width(Stream::kOut), request.top});
  for (const std::string& path : {request.json_path, request.llm_path}) {
    if (!path.empty()) text += fmt::format("\nWritten\n  {}\n", terminal_safe(path));
  }
  return print(text);
}

int finish_fit(const Result<fit::Report>& report, const FitRequest& request) {
  if (!report) return fail(report.error());
  const Result<void> written = write_fit_outputs(*report, request);
  if (!written) return fail(written.error());
  return report->fits() ? kOk : kLimitExceeded;
}

}  // namespace

CommandSpec fit_spec() {
  CommandSpec spec;
  spec.program = "ttscope fit";
  spec.summary = "whether a run fits a device, and the smallest change that makes it fit";
  spec.description =
      "Replays the recorded allocations of a run through a model of the allocator: whether it fits, with how "
      "much "
      "room in each bank, what would find no room first and what was live then; on its own device or on "
      "others, as "
      "it is or with changes. How the replay agrees with the printed memory states is said first.";
  spec.positional = {
      "INPUT",
      "runtime log, compiled module, graph capture, or training config of tt-train (and its model "
      "config); - for standard input",
      1,
      1000000,
      ValueKind::kFile,
      {}};
  spec.options = fit_question_options();
  const std::vector<OptionSpec> outputs = {
      {"--json", "PATH", "write everything as one JSON document", ValueKind::kFile, {}},
      {"--llm", "PATH", "write it as markdown", ValueKind::kFile, {}},
      {"--top", "N", "rows of each list in the summary (default 5)", ValueKind::kText, {}},
      {"--color", "WHEN", "auto, always or never", ValueKind::kChoice, {"auto", "always", "never"}},
      {"-q,--quiet", "", "no summary", ValueKind::kText, {}},
  };
  spec.options.insert(spec.options.end(), outputs.begin(), outputs.end());
  spec.examples = kFitExamples;
  return spec;
}

int run_fit(const ParsedArgs& args) {
  FitRequest request;
  if (!read_fit_request(args, request)) return kUsage;
  Result<std::vector<std::string>> held = hold_streams(request.inputs);  // to see what they are
  if (!held) return fail(held.error());
  request.inputs = std::move(*held);
  const Result<const app::FitInput*> kind = app::fit_input_of(request.inputs);
  if (!kind) return fail(kind.error());
  const app::FitInput& input = **kind;
  GivenInputs inputs(request.inputs, input.subject.value_or(app::Subject::kMem));
  if (const std::string archive = inputs.archive_message(); !archive.empty()) return fail(bad_input(archive));
  app::FitReading reading;
  reading.load_memory = [&inputs](const std::vector<std::string>& paths, mem::LoadOptions options) {
    options.source = inputs.watched();
    return profile_any(paths, std::move(options));
  };
  const Result<app::FitAnswers> answers = input.read(request.inputs, reading);
  if (!answers) return input.subject ? inputs.fail(answers.error()) : fail(answers.error());
  StatusLine status(!request.quiet);
  request.question.on_try = [&status](const fit::SearchProgress& progress) {
    status.show(fmt::format("searching: change {} of at most {}", progress.tried, progress.most));
  };
  const Result<fit::Report> report = (*answers)(request.question);
  status.clear();
  return finish_fit(report, request);
}

}  // namespace ttscope::cli
