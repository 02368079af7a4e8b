#include "app/open.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <limits>
#include <string_view>
#include <thread>
#include <utility>

#include "app/formats.h"
#include "app/timeline/open_timeline.h"
#include "base/result.h"
#include "graph/load.h"
#include "graph/tables/tables.h"
#include "graph/write/outputs.h"
#include "mem/load.h"
#include "mem/read/ttmem_files.h"
#include "mem/tables/tables.h"
#include "perf/load.h"
#include "perf/tables/tables.h"
#include "phases/load.h"
#include "phases/tables/tables.h"
#include "phases/write/outputs.h"
#include "timeline/load.h"
#include "timeline/tables/tables.h"
#include "timeline/write/outputs.h"

namespace ttscope::app {
namespace {

/// Makes what a subject loaded the data of a profile.
template <typename Loaded>
Result<Profile::Data> shared(Result<Loaded> loaded) {
  if (!loaded) return failure(loaded.error());
  return Profile::Data(std::make_shared<const Loaded>(std::move(*loaded)));
}

/// A line of a log format that says more than those of runtime logs do.
bool is_preferred_log_line(std::string_view line) {
  static const Format* const kRuntimeLog = find_format("runtime_log");
  return preferred_log_format(line, kRuntimeLog) != nullptr;
}

Result<Profile::Data> load_mem(const std::vector<std::string>& paths, const OpenOptions& options) {
  mem::LoadOptions load;
  if (paths.size() == 1) load.is_other_kind = is_preferred_log_line;
  load.threads = options.threads;
  if (options.progress) {
    load.progress = [&options](const mem::ReadProgress& progress) {
      options.progress({progress.bytes_done, progress.bytes_total, progress.ops});
    };
  }
  return shared(mem::load(paths, load));
}

Result<Profile::Data> load_phases(const std::vector<std::string>& paths) {
  Result<phases::Profile> profile = phases::load(paths, {});
  if (profile && profile->log.summaries.empty()) {
    return failure(nothing_found(phases::no_input_text(paths)));
  }
  return shared(std::move(profile));
}

Result<Profile::Data> load_graph(const std::vector<std::string>& paths) {
  Result<graph::Profile> profile = graph::load(paths, {});
  if (profile && profile->node_count() == 0) return failure(nothing_found(graph::no_input_text(paths)));
  return shared(std::move(profile));
}

Result<Profile::Data> load_perf(const std::vector<std::string>& paths, const OpenOptions& options) {
  perf::LoadOptions load;
  load.capture.threads =
      options.threads == 0 ? std::max(1u, std::thread::hardware_concurrency()) : options.threads;
  load.capture.zones = true;
  load.capture.noc_traces = true;
  load.capture.read_host_capture = host_tables_of;
  Result<perf::Profile> profile = perf::load(paths, load);
  if (profile && !profile->has_content()) {
    return failure(nothing_found(fmt::format("{}: no op and no zone in it", paths.front())));
  }
  return shared(std::move(profile));
}

Result<Profile::Data> load_timeline(const std::vector<std::string>& paths) {
  Result<timeline::Profile> profile = timeline::load(paths);
  if (profile && !profile->timeline.has_content()) {
    return failure(nothing_found(timeline::no_input_text(paths)));
  }
  return shared(std::move(profile));
}

Result<Profile::Data> load(Subject subject, const std::vector<std::string>& paths,
                           const OpenOptions& options) {
  switch (subject) {
    case Subject::kMem:
      return load_mem(paths, options);
    case Subject::kPhases:
      return load_phases(paths);
    case Subject::kGraph:
      return load_graph(paths);
    case Subject::kPerf:
      return load_perf(paths, options);
    case Subject::kTimeline:
      break;
  }
  return load_timeline(paths);
}

std::string file_name(const std::string& path) {
  const std::filesystem::path plain = std::filesystem::path(path).lexically_normal();
  const std::string name =
      plain.filename().empty() ? plain.parent_path().filename().string() : plain.filename().string();
  return name.empty() || name == "." ? path : name;
}

}  // namespace

table::TableSet Profile::tables() const {
  return std::visit([](const auto& loaded) { return tables_of(loaded); }, data);
}

Result<Subject> subject_of(const std::vector<std::string>& paths, LogSearch search) {
  const Format* first = nullptr;
  for (const std::string& path : paths) {
    ASSIGN_OR_RETURN(const Detected found, detect(path, search));
    if (found.is("empty")) return failure(nothing_found(kind_text(found)));
    if (found.format == nullptr || !found.format->subject) return failure(bad_input(kind_text(found)));
    if (first == nullptr) first = found.format;
    if (found.format->subject != first->subject) {
      return failure(bad_input(fmt::format(
          "{} is {} (`ttscope {}`) and {} is {} (`ttscope {}`): they cannot be read together", paths.front(),
          first->what, name_of(*first->subject), path, found.format->what, name_of(*found.format->subject))));
    }
  }
  if (first == nullptr) return failure(bad_input("nothing to open"));
  return *first->subject;
}

namespace {

/// A file that is part of something: what that is says more than that nothing was found in it.
Error with_explanation(const Error& error, const std::string& path, Subject subject) {
  if (error.code != ErrorCode::kNothingFound || mem::run_file_of(path)) return error;
  const Result<Detected> found = detect(path);
  std::string message = found ? wrong_kind(*found, {subject}) : "";
  return message.empty() ? error : bad_input(std::move(message));
}

/// The kind of one log is told by its first telling line alone: its reader sees the others, and stops at one
/// that says more.
Result<Profile::Data> load_any(const std::vector<std::string>& paths, const OpenOptions& options) {
  if (paths.size() != 1) {
    const Result<Subject> subject = subject_of(paths);
    return subject ? load(*subject, paths, options) : failure(subject.error());
  }
  const SavedPosition kept(paths.front());
  ASSIGN_OR_RETURN(const Subject first, subject_of(paths, LogSearch::kFirstLine));
  Result<Profile::Data> data = load(first, paths, options);
  if (data) return data;
  kept.restore();
  if (data.error().code != ErrorCode::kOtherKind)
    return failure(with_explanation(data.error(), paths.front(), first));
  const Result<Subject> better = subject_of(paths, LogSearch::kWhole);
  return better ? load(*better, paths, options) : failure(better.error());
}

}  // namespace

Result<Profile> open(const std::vector<std::string>& paths, const OpenOptions& options) {
  ASSIGN_OR_RETURN(Profile::Data data, load_any(paths, options));
  return Profile{profile_names(paths).front(), paths, std::move(data)};
}

Result<std::vector<Profile>> open_each(const std::vector<std::string>& paths, const OpenOptions& options) {
  const std::vector<std::string> names = profile_names(paths);
  std::vector<Profile> profiles;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    ASSIGN_OR_RETURN(Profile profile, open({paths[i]}, options));
    profile.name = names[i];
    profiles.push_back(std::move(profile));
  }
  return profiles;
}

