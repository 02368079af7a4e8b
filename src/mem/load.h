#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "mem/analyze/logs.h"
#include "mem/analyze/memory_profile.h"
#include "mem/read/log_reader.h"

namespace ttscope::mem {

struct LoadOptions {
  unsigned threads = 0;  ///< in all; 0: as many as the machine has, up to what helps
  std::function<void(const ReadProgress&)> progress{};  ///< on the caller's thread, about once a chunk
  bool live_totals = false;          ///< the per-op files will be written (RankProfile::live_totals)
  std::uint32_t live_at_line = 0;    ///< the live set before the op at this line is wanted; 0: none
  std::uint32_t live_at_op = kNone;  ///< the same for an op of the main rank by its index
  const Product* device = nullptr;   ///< supplies what the log does not tell
  std::function<bool()>
      is_being_written{};  ///< whether a log still grows; asked only where it ends inside a program
  /// See ReadOptions: tells lines of another kind of log, which end the reading.
  bool (*is_other_kind)(std::string_view line) = nullptr;
  bool run_failed_modules = false;  ///< where ops are wanted though the log has a failure alone: see there
  io::SourceOptions source{};
  std::string run_name{};  ///< which run of a folder that holds several; empty: the only one
};

/// Reads and profiles whatever is given: runtime logs (a path each, `-` for standard input), compiled
/// modules, or one folder with the files of a run, or one of these files. See load_logs(), load_modules() and
/// load_run().
Result<Profile> load(const std::vector<std::string>& paths, const LoadOptions& options);

/// Runtime logs only. Logs that hold neither an op nor a memory line nor a failure are modeled from the TTNN
/// modules in them; without these they are ErrorCode::kNothingFound, with the settings that would print them.
/// Messages of failures alone are enough.
Result<Profile> load_logs(const std::vector<std::string>& paths, const LoadOptions& options);

/// Compiled modules (docs/formats/ttnn_module.md): what running their programs once would take, modeled.
Result<Profile> load_modules(const std::vector<std::string>& paths, const LoadOptions& options);

/// One log, or any text that holds messages of failures, and these explained; it may hold none.
Result<OomLog> load_oom(const std::string& path, const LoadOptions& options);

/// The run whose four files (docs/formats/ttmem_files.md) lie in a folder.
Result<Profile> load_run(const std::string& folder, const LoadOptions& options);

/// Runtime logs without an analysis; they may hold nothing.
Result<RuntimeLog> load_runtime_logs(const std::vector<std::string>& paths, const LoadOptions& options);

/// The complaint about a path that cannot be a log: missing, a folder or not readable (kBadInput), empty
/// (kNothingFound). Nothing for `-` and pipes that can be read.
Result<void> check_log(const std::string& path);

}  // namespace ttscope::mem
