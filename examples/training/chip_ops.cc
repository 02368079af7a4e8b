#include "chip_ops.h"

#include <ttscope/observe_ops.h>
#include <ttscope_host/profiled_ops.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace metal = tt::tt_metal;
namespace sim = ttscope::sim;

namespace {

constexpr std::uint32_t kTileSide = 32;
constexpr std::uint64_t kPageBytes = ttscope::ProfiledOps::kPageBytes;
constexpr std::uint64_t kScratchBytes = ttscope::ProfiledOps::kMovedPages * kPageBytes;
constexpr std::uint32_t kOpsBetweenReads = 400;  // the profiler's buffers hold 1000 by default

std::uint32_t in_tiles(std::uint32_t size) { return (size + kTileSide - 1) / kTileSide; }

/// The last four dimensions, with ones in front.
std::array<std::uint32_t, 4> four_dimensions(const sim::Shape& shape) {
  std::array<std::uint32_t, 4> four{1, 1, 1, 1};
  for (std::size_t i = 0; i < std::min<std::size_t>(4, shape.rank()); ++i)
    four[3 - i] = shape[-1 - static_cast<int>(i)];
  return four;
}

std::uint64_t tiles_of(const sim::Tensor& tensor) {
  const auto four = four_dimensions(tensor.shape());
  return std::uint64_t{four[0]} * four[1] * in_tiles(four[2]) * in_tiles(four[3]);
}

/// Cycles of a core for each tile: modeled, of the size that such kernels take.
std::uint64_t cycles_of_tile(const sim::ObservedOp& op) {
  constexpr std::uint64_t kProduct = 32;  // of two tiles, in HiFi2
  switch (op.kind) {
    case sim::OpKind::kCopy:
      return 4;
    case sim::OpKind::kElementwise:
      return 8;
    case sim::OpKind::kRowwise:
      return 40;
    case sim::OpKind::kCollective:
      return 16;
    case sim::OpKind::kMatmul: {
      const bool is_transposed = op.arguments.find("transpose_a=true") != std::string_view::npos;
      return kProduct * in_tiles(op.inputs.front().shape()[is_transposed ? -2 : -1]);
    }
    case sim::OpKind::kAttention:  // two products with a matrix of weights, which is as wide as it is long
      return 2 * kProduct * in_tiles(op.outputs.front().shape()[-2]) + 40;
  }
  return 1;
}

/// At best: the tiles of the result, or of the largest that is reduced, are dealt out over the cores of a
/// program. A cycle is a nanosecond.
std::uint64_t compute_ns(const sim::ObservedOp& op) {
  std::uint64_t tiles = 0;
  if (op.kind == sim::OpKind::kRowwise) {
    for (const sim::Tensor& tensor : op.inputs) tiles = std::max(tiles, tiles_of(tensor));
  } else {
    tiles = tiles_of(op.outputs.front());
  }
  const std::uint64_t cores = ttscope::ProfiledOps::kCores;
  return (tiles + cores - 1) / cores * cycles_of_tile(op);
}

/// How long the cores read and write at best: all tensors pass DRAM once.
std::uint64_t moving_ns(const sim::ObservedOp& op, sim::Arch arch) {
  const std::uint64_t bytes_per_ns = arch == sim::Arch::kWormhole ? 288 : 512;
  std::uint64_t bytes = 0;
  for (const sim::Tensor& tensor : op.inputs) bytes += tensor.spec().stored_bytes();
  for (const sim::Tensor& tensor : op.outputs) bytes += tensor.spec().stored_bytes();
  return bytes / bytes_per_ns;
}

/// Kernels reach three quarters of the best, and the longest are cut: simulated cores are slow.
std::uint32_t turns_of(std::uint64_t best_ns) {
  constexpr std::uint64_t kLongestNs = 60'000;
  const std::uint64_t length_ns = std::min(best_ns * 4 / 3, kLongestNs);
  return static_cast<std::uint32_t>(1 + length_ns / ttscope::ProfiledOps::kCyclesOfTurn);
}

/// The first argument of `shape=[1, 32], gelu`: commas in brackets end none.
std::string_view first_argument(std::string_view arguments) {
  int open = 0;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const char c = arguments[i];
    if (c == '(' || c == '[') ++open;
    if (c == ')' || c == ']') --open;
    if (open == 0 && arguments.substr(i).starts_with(", ")) return arguments.substr(0, i);
  }
  return arguments;
}