std::vector<std::string> profile_names(const std::vector<std::string>& paths) {
  std::vector<std::string> names;
  names.reserve(paths.size());
  for (const std::string& path : paths) names.push_back(file_name(path));
  std::vector<std::string> result;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const bool is_alone = std::count(names.begin(), names.end(), names[i]) == 1;
    const auto here = paths.begin() + static_cast<std::ptrdiff_t>(i);
    const auto before = std::count(paths.begin(), here, paths[i]);
    const std::string& name = is_alone ? names[i] : paths[i];
    result.push_back(before == 0 ? name : fmt::format("{}#{}", name, before + 1));
  }
  return result;
}

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
    ASSIGN_OR_RETURN(Profile profile, open(files, options));
    if (profile.subject() == Subject::kTimeline) {
      return failure(
          bad_input(fmt::format("{}: a timeline of the host, which tells no figures to compare or to hold "
                                "against a budget; give the "
                                "ops report of the run",
                                files.front())));
    }
    profiles.push_back(std::move(profile));
    return {};
  };
  if (paths.size() == 1) {
    RETURN_IF_ERROR(add(paths));
    return profiles;
  }
  std::array<std::vector<std::string>, kSubjectCount> files;
  for (const std::string& path : paths) {
    ASSIGN_OR_RETURN(const Subject subject, subject_of({path}));
    files[static_cast<std::size_t>(subject)].push_back(path);
  }
  for (const std::vector<std::string>& group : files) {
    if (group.empty()) continue;
    RETURN_IF_ERROR(add(group));
  }
  return profiles;
}

}  // namespace ttscope::app
