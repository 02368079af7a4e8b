#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "perf/model/device_profile.h"

namespace ttscope::perf {

/// One row of a device log as it is written. Views point into the log.
struct LogMarker {
  std::string_view timer, time, data, op_id, trace, replay, zone, type, line, file, meta;
};

/// Gives the rows of a log by their places.
class MarkerRows {
 public:
  virtual ~MarkerRows() = default;
  /// The row at this place.
  virtual LogMarker read(std::uint64_t at) const = 0;
  /// Only its time.
  virtual std::uint64_t cycle_at(std::uint64_t at) const = 0;
  /// The place behind the row.
  virtual std::uint64_t after(std::uint64_t at) const = 0;
};

/// Rows of one processor and execution that follow each other in the log, none earlier than the one before.
/// Their places are not kept one by one, so a log of any length has few of them.
struct MarkerExtent {
  std::uint64_t at = 0;           ///< of the first row
  std::uint64_t first_cycle = 0;  ///< as recorded
  std::uint32_t rows = 0;
  std::uint32_t op = 0;  ///< into DeviceMarkers::ops
};

struct MarkerProcessor {
  std::uint16_t x = 0;
  std::uint16_t y = 0;
  std::uint32_t core = 0;  ///< into DeviceMarkers::cores
  std::string_view risc;
};

/// Extents of one processor in order of the log and of time.
struct MarkerLane {
  std::uint32_t processor = 0;
  std::vector<MarkerExtent> extents;
};

struct MarkerCore {
  std::uint16_t x = 0;
  std::uint16_t y = 0;
  bool dispatches = false;  ///< a processor other than ERISC has a zone of the command queue
};

/// All rows of one device.
struct DeviceMarkers {
  std::uint32_t device = 0;
  bool wrapped = false;                     ///< the 44-bit timer began again from zero
  std::vector<MarkerCore> cores;            ///< in order of appearance
  std::vector<MarkerProcessor> processors;  ///< core by core, in order of appearance
  std::vector<MarkerLane> lanes;            ///< processor by processor; more than one if its times fall
  std::vector<ExecutionKey> ops;
};

struct MarkerLog {
  std::vector<DeviceMarkers> devices;  ///< ascending
  std::shared_ptr<const MarkerRows> rows;
};

}  // namespace ttscope::perf
