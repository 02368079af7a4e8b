// A capture of the simulated device, placed by the allocator model, goes through what the device itself went
// through.
#include <gtest/gtest.h>
#include <ttscope/modules.h>
#include <ttscope/ops.h>

#include "graph/analyze/fit.h"
#include "sim/device/recorder.h"

namespace ttscope::sim {
namespace {

DeviceSpec small_device(std::uint64_t bank_bytes) {
  DeviceSpec spec = DeviceSpec::n150();
  spec.dram_bank_bytes = bank_bytes + spec.dram_base_address();
  return spec;
}

std::string custom(const DeviceSpec& spec) {
  return "custom:DRAM=" + std::to_string(spec.dram_banks) + "x" +
         std::to_string(spec.dram_usable_bytes_per_bank()) + "B,L1=" + std::to_string(spec.l1_banks()) + "x" +
         std::to_string(spec.l1_usable_bytes_per_core()) + "B";
}

fit::DeviceVerdict placed(graph::GraphTrace trace, const DeviceSpec& spec) {
  graph::GraphCapture capture;
  capture.devices = trace.devices;
  capture.segments.push_back({"A", std::move(trace)});
  graph::Profile profile;
  EXPECT_TRUE(graph::add_capture(profile, "capture", std::move(capture)));
  graph::finish_profile(profile);
  fit::FitQuery question;
  question.devices = {custom(spec)};
  const Result<fit::Report> report = graph::fit_profile(profile, question);
  EXPECT_TRUE(report.has_value());
  return report ? report->devices.front() : fit::DeviceVerdict();
}

/// Two steps of a small model; what fails is thrown.
void train_steps(const Device& device) {
  const train::Linear first(device, 256, 512);
  const train::Linear second(device, 512, 256);
  train::NamedTensors parameters = first.parameters();
  for (const auto& [name, parameter] : second.parameters()) parameters["second." + name] = parameter;
  train::AdamW optimizer(parameters);
  for (int step = 0; step < 2; ++step) {
    const auto x = train::make_tensor(full(device, {.shape = {1, 1, 512, 256}, .memory = {}}), false);
    train::mean(second(train::gelu(first(x))))->backward();
    train::Graph::current().reset();
    optimizer.step();
    optimizer.zero_grad();
  }
}

TEST(CaptureFit, PeakAndLargestBlockAreThoseOfTheRun) {
  const DeviceSpec spec = small_device(8 << 20);
  const Device device(spec);
  const std::uint64_t capture = CaptureStack::current().begin(RunMode::NORMAL);
  train_steps(device);
  const fit::DeviceVerdict verdict = placed(CaptureStack::current().end(capture), spec);
  EXPECT_TRUE(verdict.fits);
  EXPECT_EQ(verdict.memories[0].peak_bytes_per_bank,
            static_cast<std::int64_t>(device.peak_allocated_bytes_per_bank(BufferType::kDram)));
}

TEST(CaptureFit, TheFailingOperationIsThatOfTheRun) {
  const DeviceSpec roomy = small_device(8 << 20);
  const Device device(roomy);
  const std::uint64_t capture = CaptureStack::current().begin(RunMode::NORMAL);
  train_steps(device);
  static_cast<void>(CaptureStack::current().end(capture));
  const std::uint64_t peak = device.peak_allocated_bytes_per_bank(BufferType::kDram);
  for (const std::uint64_t share : {95, 80, 60, 40}) {
    const DeviceSpec spec = small_device(peak * share / 100 / 32 * 32);
    std::string failed;
    try {
      train_steps(Device(spec));
    } catch (const OutOfMemory& error) {
      failed = error.failure()->operation;
    }
    train::Graph::current().reset();
    const std::uint64_t again = CaptureStack::current().begin(RunMode::NORMAL);
    train_steps(Device(roomy));
    const fit::DeviceVerdict verdict = placed(CaptureStack::current().end(again), spec);
    EXPECT_FALSE(failed.empty() && !verdict.fits) << share;
    ASSERT_TRUE(verdict.failure.has_value()) << share;
    EXPECT_TRUE(failed.empty() || verdict.failure->place.op.find(failed) != std::string::npos)
        << share << ": " << verdict.failure->place.op << " instead of " << failed;
  }
}

}  // namespace
}  // namespace ttscope::sim
