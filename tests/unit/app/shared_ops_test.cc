// Ops that a runtime log and a host both name.
#include "app/timeline/memory_curves.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/log_text.h"
#include "support/profile_text.h"
#include "support/read_text.h"
#include "support/timeline_sample.h"

namespace ttscope::app {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::SizeIs;
using timeline::Timeline;

/// A log of these ops; each is on the line of its place, from 1.
mem::RuntimeLog log_of(const std::vector<std::string>& names, const std::vector<std::string>& locs = {}) {
  testing::LogText log;
  for (std::size_t i = 0; i < names.size(); ++i) {
    log.op(testing::unit_op("%" + std::to_string(i + 1), names[i], "%0", 1, 1),
           i < locs.size() ? locs[i] : "unknown");
  }
  return testing::read_text(log.text());
}

std::vector<std::pair<std::uint32_t, std::int64_t>> pairs_of(const SharedOps& shared) {
  std::vector<std::pair<std::uint32_t, std::int64_t>> pairs;
  for (const SharedOp& op : shared.ops) pairs.emplace_back(op.line, op.time_ns);
  return pairs;
}

SharedOps shared_with(const mem::RuntimeLog& log, const std::vector<HostOps>& hosts,
                      const Timeline& timeline = {}, const std::string& path = "/none/run.log") {
  return shared_ops({path, log, 0}, hosts, timeline);
}

std::string told(const std::string& name, int device, int op) {
  return "`TT_DNN_DEVICE_OP: \"" + name + "\", 77, " + std::to_string(device) + ", true, " +
         std::to_string(op) + " ->\n{}`";
}

Timeline host_of(const std::vector<std::pair<std::string, std::int64_t>>& messages) {
  Timeline host;
  host.sources.push_back({.path = "/a/host.tracy"});
  for (const auto& [text, time] : messages)
    host.messages.push_back({time, host.texts.intern(text), kNone, 0});
  return host;
}

TEST(SharedOps, WhatAHostSaidOfItsOps) {
  const HostOps ops = collect_host_ops(host_of({{"MLIR_OP_LOCATION;loc(\"a\"(\"f.py\":1:2))", 10},
                                                {"loc(\"b\")", 20},
                                                {"loc()", 25},
                                                {"something loc(\"c\")", 26},
                                                {told("ttnn::MatmulDeviceOperation", 0, 1024), 30},
                                                {told("Matmul", 1, 1025), 31},
                                                {told("SoftmaxOp", 0, 2048), 40}}),
                                       1000);
  EXPECT_THAT(ops.paths, ElementsAre("/a/host.tracy"));
  ASSERT_THAT(ops.locations, SizeIs(2));
  EXPECT_EQ(ops.locations[0].text, "\"a\"(\"f.py\":1:2)");
  EXPECT_EQ(ops.locations[1].text, "\"b\"");
  EXPECT_EQ(ops.locations[1].time_ns, 1020);
  ASSERT_THAT(ops.names, SizeIs(3));
  EXPECT_EQ(ops.names[0].text, "matmul");
  EXPECT_EQ(ops.names[1].text, "matmul");
  EXPECT_EQ(ops.names[2].text, "softmax");
  ASSERT_THAT(ops.names_of_one, SizeIs(2)) << "device 0 told more";
  EXPECT_EQ(ops.names_of_one[1].time_ns, 1040);
}

TEST(SharedOps, LocationsCountBeforeNames) {
  HostOps host;
  host.locations = {{"b", 100}, {"c", 200}};
  host.names = host.names_of_one = {{"add", 1}, {"neg", 2}, {"exp", 3}};
  const auto log = log_of({"ttnn.add", "ttnn.neg", "ttnn.exp"}, {"a", "b", "c"});
  EXPECT_THAT(pairs_of(shared_with(log, {host})), ElementsAre(Pair(2, 100), Pair(3, 200)));
  host.locations = {{"elsewhere", 100}};
  EXPECT_THAT(pairs_of(shared_with(log, {host})), ElementsAre(Pair(1, 1), Pair(2, 2), Pair(3, 3)));
}

TEST(SharedOps, NamesOfTheCompilerAndOfTtMetalAreOne) {
  Timeline timeline = host_of({{told("ttnn::operations::BinaryAddDeviceOperation", 0, 1), 5},
                               {told("Add", 0, 2), 10},
                               {told("NegOperation", 0, 3), 20}});
  EXPECT_THAT(pairs_of(shared_with(log_of({"ttnn.add", "ttnn.neg"}), {collect_host_ops(timeline, 0)})),
              ElementsAre(Pair(1, 10), Pair(2, 20)));
}

TEST(SharedOps, OfAMeshTheOpsOfOneDeviceAreThoseOfTheLog) {
  HostOps host;
  for (std::int64_t i = 0; i < 4; ++i) {
    host.names_of_one.push_back({"add", 100 * i + 50});
    host.names.push_back({"add", 100 * i});
    host.names.push_back({"add", 100 * i + 50});
  }
  const auto log = log_of({"ttnn.add", "ttnn.add", "ttnn.add", "ttnn.add"});
  EXPECT_THAT(pairs_of(shared_with(log, {host})),
              ElementsAre(Pair(1, 50), Pair(2, 150), Pair(3, 250), Pair(4, 350)));
}

TEST(SharedOps, WhereDevicesRunOpsOfTheirOwnAllOfThemCount) {
  HostOps host;
  host.names = {{"add", 1}, {"neg", 2}, {"exp", 3}, {"abs", 4}};
  host.names_of_one = {{"add", 1}, {"exp", 3}};
  const auto log = log_of({"ttnn.add", "ttnn.neg", "ttnn.exp", "ttnn.abs"});
  EXPECT_THAT(pairs_of(shared_with(log, {host})), SizeIs(4));
}

TEST(SharedOps, WithoutAHostThoseOfTheFirstDeviceAreTaken) {
  timeline::SampleMaker maker;
  const std::uint32_t group = maker.group("Device 0");
  const std::uint32_t add = maker.place("Add");
  const std::uint32_t neg = maker.place("NegDeviceOperation");
  for (const std::int64_t shift : {0, 1000}) {
    maker.track("Ops", timeline::TrackKind::kOps, group);
    maker.zone(10 + shift, 20 + shift, add);
    maker.zone(30 + shift, 40 + shift, neg);
  }
  const auto log = log_of({"ttnn.add", "ttnn.neg"});
  const SharedOps shared = shared_with(log, {}, maker.made);
  EXPECT_THAT(pairs_of(shared), ElementsAre(Pair(1, 10), Pair(2, 30)));
  EXPECT_FALSE(shared.is_host_guessed);
  EXPECT_THAT(shared_with(log_of({"ttnn.exp"}), {}, maker.made).ops, IsEmpty());
}

TEST(SharedOps, TheHostOfALogIsThatOfItsFolder) {
  HostOps one;
  one.paths = {"/runs/one/host.tracy"};
  one.locations = {{"a", 100}};
  HostOps two = one;
  two.paths = {"/runs/two/host.tracy"};
  two.locations = {{"a", 200}};
  const auto log = log_of({"ttnn.add"}, {"a"});
  const SharedOps shared = shared_with(log, {one, two}, {}, "/runs/two/run.log");
  EXPECT_THAT(pairs_of(shared), ElementsAre(Pair(1, 200)));
  EXPECT_EQ(shared.host, 1u);
  EXPECT_FALSE(shared.is_host_guessed);
}

TEST(SharedOps, WithoutAFolderAndWithoutRanksTheHostIsGuessed) {
  HostOps one;
  one.paths = {"/a/host.tracy"};
  one.locations = {{"a", 100}};
  HostOps two = one;
  two.paths = {"/b/host.tracy"};
  const auto log = log_of({"ttnn.add"}, {"a"});
  EXPECT_TRUE(shared_with(log, {one, two}).is_host_guessed);
  two.locations = {{"b", 100}};
  EXPECT_FALSE(shared_with(log, {one, two}).is_host_guessed) << "only one of them answers";
}

TEST(SharedOps, RanksAreTheHostsInTheirOrder) {
  std::string text;
  for (const char* label : {"[rank0]: ", "[rank1]: "}) {
    testing::LogStyle style;
    style.before = label;
    text += testing::LogText(style).op(testing::unit_op("%1", "ttnn.add", "%0", 1, 1), "a").text();
  }
  const mem::RuntimeLog log = testing::read_text(text);
  ASSERT_THAT(log.ranks, SizeIs(2));
  HostOps one;
  one.paths = {"/a/host.tracy"};
  one.locations = {{"a", 100}};
  HostOps two = one;
  two.locations = {{"a", 200}};
  const std::string path = "/none/run.log";
  const SharedOps shared = shared_ops({path, log, 1}, {one, two}, {});
  EXPECT_THAT(pairs_of(shared), ElementsAre(Pair(2, 200)));
  EXPECT_EQ(shared.host, 1u);
  EXPECT_FALSE(shared.is_host_guessed);
}

}  // namespace
}  // namespace ttscope::app
