#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "io/chunk_source.h"
#include "mem/model/runtime_trace.h"

namespace ttscope::mem {

struct ReadProgress {
  std::uint64_t bytes_done = 0;
  std::uint64_t bytes_total = 0;  ///< 0: unknown
  std::uint64_t ops = 0;
};

struct ReadOptions {
  unsigned threads = 1;  ///< that scan lines, besides the caller's; 0 scans on the caller's thread
  std::function<void(const ReadProgress&)> progress;  ///< called on the caller's thread, about once a chunk
  /// A line that it is true of ends the reading: the log is of another kind (ErrorCode::kOtherKind). Asked of
  /// lines that mean nothing to a memory profile, on any thread; null: nothing is.
  bool (*is_other_kind)(std::string_view line) = nullptr;
  io::SourceOptions source;  ///< sizes of chunks and lines; the trace does not depend on the chunks
};

/// Reads TT-XLA runtime logs (a path each, `-` for standard input). Lines of several ranks are told apart by
/// their tags; several files are several ranks unless a file holds nothing but module dumps. Fails only when
/// an input cannot be read at all; a log without any line of interest gives a trace without ranks.
Result<RuntimeTrace> read_runtime_logs(const std::vector<std::string>& paths, const ReadOptions& options);

}  // namespace ttscope::mem
