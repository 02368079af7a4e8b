#include "app/open_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>
#include <utility>

namespace ttscope::app {
namespace {

bool is_there(const std::string& path) {
  std::error_code error;
  return path == "-" || std::filesystem::exists(path, error);
}

constexpr std::string_view kSeparators = ",+";

/// Where the name that begins at `begin` ends: the longest that exists, else at the first separator.
std::size_t end_of_name(const std::string& text, std::size_t begin) {
  const std::size_t first = std::min(text.find_first_of(kSeparators, begin), text.size());
  for (std::size_t end = text.size(); end > first;) {
    if (is_there(text.substr(begin, end - begin))) return end;
    end = text.find_last_of(kSeparators, end - 1);
    if (end == std::string::npos) break;
  }
  return first;
}

}  // namespace

RunInputs run_inputs(const std::string& argument) {
  RunInputs inputs(1);
  std::size_t begin = 0;
  while (true) {
    const std::size_t end = end_of_name(argument, begin);
    inputs.back().push_back(argument.substr(begin, end - begin));
    if (end == argument.size()) return inputs;
    if (argument[end] == ',') inputs.emplace_back();
    begin = end + 1;
  }
}

Result<std::vector<Profile>> open_run(const std::vector<std::string>& paths, const OpenOptions& options) {
  std::vector<Profile> profiles;
  const auto add = [&](const std::vector<std::string>& files) -> Result<void> {
    Result<Profile> profile = open(files, options);
    if (!profile) return failure(profile.error());
    if (profile->subject() == Subject::kTimeline) {
      return failure(
          bad_input(fmt::format("{}: a timeline of the host, which tells no figures to compare or to hold "
                                "against a budget; give the "
                                "ops report of the run",
                                files.front())));
    }
    profiles.push_back(std::move(*profile));
    return {};
  };
  if (paths.size() == 1) {
    if (const Result<void> opened = add(paths); !opened) return failure(opened.error());
    return profiles;
  }
  std::array<std::vector<std::string>, kSubjectCount> files;
  for (const std::string& path : paths) {
    const Result<Subject> subject = subject_of({path});
    if (!subject) return failure(subject.error());
    files[static_cast<std::size_t>(*subject)].push_back(path);
  }
  for (const std::vector<std::string>& group : files) {
    if (group.empty()) continue;
    if (const Result<void> opened = add(group); !opened) return failure(opened.error());
  }
  return profiles;
}

}  // namespace ttscope::app
