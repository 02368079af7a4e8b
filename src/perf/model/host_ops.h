#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "perf/model/device_profile.h"

namespace ttscope::perf {

/// The cells of a tensor in a report.
struct TensorCells {
  std::string w, z, y, x, layout, dtype, memory;
};

/// What a full op message says; ops that repeat it share one. The texts are the cells of a report, before
/// commas are replaced: lists and maps are written as Python prints them.
struct OpInfo {
  std::string op_code;
  std::string op_type;
  std::string attributes;
  std::string math_fidelity;
  std::string parallelization;
  std::string compute_sources, compute_hashes;
  std::string data_movement_sources, data_movement_hashes;
  std::string program_hash;
  std::string pm_ideal, pm_compute, pm_bandwidth, pm_req_input, pm_req_output;
  double pm_compute_ns = -1;  ///< below 0: unknown
  std::vector<TensorCells> inputs;
  std::vector<TensorCells> outputs;
  std::vector<std::pair<std::string, std::string>> kernel_sizes;  ///< column and value
};

/// Time in zones of one name below an op's zone.
struct ChildTime {
  std::uint32_t name = 0;  ///< into HostCapture::child_names
  std::int64_t total_ns = 0;
  std::int64_t own_zone_ns = 0;  ///< of it, the op's own zone, which recent captures list as its child
};

/// One op that the host reported.
struct HostOp {
  std::uint64_t id = 0;  ///< GLOBAL CALL COUNT
  std::uint32_t info = 0;
  std::uint32_t location = 0;  ///< in HostCapture::locations
  std::int64_t device = -1;    ///< -1: the op ran on the host
  std::int64_t trace = -1;     ///< captured into this trace
  std::int64_t message_ns = 0;
  std::int64_t zone_start_ns = kNoFigure;
  std::int64_t zone_ns = kNoFigure;
  std::int64_t around_start_ns = kNoFigure;  ///< of the zone around the whole op, when there is one
  std::int64_t around_ns = kNoFigure;
  bool zone_is_message = false;  ///< the zone only covers the making of the message
  bool cache_hit_said = false;   ///< what the message says
  bool has_cache_flag = false;
  bool hash_seen_before = false;  ///< an earlier op of this device had the same program
  std::vector<ChildTime> children;
};

struct Signpost {
  std::string text;  ///< the whole message
  std::int64_t time_ns = 0;
};

/// What the host side of a capture says.
struct HostCapture {
  bool has_files = false;
  bool is_simulated = false;  ///< the capture says that its chips were
  std::vector<OpInfo> infos;
  std::vector<HostOp> ops;  ///< in the order of their first messages; ids are distinct
  std::vector<Signpost> signposts;
  std::vector<std::string> locations = {
      ""};  ///< where a compiler says that the model asks for ops; 0: nowhere
  std::map<std::pair<std::int64_t, std::int64_t>, std::vector<std::int64_t>>
      replays;  ///< (device, trace): times
  std::vector<std::string> child_names;
  PerfProblems problems;
};

}  // namespace ttscope::perf
