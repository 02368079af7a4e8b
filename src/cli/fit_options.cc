#include "cli/fit_options.h"

#include <fmt/format.h>

#include <charconv>

#include "cli/option_values.h"

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

}  // namespace ttscope::cli
