#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "perf/analyse/profile.h"
#include "perf/find_files.h"
#include "perf/model/rules.h"

namespace ttscope::perf {

/// The host's two files as texts, made of a capture of Tracy.
struct HostTables {
  std::string times;          ///< tracy_ops_times.csv
  std::string messages;       ///< tracy_ops_data.csv
  std::string warning;        ///< the capture is cut or damaged
  bool is_simulated = false;  ///< it says that its chips were
};

/// How captures are read.
struct CaptureOptions {
  const Rules* rules = &own_rules();
  bool device_only = false;      ///< leave the host's files aside
  bool from_device_log = false;  ///< leave the runtime's own report aside
  bool noc_traces = false;
  bool zones = false;  ///< of captures with ops too; a second pass over the log
  unsigned threads = 1;
  /// Makes the host's files of a capture of Tracy, which another subject reads; null: such captures are left
  /// aside.
  Result<HostTables> (*read_host_capture)(const std::string& path) = nullptr;
};

struct LoadOptions {
  CaptureOptions capture;
  ShownOptions shown;  ///< an architecture or clock that it does not have is that of the captures
  std::optional<StackOptions> stack{};  ///< what Profile::stack sums up; none: it stays empty
};

/// Opens folders and files of the profiler, or finished reports. Nothing found: no op has a time, or a
/// signpost that `shown` names is not there.
Result<Profile> load(const std::vector<std::string>& paths, const LoadOptions& options);

// The same in steps, for a command that does something between them.

/// Why these files cannot be read together; empty: they can.
std::string refusal_of(const FoundFiles& files, const CaptureOptions& options);
/// What shows the host's side of captures of which nothing else can be told; empty: they have none.
std::string host_advice(const std::vector<Capture>& captures);
/// The same as a whole complaint, which says what they lack too.
std::string no_device_words(const std::vector<Capture>& captures);
/// Reads captures, or the rows of finished reports.
Result<Profile> read_files(FoundFiles& files, const CaptureOptions& options);
/// Makes the rows of captures, and finds out what the rows mean.
Result<void> analyse_ops(const LoadOptions& options, Profile& profile);

}  // namespace ttscope::perf
