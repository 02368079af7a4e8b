// The allocations of a capture, placed on a device.
#include "graph/analyze/fit.h"

#include <gtest/gtest.h>

#include "graph/model/graph_trace.h"

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
  fit::FitQuery question;
  if (!device.empty()) question.devices = {device};
  const Result<fit::Report> report = fit_profile(profile, question);
  EXPECT_TRUE(report.has_value());
  return report ? *report : fit::Report();
}

/// Searches of captures were refused.
TEST(GraphFit, ASearchSaysWhatItTriedAndWhatItCouldNot) {
  const Profile profile = capture_of({3 * kMib, 3 * kMib, 3 * kMib, 3 * kMib}, 6 * kMib);
  fit::FitQuery question;
  question.devices = {"custom:DRAM=12x1MB,L1=64x1MB"};
  question.search = true;
  Result<fit::Report> report = fit_profile(profile, question);
  ASSERT_TRUE(report) << report.error().message;
  ASSERT_TRUE(report->search);
  EXPECT_FALSE(report->search->fits_unchanged);
  EXPECT_FALSE(report->search->answer);
  EXPECT_EQ(report->omissions.back(), fit::Omission::kDimensionsUnknown);
  question.search = false;
  question.maximum = fit::Growth::kBatch;
  report = fit_profile(profile, question);
  ASSERT_FALSE(report);
  EXPECT_NE(report.error().message.find("as in --batch 2:2"), std::string::npos);
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

/// A weight of 64 x 64 and data of 2 x 64 x 64 in bf16, which `ttnn.use` takes and `ttnn.later` does not.
Profile labeled_capture(std::int64_t buffer_type = 0) {
  GraphTraceBuilder builder;
  builder.add_capture_start();
  const auto make = [&](std::int64_t batch, std::int64_t id, std::string_view kind) {
    GraphTraceBuilder::Buffer buffer;
    buffer.size_bytes = batch * 64 * 64 * 2;
    buffer.page_size_bytes = 2048;
    buffer.max_size_per_bank_bytes = 2048;
    buffer.buffer_type = buffer_type;
    const std::uint32_t node = builder.add_buffer(buffer, 1);
    builder.connect(builder.add_buffer_allocate(buffer, 0, 1), node);
    builder.label_buffer(node, id, kind, std::string(kind) + "/x");
    GraphTraceBuilder::Tensor tensor;
    tensor.tensor_id = id;
    const std::string shape = "Shape([" + std::to_string(batch) + ", 64, 64])";
    tensor.shape = shape;
    tensor.dtype = "DataType::BFLOAT16";
    tensor.layout = "Layout::TILE";
    const std::uint32_t made = builder.add_tensor(tensor, 1);
    builder.connect(node, made);
    return made;
  };
  make(1, 1, "weight");
  const std::uint32_t data = make(2, 2, "activation");
  const std::uint32_t use = builder.add_function_start("ttnn.use", {}, 1);
  builder.set_input_tensors(use, std::vector<std::uint32_t>{data});
  builder.add_function_end("ttnn.use", 0, 1);
  builder.add_function_start("ttnn.later", {}, 1);
  make(4, 3, "activation");
  builder.add_function_end("ttnn.later", 0, 1);
  builder.add_capture_end();
  GraphCapture capture;
  capture.segments.push_back({"A", builder.finish()});
  Profile profile;
  EXPECT_TRUE(add_capture(profile, "a.json", std::move(capture)));
  finish_profile(profile);
  return profile;
}

constexpr const char* kOneBank = "custom:DRAM=1x1MB,L1=64x1MB";

std::int64_t peak_with(const Profile& profile, const fit::Changes& changes) {
  fit::FitQuery question;
  question.devices = {kOneBank};
  question.changes = changes;
  const Result<fit::Report> report = fit_profile(profile, question);
  EXPECT_TRUE(report.has_value()) << (report ? "" : report.error().message);
  return report ? report->devices[0].memories[0].peak_bytes_per_bank : -1;
}

TEST(GraphFit, ChangesThatACaptureCanTell) {
  const Profile profile = labeled_capture();
  constexpr std::int64_t kTile = 2048;
  EXPECT_EQ(peak_with(profile, {}), (4 + 8 + 16) * kTile);
  EXPECT_EQ(peak_with(profile, {.weights = fit::WeightFormat::kBfp8}), 4 * 1088 + 24 * kTile);
  EXPECT_EQ(peak_with(profile, {.weights = fit::WeightFormat::kBfp4}), 4 * 576 + 24 * kTile);
  EXPECT_EQ(peak_with(profile, {.batch = {2, 6}}), (4 + 24 + 48) * kTile);
  EXPECT_EQ(peak_with(profile, {.sequence = {64, 128}}), (4 + 16 + 32) * kTile);
  EXPECT_EQ(peak_with(profile, {.free_early = {"tensor 2"}}), (4 + 16) * kTile);
  fit::FitQuery question;
  question.changes.batch = {2, 4};
  const Result<fit::Report> estimated = fit_profile(profile, question);
  ASSERT_TRUE(estimated.has_value());
  EXPECT_EQ(estimated->devices[0].basis, fit::Basis::kEstimated);
  EXPECT_EQ(estimated->changes.at(0).tensors, 2u);
}

/// 28 tiles of 2 KB: 4 of the weight, 12 for each of the batch of two.
fit::Report searched(const Profile& profile, const std::string& device, const fit::Scaling& batch) {
  fit::FitQuery question;
  question.devices = {device};
  question.search = true;
  question.changes.batch = batch;
  const Result<fit::Report> report = fit_profile(profile, question);
  EXPECT_TRUE(report.has_value()) << (report ? "" : report.error().message);
  return report ? *report : fit::Report();
}

const fit::Attempt* answer_of(const fit::Report& report) {
  if (!report.search || report.search->fits_unchanged || !report.search->answer) return nullptr;
  return &report.search->attempts.at(*report.search->answer);
}

TEST(GraphFit, ASearchOfACaptureFindsTheSmallestChangeThatFits) {
  const Profile profile = labeled_capture();
  const fit::Report early = searched(profile, "custom:DRAM=1x40KB,L1=64x1MB", {});
  const fit::Attempt* answer = answer_of(early);
  ASSERT_NE(answer, nullptr);
  EXPECT_TRUE(answer->fits);
  ASSERT_EQ(answer->changes.size(), 1u);
  EXPECT_EQ(answer->changes[0].option, "--free-early");
  const fit::Report halved = searched(profile, "custom:DRAM=1x32KB,L1=64x1MB", {2, 2});
  answer = answer_of(halved);
  ASSERT_NE(answer, nullptr);
  EXPECT_TRUE(answer->fits);
  ASSERT_EQ(answer->changes.size(), 1u);
  EXPECT_EQ(answer->changes[0].option, "--batch");
  EXPECT_EQ(answer->changes[0].from, 2);
  EXPECT_EQ(answer->changes[0].to, 1);
}

/// A row was taken for a tile when the batch was changed too: a sixteenth of the memory, and a wrong "fits".
TEST(GraphFit, RowsStayRowsWhenTheBatchChangesToo) {
  const Profile profile = labeled_capture();
  constexpr std::int64_t kTile = 2048;
  EXPECT_EQ(peak_with(profile, {.batch = {2, 2}, .row_major = {"activation/x"}}), (4 + 8 + 16) * kTile);
  EXPECT_EQ(peak_with(profile, {.batch = {2, 6}, .row_major = {"activation/x"}}), (4 + 24 + 48) * kTile);
}

/// Weights in block floats were put in rows of one byte a value.
TEST(GraphFit, BlockFloatWeightsAreNotPutInRows) {
  fit::FitQuery question;
  question.changes.weights = fit::WeightFormat::kBfp8;
  question.changes.row_major = {"weight/x"};
  const Result<fit::Report> report = fit_profile(labeled_capture(), question);
  ASSERT_FALSE(report);
  EXPECT_TRUE(report.error().message.starts_with("--row-major weight/x: "));
}

TEST(GraphFit, WhatABatchWasIsNoChange) {
  fit::FitQuery question;
  question.changes.batch = {2, 2};
  const Result<fit::Report> report = fit_profile(labeled_capture(), question);
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_TRUE(report->changes.empty());
  EXPECT_EQ(report->devices[0].basis, fit::Basis::kReplayed);
}

TEST(GraphFit, TheLargestBatchAndSequenceOfACaptureAreFound) {
  const Profile profile = labeled_capture();
  fit::FitQuery question;
  question.devices = {kOneBank};
  question.maximum = fit::Growth::kBatch;
  question.changes.batch = {2, 2};
  Result<fit::Report> report = fit_profile(profile, question);
  ASSERT_TRUE(report) << report.error().message;
  ASSERT_TRUE(report->maximum && report->maximum->largest);
  EXPECT_EQ(*report->maximum->largest, 42);  // 4 + 12 x 42 of 512 tiles
  question.maximum = fit::Growth::kSequence;
  question.changes = {.sequence = {64, 64}};
  report = fit_profile(profile, question);
  ASSERT_TRUE(report) << report.error().message;
  ASSERT_TRUE(report->maximum && report->maximum->largest);
  EXPECT_EQ(*report->maximum->largest, 42 * 32);  // 12 tiles for each 32 rows
}

TEST(GraphFit, WhatACaptureCannotTellIsAnErrorThatNamesTheOption) {
  const auto error_of = [](const Profile& profile, const fit::Changes& changes) {
    fit::FitQuery question;
    question.changes = changes;
    const Result<fit::Report> report = fit_profile(profile, question);
    return report ? std::string() : report.error().message;
  };
  const Profile plain = capture_of({2048}, 2048);
  EXPECT_TRUE(error_of(plain, {.batch = {0, 4}}).starts_with("--batch"));
  EXPECT_TRUE(error_of(plain, {.batch = {1, 4}}).starts_with("--batch"));
  EXPECT_TRUE(error_of(plain, {.weights = fit::WeightFormat::kBfp8}).starts_with("--weights"));
  EXPECT_TRUE(error_of(plain, {.free_originals = true}).starts_with("--free-originals"));
  EXPECT_TRUE(error_of(plain, {.tensor_parallel = 2}).starts_with("--tp"));
  EXPECT_TRUE(error_of(plain, {.recompute = true}).starts_with("--recompute"));
  EXPECT_TRUE(error_of(plain, {.free_early = {"nobody"}}).starts_with("--free-early"));
}

TEST(GraphFit, ARegionThatTheCaptureUsesWasThere) {
  const fit::Report report = ask(labeled_capture(4), "");
  ASSERT_EQ(report.devices.size(), 1u);
  EXPECT_TRUE(report.devices[0].fits);
  EXPECT_EQ(report.devices[0].use_of(fit::Memory::kTrace)->peak_bytes_per_bank,
            report.devices[0].use_of(fit::Memory::kTrace)->region.bytes_per_bank);
}

TEST(GraphFit, ACaptureThatAllocatesNothingHasNothingToPlace) {
  GraphTraceBuilder builder;
  builder.add_capture_start();
  builder.add_capture_end();
  GraphCapture capture;
  capture.segments.push_back({"A", builder.finish()});
  Profile profile;
  ASSERT_TRUE(add_capture(profile, "a.json", std::move(capture)));
  finish_profile(profile);
  const Result<fit::Report> report = fit_profile(profile, {});
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().code, ErrorCode::kNothingFound);
}

}  // namespace
}  // namespace ttscope::graph
