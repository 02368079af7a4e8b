#pragma once

#include <ttscope/device.h>
#include <ttscope/memory_owner.h>
#include <ttscope/tensor.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "base/chips.h"
#include "base/result.h"
#include "sim/device/allocator.h"
#include "sim/device/program.h"

namespace ttscope::sim {

/// Captures name the mesh by this number in buffer and tensor nodes, the chips from 0 in circular-buffer
/// nodes.
inline constexpr std::int64_t kMeshId = 1;

/// One chip of it, and how many there are.
DeviceSpec spec_of(const Product& product);

constexpr const Architecture& architecture_of(Arch arch) {
  return arch == Arch::kBlackhole ? kBlackhole : kWormhole;
}

struct ObservedOp;

using OpObserver = std::function<void(const ObservedOp&)>;

/// A device behind its handles.
class DeviceState : public std::enable_shared_from_this<DeviceState> {
 public:
  DeviceState(DeviceSpec spec, Allocator allocator)
      : spec_(std::move(spec)), allocator_(std::move(allocator)) {}

  const DeviceSpec& spec() const { return spec_; }
  Allocator& allocator() { return allocator_; }
  void enable_program_cache(bool enabled);
  std::uint32_t program_cache_entries() const { return static_cast<std::uint32_t>(programs_.size()); }

  /// All buffers of this device, whether or not the allocator knows them.
  void add_live(const Buffer& buffer);
  void remove_live(const Buffer& buffer);
  /// What a failure of this request has to say, from the state of now.
  MemoryFailure failure_of(const BufferRequest& request) const;

  /// Runs it: throws OutOfMemory when its binary or its circular buffers do not fit, and tells the captures.
  void run(const Program& program);
  /// Who is told of operations that ran; may be empty.
  OpObserver& op_observer() { return op_observer_; }

 private:
  struct CachedProgram {
    CircularBufferPlaces places;
    std::shared_ptr<Buffer> binary;
  };
  void record_only(const Program& program);
  CachedProgram build(const Program& program);

  DeviceSpec spec_;
  Allocator allocator_;
  OpObserver op_observer_;
  bool caches_programs_ = true;
  std::uint64_t last_program_id_ = 0;
  std::map<std::string, CachedProgram> programs_;
  std::map<std::uint64_t, const Buffer*> live_;  ///< by the buffer's id
};

/// Memory on a device, freed with the object. It holds only the allocator's owner weakly: a program's binary
/// lives in the device itself.
class Buffer {
 public:
  /// Throws OutOfMemory.
  Buffer(DeviceState& device, const BufferRequest& request);
  ~Buffer();
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  void free();
  bool is_allocated() const { return allocated_; }
  std::uint64_t id() const { return id_; }
  std::uint64_t address() const { return address_; }
  const BufferRequest& request() const { return request_; }
  const BankShare& share() const { return share_; }
  const std::shared_ptr<MemoryOwner>& owner() const { return owner_; }

 private:
  std::weak_ptr<DeviceState> device_;
  BufferRequest request_;
  BankShare share_;
  std::shared_ptr<MemoryOwner>
      owner_;  ///< captures hold it too: it may be completed after the buffer is gone
  std::uint64_t id_ = 0;
  std::uint64_t address_ = 0;
  bool placed_ = false;  ///< the allocator knows it; not so in NO_DISPATCH
  bool allocated_ = false;
};

struct Tensor::State {
  TensorSpec spec;
  std::shared_ptr<DeviceState> device;  ///< before the buffer, so that it outlives it
  std::shared_ptr<Buffer> buffer;
  std::uint64_t id = 0;
};

inline constexpr std::uint32_t kTileSide = 32;

/// Bytes of a 32x32 tile of this type.
std::uint64_t tile_bytes(DataType type);
/// Tiles of the whole tensor: leading dimensions times tiles of the last two.
std::uint64_t tiles_of(const Shape& shape);
/// The buffer that a tensor needs: its pages, and where they go.
Result<BufferRequest> buffer_request(const TensorSpec& spec);

}  // namespace ttscope::sim
