#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "mem/model/runtime_log.h"
#include "timeline/model/timeline.h"

namespace ttscope::app {

/// An op that a runtime log and a timeline both name.
struct SharedOp {
  std::uint32_t line = 0;  ///< of the log
  std::int64_t time_ns = 0;
};

/// What one host said of its ops in messages, in order of time.
struct HostOps {
  struct Op {
    std::string text;
    std::int64_t time_ns = 0;
  };
  std::vector<std::string> paths;  ///< of its files
  std::vector<Op> locations;       ///< the compiler's, said before an op runs (`MLIR_OP_LOCATION;loc("...")`)
  std::vector<Op> names;
  std::vector<Op> names_of_one;  ///< of these, those of one device: each device of a mesh has its own message
};

HostOps collect_host_ops(const timeline::Timeline& host, std::int64_t shift_ns);

/// A process of a log, and where the log is: what tells which host it ran on.
struct LogProcess {
  const std::string& path;
  const mem::RuntimeLog& log;
  std::size_t rank = 0;  ///< place among the trace's ranks
};

/// Ops in order of both, and the host that they are of.
struct SharedOps {
  std::vector<SharedOp> ops;
  std::size_t host = 0;          ///< place among the hosts
  bool is_host_guessed = false;  ///< several hosts say the same, and no path and no rank tells them apart
};

/// Ops by the location of each, else by their names in the host's messages, else by those of a device's ops.
SharedOps shared_ops(const LogProcess& process, const std::vector<HostOps>& hosts,
                     const timeline::Timeline& timeline);

/// A runtime log, and what it is called beside the others.
struct MemoryLog {
  std::string path;
  std::string name;
};

/// Their file names, with the folder where they share one.
std::vector<MemoryLog> named_logs(const std::vector<std::string>& paths);

/// Adds the memory of a runtime log as curves, one for each memory that it tells of: on the axis by ops that
/// the log and its host both name, else by the time of day. Which of them and how well is in
/// Timeline::alignments; what of the log could not be read in its findings. A log that has neither is left
/// out with a warning; alone it is an error.
Result<void> add_memory_curves(const MemoryLog& log, const std::vector<HostOps>& hosts, unsigned threads,
                               timeline::Timeline& timeline);

}  // namespace ttscope::app
