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
#include "cli/outputs.h"
#include "cli/terminal.h"
#include "fit/outputs.h"

namespace ttscope::cli {
namespace {

constexpr int kMaxCombinations = 1024;
constexpr std::int64_t kMaxScale = 1 << 24;

std::optional<std::int64_t> positive(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  return whole && value >= 1 && value <= kMaxScale ? std::optional(value) : std::nullopt;
}

/// `8`, or `4:8` where the recorded value is given.
OptionSpec scaling_option(std::string_view names, fit::Scaling& scaling, std::string_view help) {
  return value_option(
      names, "[FROM:]N",
      [&scaling](std::string_view key, const std::string& text) -> std::string {
        const std::size_t colon = text.find(':');
        const auto to = positive(std::string_view(text).substr(colon == std::string::npos ? 0 : colon + 1));
        const auto from =
            colon == std::string::npos ? std::optional<std::int64_t>(0) : positive(text.substr(0, colon));
        if (!to || !from)
          return wrong_value(
              key, text,
              fmt::format("a whole number, or what it was and what it shall be, as in {} 4:8", key));
        scaling = {*from, *to};
        return {};
      },
      help);
}

OptionSpec names_option(std::string_view option, std::vector<std::string>& names, std::string_view help) {
  return value_option(
      option, "NAMES",
      [&names](std::string_view key, const std::string& text) {
        names = comma_separated(text);
        return names.empty() ? fmt::format("{} needs the name of a tensor", key) : std::string();
      },
      help);
}

OptionSpec chips_option(std::uint32_t& chips) {
  return value_option(
      "--tp", "N",
      [&chips](std::string_view key, const std::string& text) {
        int ways = 1;
        std::string problem = take_number(key, text, 1, ways);
        if (problem.empty() && ways > kMaxCombinations)
          problem = wrong_value(key, std::to_string(ways), fmt::format("at most {}", kMaxCombinations));
        chips = static_cast<std::uint32_t>(ways);
        return problem;
      },
      "weights and caches split over N times as many chips");
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

OptionSpec fit_device_option(fit::FitQuery& question, std::string_view help) {
  return value_option(
      "--device", "NAME",
      [&question](std::string_view, const std::string& text) {
        question.devices = device_list(text);
        const auto devices = fit::requested_devices(question, {});
        return devices ? std::string() : "--device " + devices.error().message;
      },
      help);
}

std::vector<OptionSpec> fit_question_options(fit::FitQuery& question) {
  fit::Changes& changes = question.changes;
  return {
      fit_device_option(
          question,
          "n150, n300, t3000, galaxy, p100, p150, p300, bh-galaxy, all, several with commas, or "
          "custom:DRAM=12x1024MB,L1=64x1.3MB (default: the input's own)"),
      choice_option("--weights", "FORMAT",
                    {{"bfp8", fit::WeightFormat::kBfp8}, {"bfp4", fit::WeightFormat::kBfp4}}, changes.weights,
                    "weights and const-eval results in bfp8 or bfp4"),
      flag_option("--free-originals", changes.free_originals,
                  "weights are freed once const-eval has its copies"),
      flag_option("--originals-on-host", changes.originals_on_host,
                  "weights that const-eval copies are on the device only while it reads them"),
      names_option("--row-major", changes.row_major, "these tensors in rows instead of tiles"),
      names_option("--free-early", changes.free_early, "these tensors are freed after their last use"),
      chips_option(changes.tensor_parallel),
      scaling_option("--batch", changes.batch, "another batch; FROM where the inputs do not tell it"),
      scaling_option("--sequence", changes.sequence, "another sequence, in the same way"),
      flag_option("--best-fit", changes.best_fit,
                  "the smallest hole that is large enough, instead of the first"),
      flag_option("--recompute", changes.recompute, "activations are computed again (training configs)"),
      text_option("--optimizer", "NAME", changes.optimizer, "another optimizer (training configs)"),
      flag_option("--search", question.search, "find the smallest change that fits"),
      choice_option("--max", "WHAT", {{"batch", fit::Growth::kBatch}, {"sequence", fit::Growth::kSequence}},
                    question.maximum, "the largest batch or sequence that fits"),
  };
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

struct FitOptions {
  std::vector<std::string> inputs;
  fit::FitQuery question;
  Outputs outputs{5};
};

CommandSpec describe_fit(FitOptions& options) {
  Outputs& outputs = options.outputs;
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
      1, kManyArguments};
  spec.arguments = &options.inputs;
  spec.options = fit_question_options(options.question);
  for (OptionSpec& option : std::vector<OptionSpec>{
           outputs.json_option(),
           outputs.llm_option("write it as markdown"),
           outputs.top_option("rows of each list in the summary (default 5)"),
           outputs.color_option(),
           outputs.quiet_option(),
       }) {
    spec.options.push_back(std::move(option));
  }
  spec.examples = kFitExamples;
  return spec;
}

int answer_fit(const Result<fit::Report>& report, Outputs& outputs) {
  if (!report) return fail(report.error());
  Result<void> written = outputs.write({
      {outputs.json, [&](Writer& out) { fit::write_fit_json(*report, out, version_text()); }},
      {outputs.llm, [&](Writer& out) { fit::write_fit_markdown(*report, out); }},
  });
  if (written && outputs.prints())
    written = print(fit::fit_summary_text(*report, outputs.text_options()) + outputs.written_text());
  if (!written) return fail(written.error());
  return report->fits() ? kOk : kLimitExceeded;
}

int run_fit(FitOptions& options) {
  if (!options.outputs.are_usable(options.inputs)) return kUsage;
  const Result<std::vector<std::string>> held = hold_streams(options.inputs);  // to see what they are
  if (!held) return fail(held.error());
  const Result<const app::FitInput*> kind = app::fit_input_of(*held);
  if (!kind) return fail(kind.error());
  const app::FitInput& input = **kind;
  CommandInputs inputs(*held, {input.subject.value_or(app::Subject::kMem)});
  if (const std::string archive = inputs.archive_message(); !archive.empty()) return fail(bad_input(archive));
  app::FitReadOptions reading;
  reading.load_memory = [&inputs](const std::vector<std::string>& paths, mem::LoadOptions load) {
    load.source = inputs.watched();
    return profile_any(paths, std::move(load));
  };
  const Result<app::FitAnswers> answers = input.read(*held, reading);
  if (!answers) return input.subject ? inputs.fail(answers.error()) : fail(answers.error());
  StatusLine status(!options.outputs.quiet);
  options.question.on_try = [&status](const fit::SearchProgress& progress) {
    status.show(fmt::format("searching: change {} of at most {}", progress.tried, progress.most));
  };
  const Result<fit::Report> report = (*answers)(options.question);
  status.clear();
  return answer_fit(report, options.outputs);
}

}  // namespace

Command fit_command() { return make_command("fit", describe_fit, run_fit); }

}  // namespace ttscope::cli
