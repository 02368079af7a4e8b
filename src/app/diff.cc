#include "app/diff.h"

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <utility>

#include "diff/analyse/compare_runs.h"
#include "perf/diff_run.h"

namespace ttscope::app {
namespace {

bool exists(const std::string& path) {
  std::error_code error;
  return path == "-" || std::filesystem::exists(path, error);
}

/// Parts of a text between separators; a part that does not exist as a file takes the next one with it, so
/// that names with a separator in them are found.
std::vector<std::string> split(const std::string& text, char separator) {
  if (exists(text) || text.find(separator) == std::string::npos) return {text};
  std::vector<std::string> parts;
  std::size_t begin = 0;
  while (begin <= text.size()) {
    std::size_t end = text.find(separator, begin);
    const std::size_t first_end = end;
    while (end != std::string::npos && !exists(text.substr(begin, end - begin)))
      end = text.find(separator, end + 1);
    if (end == std::string::npos && !exists(text.substr(begin))) end = first_end;
    parts.push_back(text.substr(begin, end == std::string::npos ? end : end - begin));
    if (end == std::string::npos) break;
    begin = end + 1;
  }
  return parts;
}

Result<diff::ComparedRun> run_of(const std::vector<std::string>& paths, const OpenOptions& options) {
  Result<Profile> profile = open(paths, options);
  if (!profile) return failure(profile.error());
  if (const auto* perf = std::get_if<std::shared_ptr<const perf::Profile>>(&profile->data)) {
    return perf::diff_run_of(**perf);
  }
  return failure(
      bad_input(fmt::format("{}: runs of `{}` are not compared yet; expected ops reports or files of the "
                            "device profiler",
                            paths.front(), name_of(profile->subject()))));
}

Result<diff::Side> side_of(const SideInputs& inputs, const OpenOptions& options) {
  diff::Side side;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    Result<diff::ComparedRun> run = run_of(inputs[i], options);
    if (!run) return failure(run.error());
    if (i == 0) {
      side.run = std::move(*run);
    } else {
      side.repeats.push_back(std::move(*run));
    }
  }
  return side;
}

}  // namespace

SideInputs side_inputs(const std::string& argument) {
  SideInputs inputs;
  for (const std::string& run : split(argument, ',')) inputs.push_back(split(run, '+'));
  return inputs;
}

Result<diff::DiffReport> compare(const SideInputs& before, const SideInputs& after,
                                 const OpenOptions& options) {
  const Result<diff::Side> first = side_of(before, options);
  if (!first) return failure(first.error());
  const Result<diff::Side> second = side_of(after, options);
  if (!second) return failure(second.error());
  return diff::compare_runs(*first, *second);
}

}  // namespace ttscope::app
