#include "app/open_run.h"

#include <array>
#include <filesystem>
#include <utility>

namespace ttscope::app {
namespace {

bool is_there(const std::string& path) {
  std::error_code error;
  return path == "-" || std::filesystem::exists(path, error);
}

/// Parts of a text between separators; a part that does not exist as a file takes the next one with it, so
/// that names with a separator in them are found.
std::vector<std::string> parts_of(const std::string& text, char separator) {
  if (is_there(text) || text.find(separator) == std::string::npos) return {text};
  std::vector<std::string> parts;
  std::size_t begin = 0;
  while (begin <= text.size()) {
    std::size_t end = text.find(separator, begin);
    const std::size_t first_end = end;
    while (end != std::string::npos && !is_there(text.substr(begin, end - begin)))
      end = text.find(separator, end + 1);
    if (end == std::string::npos && !is_there(text.substr(begin))) end = first_end;
    parts.push_back(text.substr(begin, end == std::string::npos ? end : end - begin));
    if (end == std::string::npos) break;
    begin = end + 1;
  }
  return parts;
}

}  // namespace

RunInputs run_inputs(const std::string& argument) {
  RunInputs inputs;
  for (const std::string& run : parts_of(argument, ',')) inputs.push_back(parts_of(run, '+'));
  return inputs;
}

Result<std::vector<Profile>> open_run(const std::vector<std::string>& paths, const OpenOptions& options) {
  std::vector<Profile> profiles;
  const auto add = [&](const std::vector<std::string>& files) -> Result<void> {
    Result<Profile> profile = open(files, options);
    if (!profile) return failure(profile.error());
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
