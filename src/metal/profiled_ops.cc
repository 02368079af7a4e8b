// Declared in include/tt_metal_compat/ttscope_host/profiled_ops.h.
#include <fmt/format.h>
#include <ttscope/record.h>
#include <ttscope/scoped_zone.h>
#include <ttscope_host/profiled_ops.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <string_view>

#include "chip/build/device_sources.h"
#include "metal/machine.h"
#include "metal/op_message.h"
#include "metal/traced_run.h"

namespace ttscope {
namespace {

using namespace tt::tt_metal;

constexpr std::uint32_t kGridSide = 2;  ///< cores of an op, in each direction
static_assert(ProfiledOps::kCores == kGridSide * kGridSide);
constexpr std::uint32_t kMessageColor = 0xF0F8FF;
constexpr const char* kZoneFile = "ttscope/profiled_ops";

bool is_told() {
  const char* value = std::getenv("TTNN_OP_PROFILER");
  return value != nullptr && *value == '1';
}

/// Zones of the host are called after what is done, with the op as their function.
ttscope_record_place place_of(const char* zone, const ProfiledOp& op) {
  return {zone, op.code.c_str(), kZoneFile, 0, 0};
}

void add_number(const record::ScopedZone& zone, std::uint64_t number) {
  const std::string text = fmt::format("id:{}", number);
  zone.text(text.data(), text.size());
}

void send(const std::string& message) {
  if (ttscope_record_active() != 0) ttscope_record_message(message.data(), message.size(), kMessageColor);
}

/// Where the sources of the ops' kernels are.
const std::string& kernel_folder() {
  static const std::string kFolder =
      metal::value_or_throw(chip::unpack_device_sources(metal::HostMachine::get().settings().cache)) + "/ops";
  return kFolder;
}

}  // namespace

/// Kernels on a few cores, and a circular buffer of two pages on each.
class ProfiledOps::OpProgram {
 public:
  OpProgram() : program_(CreateProgram()), cores_({0, 0}, {kGridSide - 1, kGridSide - 1}) {
    CreateCircularBuffer(program_, cores_,
                         {.index = 0, .total_bytes = 2 * kPageBytes, .page_bytes = kPageBytes});
    DataMovementConfig writer;
    writer.processor = DataMovementProcessor::RISCV_1;
    reader_ = CreateKernel(program_, kernel_folder() + "/reader.cpp", cores_, DataMovementConfig{});
    writer_ = CreateKernel(program_, kernel_folder() + "/writer.cpp", cores_, writer);
    compute_ = CreateKernel(program_, kernel_folder() + "/compute.cpp", cores_, ComputeConfig{});
  }

  void compile(IDevice& device) { detail::CompileProgram(&device, program_); }

  void run(IDevice& device, std::size_t index, std::uint32_t call, const ProfiledOp& op) {
    std::uint32_t core = 0;
    for (std::uint32_t y = 0; y < kGridSide; ++y) {
      for (std::uint32_t x = 0; x < kGridSide; ++x, ++core) {
        const Pages in = pages_of(op.inputs, index);
        const Pages out = pages_of(op.outputs, index);
        SetRuntimeArgs(program_, reader_, CoreCoord{x, y},
                       {core, in.address, in.count, kCores, waits_of(op, in)});
        SetRuntimeArgs(program_, writer_, CoreCoord{x, y}, {core, out.address, out.count, kCores});
        SetRuntimeArgs(program_, compute_, CoreCoord{x, y}, {core, op.turns});
      }
    }
    program_.set_runtime_id(call);
    EnqueueProgram(device.command_queue(), program_, false);
  }

 private:
  struct Pages {
    std::uint32_t address = 0;
    std::uint32_t count = 0;
  };
  /// Turns of the reader beside the pages of each core. One that it does not move takes it a turn.
  static std::uint32_t waits_of(const ProfiledOp& op, const Pages& pages) {
    constexpr std::uint32_t kTurnsOfMovedPage = 12;
    const std::uint32_t of_pages = pages.count / kCores * (pages.address != 0 ? kTurnsOfMovedPage : 1);
    return op.reading_turns - std::min(op.reading_turns, of_pages);
  }
  /// Those of the first tensor that the cores move.
  static Pages pages_of(const std::vector<ProfiledTensor>& tensors, std::size_t device) {
    if (tensors.empty()) return {};
    const ProfiledTensor& first = tensors.front();
    const auto count = std::clamp<std::uint64_t>(first.bytes / kPageBytes, 1, kMovedPages);
    return {device < first.dram_addresses.size() ? first.dram_addresses[device] : 0,
            static_cast<std::uint32_t>(count)};
  }

  Program program_;
  CoreRange cores_;
  KernelHandle reader_ = 0;
  KernelHandle writer_ = 0;
  KernelHandle compute_ = 0;
};

ProfiledOps::ProfiledOps(std::vector<IDevice*> devices) : devices_(std::move(devices)) {}
ProfiledOps::~ProfiledOps() = default;

void ProfiledOps::run(const ProfiledOp& op) {
  // Of the process, not of its devices, as tt-metal counts: a device that is opened anew does not begin
  // again. Those of a traced run go on from process to process: its reports know ops by them.
  static std::atomic<std::uint32_t> last_call = 0;
  metal::TracedRun* const traced = metal::TracedRun::current();
  const Call call{traced != nullptr ? traced->next_device_call() : ++last_call, programs_.contains(op.hash)};
  for (std::size_t i = 0; i < devices_.size(); ++i) run_on(i, op, call);
}

void ProfiledOps::run_on(std::size_t index, const ProfiledOp& op, const Call& call) {
  IDevice& device = *devices_[index];
  const std::uint64_t number =
      detail::EncodePerDeviceProgramID(call.number, static_cast<std::uint32_t>(device.id()));
  const record::ScopedZone zone(place_of("TT_DNN_DEVICE_OP", op));
  OpProgram& program = program_of(op, device);
  {
    const record::ScopedZone enqueue(place_of("EnqueueProgram", op));
    program.run(device, index, call.number, op);
  }
  if (is_told()) {
    const metal::ToldRun run{number, device.id(), call.is_hit, kernel_folder(), device.arch()};
    const bool is_new = told_.emplace(device.id(), op.hash).second;
    const bool tells_all = is_new || std::getenv("TT_METAL_PROFILER_NO_CACHE_OP_INFO") != nullptr;
    send(tells_all ? metal::op_message(op, run) : metal::op_message_again(op, run));
  }
  add_number(zone, number);
}

ProfiledOps::OpProgram& ProfiledOps::program_of(const ProfiledOp& op, IDevice& device) {
  const auto known = programs_.find(op.hash);
  if (known != programs_.end()) return *known->second;
  const record::ScopedZone compile(place_of("CompileProgram", op));
  // Making and compiling one may throw: then the next call of the op is no hit.
  auto program = std::make_unique<OpProgram>();
  program->compile(device);
  return *programs_.emplace(op.hash, std::move(program)).first->second;
}

void ProfiledOps::run_on_host(const ProfiledOp& op) {
  static std::atomic<std::uint32_t> last_call = 0;
  metal::TracedRun* const traced = metal::TracedRun::current();
  const std::uint32_t call = traced != nullptr ? traced->next_host_call() : ++last_call;
  const std::uint64_t number = detail::EncodePerDeviceProgramID(call, 0, true);
  const record::ScopedZone zone(place_of("TT_DNN_FALLBACK_OP", op));
  if (is_told()) send(metal::fallback_message(op, number));
  add_number(zone, number);
}

}  // namespace ttscope
