#include "app/gate.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <utility>

#include "app/compared_run.h"
#include "gate/analyse/judge.h"
#include "gate/read/budget_reader.h"
#include "io/whole_text.h"

namespace ttscope::app {
namespace {

gate::Section section_of(Subject subject) {
  return subject == Subject::kPerf ? gate::Section::kTime : gate::Section::kMemory;
}

/// Opens arguments: runs of one subject must be given in one, so that it is known what they are to each
/// other.
class GatedInputs {
 public:
  explicit GatedInputs(const OpenOptions& options) : options_(options) {}

  Result<void> add(const std::string& argument) {
    std::map<Subject, gate::MeasuredRuns> own;
    for (const std::vector<std::string>& files : run_inputs(argument)) {
      const Result<std::vector<Profile>> opened = open_run(files, options_);
      if (!opened) return failure(opened.error());
      for (const Profile& profile : *opened) {
        gate::MeasuredRuns& runs = own[profile.subject()];
        runs.section = section_of(profile.subject());
        runs.subject = name_of(profile.subject());
        runs.repeats.push_back(compared_run(profile));
      }
    }
    for (auto& [subject, runs] : own) {
      const auto [place, is_new] = first_of_.try_emplace(subject, argument);
      if (!is_new) {
        return failure(bad_input(fmt::format(
            "{} and {} are both of `{}`; repeats are written {},{} and files of "
            "one run {}+{}",
            place->second, argument, name_of(subject), place->second, argument, place->second, argument)));
      }
      runs_.push_back(std::move(runs));
    }
    return {};
  }

  std::vector<gate::MeasuredRuns> take() { return std::move(runs_); }

 private:
  const OpenOptions& options_;
  std::map<Subject, std::string> first_of_;
  std::vector<gate::MeasuredRuns> runs_;
};

Result<std::vector<gate::MeasuredRuns>> measured(const std::vector<std::string>& arguments,
                                                 const OpenOptions& options) {
  GatedInputs inputs(options);
  for (const std::string& argument : arguments) {
    if (const Result<void> added = inputs.add(argument); !added) return failure(added.error());
  }
  return inputs.take();
}

Result<gate::Budget> load_budget(const std::string& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error))
    return failure(bad_input(fmt::format("{}: a folder; expected a budgets file", path)));
  const Result<io::WholeText> text = io::open_whole_text(path);
  if (!text) return failure(text.error());
  return gate::read_budget(path, text->bytes());
}

/// A path of a budgets file is one from its folder; parts of `a,b+c` each.
std::string from_folder(const std::string& budget_path, const std::string& written) {
  const std::filesystem::path folder = std::filesystem::path(budget_path).parent_path();
  if (folder.empty()) return written;
  std::string all;
  std::size_t begin = 0;
  while (begin <= written.size()) {
    const std::size_t end = std::min(written.find_first_of(",+", begin), written.size());
    const std::string part = written.substr(begin, end - begin);
    all += part.starts_with('/') ? part : (folder / part).string();
    if (end < written.size()) all += written[end];
    begin = end + 1;
  }
  std::error_code error;
  const std::string whole = (folder / written).string();
  return std::filesystem::exists(whole, error) ? whole : all;
}

Result<std::vector<gate::MeasuredRuns>> baseline_of(const gate::Budget& budget, const GateOptions& options) {
  const auto asking = std::find_if(budget.bounds.begin(), budget.bounds.end(),
                                   [](const gate::Bound& bound) { return bound.needs_baseline(); });
  if (asking == budget.bounds.end()) return std::vector<gate::MeasuredRuns>{};
  std::vector<std::string> paths = options.baseline;
  if (paths.empty()) {
    for (const std::string& written : budget.baseline) paths.push_back(from_folder(budget.path, written));
  }
  if (paths.empty()) {
    return failure(
        bad_input(fmt::format("{}:{}: {} = \"{}\" is against a baseline, and none is given; expected "
                              "baseline = \"main.csv\" in the file, or --baseline",
                              budget.path, asking->line, asking->path(), asking->written)));
  }
  Result<std::vector<gate::MeasuredRuns>> runs = measured(paths, options.open);
  if (!runs) return failure(Error{runs.error().code, "baseline: " + runs.error().message});
  return runs;
}

}  // namespace

Result<gate::GateReport> gate_runs(const std::vector<std::string>& arguments, const std::string& budget_path,
                                   const GateOptions& options) {
  const Result<gate::Budget> budget = load_budget(budget_path);
  if (!budget) return failure(budget.error());
  const Result<std::vector<gate::MeasuredRuns>> baseline = baseline_of(*budget, options);
  if (!baseline) return failure(baseline.error());
  const Result<std::vector<gate::MeasuredRuns>> runs = measured(arguments, options.open);
  if (!runs) return failure(runs.error());
  return gate::judge(*budget, *runs, *baseline);
}

}  // namespace ttscope::app
