// Runs two programs on a simulated chip: tiles are copied from DRAM to DRAM by one kernel, and a second one
// shows the other profiler macros on all five RISCs.   TT_METAL_DEVICE_PROFILER=1 run_inference
// [KERNEL_FOLDER]
#include <tracy/Tracy.hpp>
#include "tt_metal/host_api.hpp"

#include <cstdint>
#include <cstdio>
#include <exception>
#include <numeric>
#include <string>
#include <vector>

using namespace tt::tt_metal;

void run_inference(tt::tt_metal::IDevice* device, Program& program) {
  ZoneScopedN("RunInference");

  {
    ZoneScopedN("EnqueueProgram");
    EnqueueProgram(device->command_queue(), program, false);
  }

  {
    ZoneScopedN("WaitForCompletion");
    Finish(device->command_queue());
  }
}

namespace {

constexpr std::uint32_t kTileBytes = 2048;  // 32 x 32 values of 16 bits
constexpr std::uint32_t kTiles = 20;

/// True if the copy is right.
bool copy_tiles(IDevice* device, const std::string& kernels) {
  const InterleavedBufferConfig config = {device, kTiles * kTileBytes, kTileBytes};
  const auto source = CreateBuffer(config);
  const auto destination = CreateBuffer(config);
  std::vector<std::uint16_t> sent(kTiles * kTileBytes / 2);
  std::iota(sent.begin(), sent.end(), std::uint16_t{1});
  EnqueueWriteBuffer(device->command_queue(), source, sent, true);

  Program program = CreateProgram();
  const CoreCoord core = {0, 0};
  CreateCircularBuffer(program, core,
                       {.index = 0, .total_bytes = kTiles * kTileBytes, .page_bytes = kTileBytes});
  const KernelHandle kernel = CreateKernel(program, kernels + "/dataflow.cpp", core, DataMovementConfig{});
  SetRuntimeArgs(program, kernel, core, {source->address(), destination->address(), kTiles});
  run_inference(device, program);

  std::vector<std::uint16_t> received;
  EnqueueReadBuffer(device->command_queue(), destination, received, true);
  return received == sent;
}

void show_zones(IDevice* device, const std::string& kernels) {
  Program program = CreateProgram();
  const CoreRange cores({0, 0}, {1, 1});
  const std::string file = kernels + "/zones.cpp";
  CreateKernel(
      program, file, cores,
      DataMovementConfig{.processor = DataMovementProcessor::RISCV_0, .compile_args = {}, .defines = {}});
  CreateKernel(
      program, file, cores,
      DataMovementConfig{.processor = DataMovementProcessor::RISCV_1, .compile_args = {}, .defines = {}});
  CreateKernel(program, file, cores, ComputeConfig{});
  run_inference(device, program);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const std::string kernels = argc > 1 ? argv[1] : "kernels";
    const auto mesh_device = distributed::MeshDevice::create({1, 1});
    IDevice* device = mesh_device->get_devices().front();
    const bool right = copy_tiles(device, kernels);
    show_zones(device, kernels);
    tt::tt_metal::ReadMeshDeviceProfilerResults(*mesh_device);
    std::printf("%u tiles copied on device %d: %s\n", kTiles, device->id(), right ? "all equal" : "WRONG");
    mesh_device->close();
    return right ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "run_inference: %s\n", error.what());
    return 1;
  }
}
