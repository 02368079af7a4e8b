#pragma once

#include <ttscope/memory_owner.h>
#include <ttscope/run_mode.h>
#include <ttscope/tensor.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "graph/model/graph_trace.h"

namespace ttscope::sim {

/// A buffer as it enters a capture.
struct RecordedBuffer {
  graph::GraphTraceBuilder::Buffer facts;
  std::uint64_t id = 0;
  std::shared_ptr<const MemoryOwner> owner;  ///< asked when the capture ends: names are completed late
};

/// A tensor as it enters a capture, with the buffer it lives in.
struct RecordedTensor {
  graph::GraphTraceBuilder::Tensor facts;
  RecordedBuffer buffer;
};

/// Makes one graph capture from the events of the device: which node stands where, at which level, connected
/// to what, as ttnn's graph processor does. Not thread safe.
class Recorder {
 public:
  Recorder();

  void begin_function(std::string_view name, std::span<const std::string> arguments,
                      std::span<const RecordedTensor> inputs);
  void end_function(std::string_view name, std::span<const RecordedTensor> outputs);
  void allocate(const RecordedBuffer& buffer, std::uint64_t address);
  void deallocate(const RecordedBuffer& buffer, std::uint64_t address);
  /// A device that buffers of the capture lie on.
  void note_device(const graph::GraphDevice& device);
  void allocate_circular_buffer(const graph::GraphTraceBuilder::ProgramBuffer& buffer);
  void deallocate_program_buffers(std::int64_t device_id);

  /// The capture; the recorder is of no use afterwards.
  graph::GraphTrace finish();

 private:
  std::uint32_t add_tensor(const RecordedTensor& tensor);
  std::uint32_t buffer_node(const RecordedBuffer& buffer);
  std::uint32_t enclosing() const { return open_functions_.empty() ? 0 : open_functions_.back(); }
  std::uint8_t level() const {
    return static_cast<std::uint8_t>(std::min<std::size_t>(open_functions_.size(), 255));
  }

  graph::GraphTraceBuilder nodes_;
  std::vector<std::uint32_t> open_functions_;  ///< function_start nodes
  struct SeenBuffer {
    std::uint32_t node = 0;
    std::shared_ptr<const MemoryOwner> owner;
  };
  std::unordered_map<std::uint64_t, SeenBuffer> buffers_;  ///< by the buffer's id
  std::vector<graph::GraphDevice> devices_;
  std::uint32_t last_function_end_ = 0;  ///< 0: none that waits for what follows it
};

/// The captures that are under way on a thread. All of them see every event of that thread, and none of
/// another one. The outermost decides whether anything is placed on the device.
class CaptureStack {
 public:
  /// That of the calling thread.
  static CaptureStack& current();

  /// A number that names the capture.
  std::uint64_t begin(RunMode mode);
  /// Ends a capture of this thread and gives what it saw; an empty capture when there is none of that number.
  graph::GraphTrace end(std::uint64_t capture);

  bool is_active() const { return !captures_.empty(); }
  /// Nothing is to be placed on the device.
  bool is_blocking() const { return is_active() && captures_.front().mode == RunMode::NO_DISPATCH; }
  void for_each(const std::function<void(Recorder&)>& tell);

 private:
  struct Capture {
    std::uint64_t number = 0;
    RunMode mode = RunMode::NORMAL;
    std::unique_ptr<Recorder> recorder;
  };
  std::vector<Capture> captures_;
};

/// What captures say of a buffer.
RecordedBuffer recorded_buffer(const Buffer& buffer);
/// What captures say of a device, under the id that buffers name.
graph::GraphDevice recorded_device(const DeviceSpec& spec);

/// What captures say of a tensor, with the texts that the facts refer to; do not move it.
struct TensorText {
  explicit TensorText(const Tensor& tensor);
  TensorText(const TensorText&) = delete;
  TensorText& operator=(const TensorText&) = delete;

  std::string shape;
  std::string dtype;
  std::string layout;
  std::string memory;
  RecordedTensor recorded;
};

}  // namespace ttscope::sim
