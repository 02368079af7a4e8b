#include "sim/device/device_state.h"

#include <fmt/format.h>
#include <ttscope/device.h>
#include <ttscope/memory_owner.h>
#include <ttscope/tensor.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <stdexcept>
#include <utility>

#include "base/result.h"
#include "mem/model/tensor_type.h"
#include "sim/device/allocator.h"
#include "sim/device/ops.h"
#include "sim/device/recorder.h"

namespace ttscope::sim {
namespace {

constexpr std::uint64_t kMib = std::uint64_t{1} << 20;
constexpr std::uint64_t kCommandQueueBytes = 16 * kMib;

std::uint64_t ceil_divide(std::uint64_t value, std::uint64_t by) { return (value + by - 1) / by; }

}  // namespace

std::string_view name_of(BufferType type) {
  static constexpr std::array<std::string_view, 5> kNames{"DRAM", "L1", "SYSTEM_MEMORY", "L1_SMALL", "TRACE"};
  return kNames[static_cast<std::size_t>(type)];
}

DeviceSpec spec_of(const Product& product) {
  const Architecture& architecture = *product.architecture;
  DeviceSpec spec;
  spec.name = product.name;
  spec.arch = &architecture == &kBlackhole ? Arch::kBlackhole : Arch::kWormhole;
  spec.chips = product.chips;
  spec.dram_banks = product.dram_banks;
  spec.dram_bank_bytes = static_cast<std::uint64_t>(architecture.dram_bank_bytes);
  spec.dram_alignment_bytes = architecture.dram_alignment_bytes;
  spec.l1_alignment_bytes = architecture.l1_alignment_bytes;
  spec.l1_bytes_per_core = static_cast<std::uint64_t>(architecture.l1_bytes);
  spec.l1_base_address = static_cast<std::uint64_t>(architecture.l1_base_address_of_captures);
  spec.grid_x = product.simulated_columns;
  spec.grid_y = product.simulated_rows;
  spec.physical_cores = architecture.profiler_cores_per_dram_bank * product.dram_banks;
  return spec;
}

DeviceSpec DeviceSpec::n150() { return named("n150"); }
DeviceSpec DeviceSpec::n300() { return named("n300"); }
DeviceSpec DeviceSpec::p100() { return named("p100"); }
DeviceSpec DeviceSpec::p150() { return named("p150"); }

DeviceSpec DeviceSpec::named(std::string_view name) {
  for (const std::string_view preset : {"n150", "n300", "p100", "p150"}) {
    if (name == preset) return spec_of(*find_product(name));
  }
  throw std::invalid_argument(fmt::format("unknown device `{}`: known are n150, n300, p100 and p150", name));
}

std::uint64_t DeviceSpec::dram_base_address() const {
  std::uint64_t base = dram_alignment_bytes;  // the barrier word, rounded up
  if (profiler_reserved) {
    const std::uint64_t cores = physical_cores != 0 ? physical_cores : std::uint64_t{grid_x} * grid_y;
    base += std::uint64_t{kProfilerBytesPerRisc} * kRiscsPerCore *
            ceil_divide(cores, dram_banks == 0 ? 1 : dram_banks);
  }
  if (device_print_reserved) base += dram_alignment_bytes + std::uint64_t{kDevicePrintBytes};
  if (command_queue_reserved) base += kCommandQueueBytes;
  return round_up(base, dram_alignment_bytes);
}

std::uint64_t DeviceSpec::trace_bytes_per_bank() const {
  if (trace_region_bytes == 0 || dram_banks == 0) return 0;
  return round_up(ceil_divide(trace_region_bytes, dram_banks), kTracePageBytes);
}

std::uint64_t DeviceSpec::dram_usable_bytes_per_bank() const {
  const std::uint64_t reserved = dram_base_address() + trace_bytes_per_bank();
  return dram_bank_bytes > reserved ? dram_bank_bytes - reserved : 0;
}

std::uint64_t DeviceSpec::l1_usable_bytes_per_core() const {
  const std::uint64_t reserved = l1_base_address + round_up(l1_small_bytes, dram_alignment_bytes);
  return l1_bytes_per_core > reserved ? l1_bytes_per_core - reserved : 0;
}

namespace {

/// The names under which model/tensor_type knows the sizes of elements.
std::string_view element_name(DataType type) {
  static constexpr std::array<std::string_view, 8> kNames{"bf16", "f32",  "bfp_bf8", "bfp_bf4",
                                                          "u32",  "si32", "u16",     "u8"};
  return kNames[static_cast<std::size_t>(type)];
}

bool is_block_format(DataType type) { return type == DataType::kBfloat8B || type == DataType::kBfloat4B; }

std::uint32_t tiles_along(std::uint32_t size) { return (size + kTileSide - 1) / kTileSide; }

std::uint64_t last_dim(const Shape& shape) { return shape.rank() == 0 ? 1 : shape[-1]; }

std::uint64_t element_size(DataType type) {
  return static_cast<std::uint64_t>(mem::element_bytes(element_name(type)));
}

Result<void> apply_shards(const TensorSpec& spec, BufferRequest& request) {
  if (!spec.memory.shard) {
    return failure(
        bad_input(fmt::format("a {} tensor needs a shard specification", name_of(spec.memory.layout))));
  }
  const ShardSpec& shard = *spec.memory.shard;
  request.shard_cores = shard.cores;
  if (spec.layout == Layout::kTile) {
    request.pages_per_shard = std::uint64_t{tiles_along(shard.height)} * tiles_along(shard.width);
  } else {
    request.page_bytes = shard.width * element_size(spec.dtype);
    request.pages_per_shard = shard.height;
  }
  const std::uint64_t held = request.pages_per_shard * shard.cores * request.page_bytes;
  if (held < request.size_bytes) {
    return failure(
        bad_input(fmt::format("{} shards of {} x {} hold {} B, the tensor {} has {} B", shard.cores,
                              shard.height, shard.width, held, spec.shape.text(), request.size_bytes)));
  }
  return {};
}

}  // namespace

std::uint64_t tile_bytes(DataType type) {
  return static_cast<std::uint64_t>(ttscope::mem::tile_bytes(element_name(type), kTileSide, kTileSide));
}

std::uint64_t tiles_of(const Shape& shape) {
  const std::size_t rank = shape.rank();
  std::uint64_t tiles = 1;
  for (std::size_t i = 0; i < rank; ++i) {
    const std::uint32_t dim = shape.dims()[i];
    tiles *= i + 2 >= rank ? tiles_along(dim) : dim;
  }
  return tiles;
}

std::uint64_t TensorSpec::stored_bytes() const {
  if (layout == Layout::kTile) return tiles_of(shape) * tile_bytes(dtype);
  return shape.volume() * element_size(dtype);
}

Result<BufferRequest> buffer_request(const TensorSpec& spec) {
  if (spec.layout == Layout::kRowMajor && is_block_format(spec.dtype)) {
    return failure(bad_input(fmt::format("{} exists only in tiles", name_of(spec.dtype))));
  }
  BufferRequest request;
  request.type = spec.memory.type;
  request.layout = spec.memory.layout;
  request.size_bytes = spec.stored_bytes();
  request.page_bytes =
      spec.layout == Layout::kTile ? tile_bytes(spec.dtype) : last_dim(spec.shape) * element_size(spec.dtype);
  if (spec.memory.layout != BufferLayout::kInterleaved) {
    RETURN_IF_ERROR(apply_shards(spec, request));
  }
  return request;
}

namespace {

// Its header is public: include/ttscope.

constexpr std::uint64_t kBinaryPageBytes = 2048;

BufferRequest binary_request(std::uint64_t size_bytes) {
  BufferRequest request;
  request.size_bytes = size_bytes;
  request.page_bytes = kBinaryPageBytes;
  request.bottom_up = false;  // away from the tensors, which grow from below
  return request;
}

void record_circular_buffers(const Program& program, const std::vector<std::uint64_t>& addresses,
                             std::int64_t device_id) {
  CaptureStack& captures = CaptureStack::current();
  if (!captures.is_active()) return;
  for (std::size_t i = 0; i < program.circular_buffers.size(); ++i) {
    const CircularBuffer& buffer = program.circular_buffers[i];
    const std::string cores = core_ranges_text(buffer.cores);
    graph::GraphTraceBuilder::ProgramBuffer node;
    node.size_bytes = static_cast<std::int64_t>(buffer.size_bytes);
    node.address = addresses.empty() ? 0 : static_cast<std::int64_t>(addresses[i]);
    node.device_id = device_id;
    node.core_ranges = cores;
    node.borrowed = buffer.globally_allocated;
    captures.for_each([&](Recorder& recorder) { recorder.allocate_circular_buffer(node); });
  }
}

/// `MatmulDeviceOperation` of the key of a program.
std::string_view operation_of(std::string_view program_key) {
  return program_key.substr(0, program_key.find('('));
}

}  // namespace

void DeviceState::add_live(const Buffer& buffer) { live_.emplace(buffer.id(), &buffer); }

void DeviceState::remove_live(const Buffer& buffer) { live_.erase(buffer.id()); }

MemoryFailure DeviceState::failure_of(const BufferRequest& request) const {
  MemoryFailure failure;
  failure.memory = request.type;
  failure.operation = current_operation();
  failure.module = OwnerScope::current().name;
  failure.bytes_per_bank = bank_share(request, spec_).bytes_per_bank;
  failure.stats = allocator_.stats(request.type);
  std::map<std::pair<MemoryKind, std::string>, LiveMemory> by_owner;
  for (const auto& [id, buffer] : live_) {
    if (buffer->request().type != request.type) continue;
    const MemoryOwner& owner = *buffer->owner();
    LiveMemory& entry = by_owner[{owner.kind, owner.name}];
    entry.kind = name_of(owner.kind);
    entry.name = owner.name;
    entry.bytes_per_bank += buffer->share().bytes_per_bank;
    ++entry.buffers;
  }
  for (auto& [owner, entry] : by_owner) failure.live.push_back(std::move(entry));
  std::stable_sort(failure.live.begin(), failure.live.end(), [](const LiveMemory& a, const LiveMemory& b) {
    return a.bytes_per_bank > b.bytes_per_bank;
  });
  return failure;
}

void DeviceState::enable_program_cache(bool enabled) {
  caches_programs_ = enabled;
  if (!enabled) programs_.clear();
}

void DeviceState::run(const Program& program) {
  CaptureStack::current().for_each([](Recorder& recorder) { recorder.deallocate_program_buffers(kMeshId); });
  if (CaptureStack::current().is_blocking()) {
    record_circular_buffers(program, {}, kMeshId);
    return;
  }
  const auto cached = programs_.find(program.key);
  if (cached == programs_.end()) {
    CachedProgram built = build(program);
    if (caches_programs_) programs_.emplace(program.key, std::move(built));
    return;
  }
  const auto fits = check_circular_buffers(cached->second.places, spec_,
                                           allocator_.stats(BufferType::kL1).lowest_occupied_address);
  if (!fits) throw OutOfMemory(fits.error().message);
}

DeviceState::CachedProgram DeviceState::build(const Program& program) {
  CachedProgram built;
  built.places = place_circular_buffers(program, spec_);
  built.places.program_id = ++last_program_id_;
  const auto fits =
      check_circular_buffers(built.places, spec_, allocator_.stats(BufferType::kL1).lowest_occupied_address);
  if (!fits) throw OutOfMemory(fits.error().message);
  for (std::uint32_t chip = 0; chip < spec_.chips; ++chip) {
    record_circular_buffers(program, built.places.addresses, chip);
  }
  if (program.binary_bytes > 0) {
    const OwnerScope binary(MemoryKind::kBinary, operation_of(program.key));
    built.binary = std::make_shared<Buffer>(*this, binary_request(program.binary_bytes));
  }
  return built;
}

Device::Device(const DeviceSpec& spec) {
  auto allocator = Allocator::create(spec);
  if (!allocator) throw std::invalid_argument(allocator.error().message);
  state_ = std::make_shared<DeviceState>(spec, std::move(*allocator));
}

const DeviceSpec& Device::spec() const { return state_->spec(); }

MemoryStats Device::stats(BufferType type) const { return state_->allocator().stats(type); }

std::uint64_t Device::peak_allocated_bytes_per_bank(BufferType type) const {
  return state_->allocator().peak_allocated_bytes_per_bank(type);
}

void Device::begin_window() { state_->allocator().begin_window(); }

const MemoryWindow& Device::window(BufferType type) const { return state_->allocator().window(type); }

void Device::enable_program_cache(bool enabled) { state_->enable_program_cache(enabled); }

std::uint32_t Device::program_cache_entries() const { return state_->program_cache_entries(); }

namespace {

// Its header is public: include/ttscope.

MemoryOwner& current_owner() {
  static thread_local MemoryOwner owner;
  return owner;
}

}  // namespace

std::string_view name_of(MemoryKind kind) {
  static constexpr std::array<std::string_view, 6> kNames{"activation", "weight", "gradient",
                                                          "moment",     "input",  "binary"};
  return kNames[static_cast<std::size_t>(kind)];
}

const MemoryOwner* owner_of(const Tensor& tensor) {
  return tensor.is_initialized() ? tensor.state().buffer->owner().get() : nullptr;
}

void set_owner(const Tensor& tensor, MemoryOwner owner) {
  if (tensor.is_initialized()) *tensor.state().buffer->owner() = std::move(owner);
}

OwnerScope::OwnerScope(MemoryKind kind, std::string_view name) : before_(current_owner()) {
  MemoryOwner& owner = current_owner();
  owner.kind = kind;
  if (!name.empty()) owner.name = name;
}

OwnerScope::~OwnerScope() { current_owner() = std::move(before_); }

const MemoryOwner& OwnerScope::current() { return current_owner(); }

namespace {

std::uint64_t next_buffer_id() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

}  // namespace

Buffer::Buffer(DeviceState& device, const BufferRequest& request)
    : device_(device.weak_from_this()),
      request_(request),
      share_(bank_share(request, device.spec())),
      owner_(std::make_shared<MemoryOwner>(OwnerScope::current())),
      id_(next_buffer_id()) {
  CaptureStack& captures = CaptureStack::current();
  if (!captures.is_blocking() && request_.size_bytes > 0) {
    const auto address = device.allocator().allocate(request_);
    if (!address) throw OutOfMemory(address.error().message, device.failure_of(request_));
    address_ = *address;
    placed_ = true;
    if (device.allocator().is_at_window_peak(request_.type)) {
      device.allocator().name_window_peak(request_.type, current_operation(), OwnerScope::current().name);
    }
  }
  allocated_ = true;
  if (request_.size_bytes == 0) return;
  device.add_live(*this);
  captures.for_each([&](Recorder& recorder) {
    recorder.note_device(recorded_device(device.spec()));
    recorder.allocate(recorded_buffer(*this), address_);
  });
}

Buffer::~Buffer() { free(); }

void Buffer::free() {
  if (!allocated_) return;
  allocated_ = false;
  if (request_.size_bytes == 0) return;
  CaptureStack::current().for_each(
      [this](Recorder& recorder) { recorder.deallocate(recorded_buffer(*this), address_); });
  const auto device = device_.lock();
  if (device) device->remove_live(*this);
  if (placed_ && device) device->allocator().deallocate(request_.type, address_);
}

// Its header is public: include/ttscope.

std::string_view name_of(DataType type) {
  static constexpr std::array<std::string_view, 8> kNames{"BFLOAT16", "FLOAT32", "BFLOAT8_B", "BFLOAT4_B",
                                                          "UINT32",   "INT32",   "UINT16",    "UINT8"};
  return kNames[static_cast<std::size_t>(type)];
}

std::string_view name_of(Layout layout) { return layout == Layout::kTile ? "TILE" : "ROW_MAJOR"; }

std::string_view name_of(BufferLayout layout) {
  static constexpr std::array<std::string_view, 4> kNames{"INTERLEAVED", "HEIGHT_SHARDED", "WIDTH_SHARDED",
                                                          "BLOCK_SHARDED"};
  return kNames[static_cast<std::size_t>(layout)];
}

std::uint32_t Shape::operator[](int index) const {
  const int at = index < 0 ? index + static_cast<int>(dims_.size()) : index;
  if (at < 0 || at >= static_cast<int>(dims_.size())) {
    throw std::out_of_range(fmt::format("dimension {} of {}", index, text()));
  }
  return dims_[static_cast<std::size_t>(at)];
}

std::uint64_t Shape::volume() const {
  std::uint64_t volume = 1;
  for (const std::uint32_t dim : dims_) volume *= dim;
  return volume;
}

Shape Shape::with(int index, std::uint32_t size) const {
  static_cast<void>((*this)[index]);  // throws when there is no such dimension
  Shape changed = *this;
  changed.dims_[static_cast<std::size_t>(index < 0 ? index + static_cast<int>(dims_.size()) : index)] = size;
  return changed;
}

std::string Shape::text() const { return fmt::format("Shape([{}])", fmt::join(dims_, ", ")); }

// MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,...)
std::string MemoryConfig::text() const {
  std::string shard_text = "std::nullopt";
  if (shard) {
    shard_text = fmt::format(
        "ShardSpec{{grid=[{{\"start\":{{\"x\":0,\"y\":0}},\"end\":{{\"x\":{},\"y\":0}}], shape=[{}, {}], "
        "orientation=ShardOrientation::ROW_MAJOR}}",
        shard->cores - 1, shard->height, shard->width);
  }
  return fmt::format(
      "MemoryConfig(memory_layout=TensorMemoryLayout::{},buffer_type=BufferType::{},shard_spec={},"
      "nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0)",
      name_of(layout), name_of(type), shard_text);
}

const Tensor::State& Tensor::state() const {
  if (!state_) throw std::logic_error("this tensor was never made");
  return *state_;
}

bool Tensor::is_allocated() const { return state_ && state_->buffer->is_allocated(); }

const TensorSpec& Tensor::spec() const { return state().spec; }

std::uint64_t Tensor::id() const { return state().id; }

std::uint64_t Tensor::address() const { return state().buffer->address(); }

std::uint64_t Tensor::bytes_per_bank() const { return state().buffer->share().bytes_per_bank; }

Device Tensor::device() const { return Device(state().device); }

void Tensor::deallocate() {
  Buffer& buffer = *state().buffer;
  if (!buffer.is_allocated()) return;
  CaptureStack& captures = CaptureStack::current();
  captures.for_each([](Recorder& recorder) { recorder.begin_function("Tensor::deallocate", {}, {}); });
  buffer.free();
  captures.for_each([](Recorder& recorder) { recorder.end_function("Tensor::deallocate", {}); });
}

}  // namespace ttscope::sim
