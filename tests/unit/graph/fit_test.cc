// The allocations of a capture, placed on a device.
#include "graph/fit.h"

#include <gtest/gtest.h>

#include "graph/analyse/fit/allocation_script.h"
#include "graph/model/graph_trace_builder.h"

namespace ttscope::graph {
namespace {

/// Buffers of `sizes` one after the other, those at even places freed at the end, then one more.
Profile capture_of(const std::vector<std::int64_t>& sizes, std::int64_t last) {
  GraphTraceBuilder builder;
  builder.add_capture_start();
  std::vector<std::pair<GraphTraceBuilder::Buffer, std::uint32_t>> made;
  const auto allocate = [&](std::int64_t size) {
    GraphTraceBuilder::Buffer buffer;
    buffer.size_bytes = size;
    buffer.page_size_bytes = 2048;
    buffer.max_size_per_bank_bytes = (size / 2048 + 11) / 12 * 2048;
    const std::uint32_t node = builder.add_buffer(buffer, 1);
    builder.connect(builder.add_buffer_allocate(buffer, 0, 1), node);
    made.emplace_back(buffer, node);
  };
  builder.add_function_start("ttnn.fill", {}, 1);
  for (const std::int64_t size : sizes) allocate(size);
  builder.add_function_end("ttnn.fill", 0, 1);
  for (std::size_t i = 0; i < made.size(); i += 2)
    builder.connect(builder.add_buffer_deallocate(made[i].first, 0, 0), made[i].second);
  builder.add_function_start("ttnn.last", {}, 1);
  allocate(last);
  builder.add_function_end("ttnn.last", 0, 1);
  builder.add_capture_end();
  GraphCapture capture;
  capture.segments.push_back({"A", builder.finish()});
  Profile profile;
  EXPECT_TRUE(add_capture(profile, "a.json", std::move(capture)));
  finish_profile(profile);
  return profile;
}

constexpr std::int64_t kMib = 1024 * 1024;

fit::Report ask(const Profile& profile, const std::string& device) {
  fit::Question question;
  if (!device.empty()) question.devices = {device};
  const Result<fit::Report> report = fit_profile(profile, question);
  EXPECT_TRUE(report.has_value());
  return report ? *report : fit::Report();
}

TEST(GraphFit, EnoughThatIsFreeInPiecesDoesNotFit) {
  // Twelve banks of 1 MB: three quarters of each are taken, two of three pieces are freed.
  const Profile profile = capture_of({3 * kMib, 3 * kMib, 3 * kMib, 3 * kMib}, 6 * kMib);
  const fit::Report report = ask(profile, "custom:DRAM=12x1MB,L1=64x1MB");
  ASSERT_EQ(report.devices.size(), 1u);
  EXPECT_FALSE(report.devices[0].fits);
  ASSERT_TRUE(report.devices[0].failure.has_value());
  EXPECT_EQ(report.devices[0].failure->shortage, fit::Shortage::kFragmented);
  EXPECT_EQ(report.devices[0].failure->place.op, "ttnn.last");
  EXPECT_EQ(report.devices[0].failure->place.phase, "A");
  EXPECT_EQ(report.devices[0].failure->bytes_per_bank, kMib / 2);
  EXPECT_EQ(report.devices[0].failure->free_bytes_per_bank, kMib / 2);
  EXPECT_EQ(report.devices[0].failure->live_tensors, 2u);
  EXPECT_TRUE(ask(profile, "custom:DRAM=12x2MB,L1=64x1MB").devices[0].fits);
}

TEST(GraphFit, SharesOfABankFollowTheBanksOfTheDevice) {
  const Profile profile = capture_of({24 * kMib}, 2048);
  const AllocationScript script = allocation_script(profile);
  fit::Device device;
  device.regions[fit::index_of(fit::Memory::kDram)] = {8, 100 * kMib};
  EXPECT_EQ(demands_on(script, device)[0].bytes_per_bank, 3 * kMib);
  EXPECT_EQ(script.dram_banks.value_or(0), 12);
  const fit::Report own = ask(profile, "");
  EXPECT_EQ(own.devices[0].device.name, "n150");
  EXPECT_EQ(own.devices[0].memories[0].peak_bytes_per_bank, 2 * kMib);
}

TEST(GraphFit, WhatACaptureCannotTellIsAnError) {
  fit::Question question;
  question.changes.batch.to = 4;
  EXPECT_FALSE(fit_profile(capture_of({2048}, 2048), question).has_value());
}

}  // namespace
}  // namespace ttscope::graph
