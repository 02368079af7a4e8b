#include "timeline/read/recording/recording_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "timeline/read/recording/recording_file.h"
#include "timeline/read/recording/shared_events.h"
#include "timeline/read/recording/thread_events.h"

namespace ttscope::timeline {
namespace {

namespace fs = std::filesystem;

struct NamedProcess {
  std::string file;
  RecordedProcess process;
  bool is_settled = false;  ///< what is missing does not come

  bool is_cut() const { return process.is_short() && (process.is_ended || is_settled); }
};

bool has_ending(const std::string& name) { return name.ends_with(record::kFileEnding); }

/// What a process is called: its program, with its number where there are several.
std::string shown_name(const RecordedProcess& process, bool is_alone) {
  std::string name = fs::path(process.program).filename().string();
  if (name.empty()) name = "program";
  return is_alone ? name : fmt::format("{} {}", name, process.process);
}

void add_findings(const NamedProcess& named, std::uint64_t bad_events, std::vector<Finding>& findings) {
  const RecordedProcess& process = named.process;
  if (process.dropped > 0) {
    findings.push_back(
        {.kind = process.is_disk_full ? FindingKind::kMarksDroppedDisk : FindingKind::kMarksDroppedRoom,
         .file = named.file,
         .count = process.dropped,
         .whole_bytes = process.is_disk_full ? std::nullopt : std::optional(process.most_bytes)});
  }
  if (process.bad_chunks + bad_events > 0) {
    findings.push_back({.kind = FindingKind::kRecordingDamaged,
                        .file = named.file,
                        .count = process.bad_chunks,
                        .events = bad_events});
  }
  if (named.is_cut()) {
    findings.push_back({.kind = FindingKind::kRecordingCut,
                        .file = named.file,
                        .bytes = process.file_bytes,
                        .whole_bytes = process.used_bytes});
  } else if (process.is_ended && process.cut_threads > 0) {
    findings.push_back({.kind = FindingKind::kThreadsCut, .file = named.file, .count = process.cut_threads});
  }
}

void count_unknown_places(const ProcessEvents& events, Timeline& timeline) {
  for (const auto& [number, location] : events.places) {
    if (timeline.locations[location] == Location{}) {
      timeline.problems.add(TimelineProblem::kUnknownLocation, fmt::format("place {}", number));
    }
  }
}

TimelineSource source_of(const NamedProcess& named) {
  TimelineSource source;
  source.path = named.file;
  source.format = fmt::format("recording {}", record::kFileVersion);
  source.program = fs::path(named.process.program).filename().string();
  source.host = named.process.host;
  source.process = named.process.process;
  source.captured_at_ns = std::max<std::int64_t>(named.process.first_real_ns, 0);
  return source;
}

/// The difference of two times of a file, which may be any numbers.
std::int64_t distance_ns(std::int64_t later, std::int64_t earlier) {
  constexpr std::int64_t kMost = 4'000'000'000'000'000'000;
  const double distance = static_cast<double>(later) - static_cast<double>(earlier);
  return distance > 0 && distance < static_cast<double>(kMost) ? later - earlier : 0;
}

/// Where the recording of each process begins on the axis. Those of one boot share a clock; others share the
/// time of day.
std::vector<std::int64_t> offsets_of(const std::vector<NamedProcess>& processes, Timeline& timeline) {
  const std::string& boot = processes.front().process.boot;
  const bool is_one_clock =
      !boot.empty() && std::all_of(processes.begin(), processes.end(),
                                   [&](const auto& named) { return named.process.boot == boot; });
  const auto begin_of = [&](const NamedProcess& named) {
    return is_one_clock ? named.process.first_mono_ns : named.process.first_real_ns;
  };
  std::int64_t first = begin_of(processes.front());
  for (const NamedProcess& named : processes) first = std::min(first, begin_of(named));
  std::vector<std::int64_t> offsets;
  for (const NamedProcess& named : processes) {
    offsets.push_back(distance_ns(begin_of(named), first));
    const bool is_recorded = is_one_clock || processes.size() == 1;
    timeline.alignments.push_back(
        {.what = named.file, .basis = is_recorded ? AlignmentBasis::kRecorded : AlignmentBasis::kStamps});
  }
  return offsets;
}

/// Workers that their pool ends by a signal, or that leave without a look back, say nothing of the program.
bool is_child_of_one(const RecordedProcess& process, const std::vector<NamedProcess>& processes) {
  return std::any_of(processes.begin(), processes.end(), [&](const NamedProcess& other) {
    return other.process.process == process.parent && other.process.program == process.program &&
           other.process.boot == process.boot && other.process.host == process.host;
  });
}

void add_process(const NamedProcess& named, std::int64_t offset_ns, const std::vector<NamedProcess>& all,
                 Timeline& timeline) {
  const bool is_alone = all.size() == 1;
  ProcessEvents events(named.process, timeline);
  events.is_child = is_child_of_one(named.process, all);
  events.offset_ns = offset_ns;
  events.last_ns = offset_ns;
  events.group = static_cast<std::uint32_t>(timeline.groups.size());
  timeline.groups.push_back({timeline.texts.intern(shown_name(named.process, is_alone)), kNone});
  for (const RecordedThread& thread : named.process.threads) add_thread(thread, events);
  add_shared_events(events);
  count_unknown_places(events, timeline);
  add_findings(named, events.bad_events, timeline.findings);
  timeline.sources.push_back(source_of(named));
}

}  // namespace

bool is_recording(const io::Beginning& beginning) {
  if (beginning.path_kind == io::PathKind::kFolder) {
    return std::any_of(beginning.names.begin(), beginning.names.end(), has_ending);
  }
  return beginning.bytes.starts_with(std::string_view(record::kFileMagic, sizeof(record::kFileMagic)));
}

std::vector<std::string> recording_files(const std::string& path) {
  std::error_code error;
  if (!fs::is_directory(path, error)) return {path};
  std::vector<std::string> files;
  for (fs::directory_iterator at(path, fs::directory_options::skip_permission_denied, error), end;
       !error && at != end; at.increment(error)) {
    std::error_code no_file;
    if (has_ending(at->path().filename().string()) && at->is_regular_file(no_file))
      files.push_back(at->path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

Result<Timeline> read_recordings(const std::vector<RecordingInput>& files) {
  Timeline timeline;
  std::vector<NamedProcess> processes;
  for (const RecordingInput& file : files) {
    Result<RecordedProcess> process = take_apart(file.bytes, file.name);
    if (!process && files.size() == 1) return failure(process.error());
    if (process) {
      NamedProcess named = {file.name, std::move(*process), file.is_settled};
      const bool is_missing = named.process.is_short() || named.process.cut_threads > 0;
      if (file.is_outgrown != nullptr)
        *file.is_outgrown |= is_missing && !named.process.is_ended && !named.is_cut();
      processes.push_back(std::move(named));
    } else {
      timeline.findings.push_back(reader_warning(process.error().message));
    }
  }
  if (processes.empty()) return failure(bad_input("none of the files is a recording"));
  std::stable_sort(processes.begin(), processes.end(), [](const NamedProcess& a, const NamedProcess& b) {
    return a.process.first_real_ns < b.process.first_real_ns;
  });
  const std::vector<std::int64_t> offsets = offsets_of(processes, timeline);
  for (std::size_t i = 0; i < processes.size(); ++i) {
    add_process(processes[i], offsets[i], processes, timeline);
    processes[i].process.threads.clear();
  }
  if (processes.size() > 1) timeline.merge_equal_locations();
  std::stable_sort(timeline.messages.begin(), timeline.messages.end(),
                   [](const Message& a, const Message& b) { return a.time_ns < b.time_ns; });
  timeline.find_span();
  return timeline;
}

}  // namespace ttscope::timeline