/// `transpose_a=false, gelu` as attributes: what has no name is the `operation`.
std::map<std::string, std::string> attributes_of(std::string_view arguments) {
  std::map<std::string, std::string> attributes;
  while (!arguments.empty()) {
    const std::string_view part = first_argument(arguments);
    arguments.remove_prefix(std::min(arguments.size(), part.size() + 2));
    const std::size_t equals = part.find('=');
    std::string& value = attributes[std::string(equals == part.npos ? "operation" : part.substr(0, equals))];
    if (!value.empty()) value += ", ";
    value += equals == part.npos ? part : part.substr(equals + 1);
  }
  return attributes;
}

}  // namespace

/// The chips of the device, and memory on them that stands for the tensors.
class ChipOps::Chips {
 public:
  explicit Chips(const sim::DeviceSpec& spec)
      : arch_(spec.arch), mesh_(open(spec)), ops_(mesh_->get_devices()) {
    for (metal::IDevice* chip : mesh_->get_devices()) {
      sources_.push_back(metal::CreateBuffer({chip, kScratchBytes, kPageBytes}));
      results_.push_back(metal::CreateBuffer({chip, kScratchBytes, kPageBytes}));
    }
  }

  void run(const sim::ObservedOp& op) {
    if (op.outputs.empty()) return;
    ttscope::ProfiledOp run;
    run.code = op.name;
    run.attributes = attributes_of(op.arguments);
    for (const sim::Tensor& tensor : op.inputs) run.inputs.push_back(described(tensor, sources_));
    for (const sim::Tensor& tensor : op.outputs) run.outputs.push_back(described(tensor, results_));
    run.hash = std::hash<std::string_view>()(op.program);
    run.fidelity = "HiFi2";
    run.compute_ns = compute_ns(op);
    run.turns = turns_of(run.compute_ns);
    run.reading_turns = turns_of(moving_ns(op, arch_));
    ops_.run(run);
    if (++unread_ >= kOpsBetweenReads) read();
  }

  void read() {
    metal::ReadMeshDeviceProfilerResults(*mesh_);
    unread_ = 0;
  }
  void close() { mesh_->close(); }

 private:
  using Buffers = std::vector<std::shared_ptr<metal::Buffer>>;

  static std::shared_ptr<metal::distributed::MeshDevice> open(const sim::DeviceSpec& spec) {
    ttscope::SimulatedChip chip;
    if (spec.arch == sim::Arch::kBlackhole) chip.arch = tt::ARCH::BLACKHOLE;
    ttscope::use_simulated_chips(std::vector(spec.chips, chip));
    return metal::distributed::MeshDevice::create({1, spec.chips});
  }

  static ttscope::ProfiledTensor described(const sim::Tensor& tensor, const Buffers& buffers) {
    const sim::TensorSpec& spec = tensor.spec();
    ttscope::ProfiledTensor told;
    told.shape = four_dimensions(spec.shape);
    told.padded = told.shape;
    if (spec.layout == sim::Layout::kTile) {
      told.padded[2] = in_tiles(told.shape[2]) * kTileSide;
      told.padded[3] = in_tiles(told.shape[3]) * kTileSide;
    }
    told.dtype = name_of(spec.dtype);
    told.layout = name_of(spec.layout);
    told.buffer_type = name_of(spec.memory.type);
    told.memory_layout = name_of(spec.memory.layout);
    told.bytes = spec.stored_bytes();
    if (spec.memory.type != sim::BufferType::kDram) return told;
    for (const auto& buffer : buffers) told.dram_addresses.push_back(buffer->address());
    return told;
  }

  sim::Arch arch_;
  std::shared_ptr<metal::distributed::MeshDevice> mesh_;
  ttscope::ProfiledOps ops_;
  Buffers sources_;
  Buffers results_;
  std::uint32_t unread_ = 0;
};

ChipOps::ChipOps(const sim::Device& device) : device_(device) {
  attempt([this] {
    if (ttscope::profiles_devices()) chips_ = std::make_unique<Chips>(device_.spec());
  });
  if (!chips_) return;
  sim::observe_ops(device_, [this](const sim::ObservedOp& op) { attempt([&] { chips_->run(op); }); });
}

ChipOps::~ChipOps() {
  if (!chips_) return;
  sim::observe_ops(device_, {});
  try {
    chips_->close();
  } catch (const std::exception& error) {  // what was read before is written all the same
    tell(error.what());
  }
}

void ChipOps::read_profiler() {
  if (chips_) attempt([this] { chips_->read(); });
}

void ChipOps::attempt(const std::function<void()>& action) {
  if (gave_up_) return;
  try {
    action();
  } catch (const std::exception& error) {
    tell(error.what());
  }
}

void ChipOps::tell(const char* problem) {
  if (!gave_up_) std::fprintf(stderr, "the training goes on without chips of the profiler: %s\n", problem);
  gave_up_ = true;
}
