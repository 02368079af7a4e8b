#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <zstd.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "support/timeline_sample.h"
#include "support/tracy_blocks.h"
#include "timeline/read/tracy_blocks.h"
#include "timeline/read/tracy_reader.h"
#include "timeline/write/exports.h"

namespace ttscope::timeline {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST(Tracy, WhatIsWrittenIsReadBack) {
  for (const TracyVersion version : {TracyVersion::kMinor11, TracyVersion::kMinor10}) {
    const Timeline made = sample_timeline();
    const Result<Timeline> read = read_tracy(tracy_bytes(made, version), "sample.tracy");
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(facts_of(*read), facts_of(made));
    EXPECT_THAT(read->findings, IsEmpty());
    EXPECT_FALSE(read->problems.any());
    ASSERT_THAT(read->messages, SizeIs(2));
    for (std::size_t i = 0; i < 2; ++i) {
      EXPECT_EQ(read->messages[i].time_ns, made.messages[i].time_ns);
      EXPECT_EQ(read->text(read->messages[i].text), made.text(made.messages[i].text));
      EXPECT_EQ(read->messages[i].color, made.messages[i].color);
      EXPECT_EQ(full_name(*read, read->tracks[read->messages[i].track]),
                full_name(made, made.tracks[made.messages[i].track]));
    }
    ASSERT_THAT(read->plots, SizeIs(1));
    EXPECT_EQ(read->plots[0].points, made.plots[0].points);
    EXPECT_EQ(read->plots[0].unit, PlotUnit::kBytes);
    EXPECT_EQ(read->text(read->plots[0].name), "L1_used_bytes");
    EXPECT_EQ(read->sources[0].program, "prog");
    EXPECT_EQ(read->sources[0].process, 77U);
    EXPECT_EQ(read->sources[0].captured_at_s(), 1700000000U);
    EXPECT_EQ(read->sources[0].format, version == TracyVersion::kMinor11 ? "tracy 0.11.0" : "tracy 0.10.0");
    EXPECT_EQ(read->first_ns, 900);
    EXPECT_EQ(read->last_ns, 9500);
  }
}

TEST(Tracy, CoresOfAllErasAreToldByTheirContexts) {
  for (const char* name : {"Device: 3, Logical (0,1) Physical (1,2)", "Device: 3, Core (1,2)"}) {
    const std::optional<CoreName> core = core_of_context(name);
    ASSERT_TRUE(core) << name;
    EXPECT_EQ(core->device, 3U);
    EXPECT_EQ(core->x, 1U);
    EXPECT_EQ(core->y, 2U);
  }
  for (const char* name :
       {"", "Core (1,2)", "Device: x, Core (1,2)", "Device: 3, Core (1;2)", "Device: 3, Core (1,2"}) {
    EXPECT_FALSE(core_of_context(name)) << name;
  }
}

TEST(Tracy, ManyZonesAreReadBackOverBlocks) {
  const Timeline made = random_timeline(7, 60000);
  const Result<Timeline> read = read_tracy(tracy_bytes(made), "x");
  ASSERT_TRUE(read);
  EXPECT_EQ(facts_of(*read), facts_of(made));
}

TEST(Tracy, ZonesTakeLittleMemory) {
  const Timeline made = random_timeline(1, 60000);
  const Zones& zones = made.zones;
  EXPECT_LE(sizeof(zones.start_ns[0]) + sizeof(zones.end_ns[0]) + sizeof(zones.location[0]) +
                sizeof(zones.detail[0]) + sizeof(zones.depth[0]),
            60U);
}

void append_size(std::string& to, std::size_t size) {
  const auto bytes = static_cast<std::uint32_t>(size);
  to.append(reinterpret_cast<const char*>(&bytes), sizeof(bytes));
}

/// The content of a file packed by Zstandard, its blocks dealt out to so many streams.
std::string repacked(const std::string& file, std::size_t streams, std::string magic) {
  TracyBlocks blocks(file);
  std::vector<ZSTD_CStream*> packers;
  for (std::size_t i = 0; i < streams; ++i) packers.push_back(ZSTD_createCStream());
  std::size_t turn = 0;
  for (std::string_view block = blocks.next(); !block.empty(); block = blocks.next()) {
    std::string packed(ZSTD_compressBound(block.size()) + 1024, 0);
    ZSTD_outBuffer out = {packed.data(), packed.size(), 0};
    ZSTD_inBuffer in = {block.data(), block.size(), 0};
    while (ZSTD_compressStream2(packers[turn], &out, &in, ZSTD_e_flush) != 0) {
    }
    append_size(magic, out.pos);
    magic.append(packed, 0, out.pos);
    turn = (turn + 1) % streams;
  }
  for (ZSTD_CStream* packer : packers) ZSTD_freeCStream(packer);
  return magic;
}

TEST(Tracy, AllFormsOfTheFileAreRead) {
  const Timeline made = random_timeline(5, 60000);
  const std::string file = tracy_bytes(made);
  using namespace std::string_literals;
  for (const std::string& other : {repacked(file, 1, "tZst"), repacked(file, 1, "tr\xFDP\x01\x01"s),
                                   repacked(file, 4, "tr\xFDP\x01\x04"s)}) {
    const Result<Timeline> read = read_tracy(other, "x");
    ASSERT_TRUE(read);
    EXPECT_THAT(read->findings, IsEmpty());
    EXPECT_EQ(facts_of(*read), facts_of(made));
  }
}

TEST(Tracy, ThreadNumbersOfCsvexportAreKept) {
  Timeline made = sample_timeline();
  made.tracks[1].number = 3;
  made.tracks[2].number = 1;
  const Result<Timeline> read = read_tracy(tracy_bytes(made), "x");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->tracks[1].number, 3U);
  EXPECT_EQ(read->tracks[2].number, 1U);
}

TEST(Tracy, TimesBeforeZeroAreShifted) {
  Timeline made = sample_timeline();
  for (std::int64_t& time : made.zones.start_ns) time -= 5000;
  for (std::int64_t& time : made.zones.end_ns) time -= 5000;
  made.last_ns = 0;
  made.find_span();
  StringWriter out;
  const Result<TracyLosses> losses = write_tracy(made, TracyVersion::kMinor11, out);
  ASSERT_TRUE(losses);
  EXPECT_EQ(losses->shift_ns, 4000);
  ASSERT_TRUE(out.finish());
  const Result<Timeline> read = read_tracy(out.text(), "x");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->zones.start_ns[0], 0);
}

/// A capture whose frames of no name begin at these times, each where the one before ends.
std::string capture_with_frames(const std::vector<std::int64_t>& starts) {
  const std::string file = tracy_bytes(sample_timeline());
  TracyBlocks blocks(file);
  std::string content;
  for (std::string_view block = blocks.next(); !block.empty(); block = blocks.next()) content += block;
  // The set of no name, which the writer leaves empty: its name, that it is continuous, how many it has.
  const std::string empty_set = std::string(8, '\0') + '\x01' + std::string(8, '\0');
  const std::size_t at = content.find(empty_set, content.find("a machine"));
  std::string frames = empty_set.substr(0, 9);
  const auto put = [&](auto value) { frames.append(reinterpret_cast<const char*>(&value), sizeof(value)); };
  put(std::uint64_t{starts.size()});
  std::int64_t before = 0;
  for (const std::int64_t start : starts) {
    put(start - before);
    put(std::int32_t{-1});
    before = start;
  }
  return stored_in_blocks(content.replace(at, empty_set.size(), frames));
}

TEST(Tracy, AFrameThatBeginsBeforeTheLastOneEndsItWithoutANegativeTime) {
  const Result<Timeline> read = read_tracy(capture_with_frames({1000, 3000, 2000, 4000}), "frames.tracy");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_THAT(read->findings, IsEmpty());
  const auto frames = std::find_if(read->tracks.begin(), read->tracks.end(), [&](const Track& track) {
    return track.kind == TrackKind::kFrames && read->text(track.name) == "Frame";
  });
  ASSERT_NE(frames, read->tracks.end());
  ASSERT_EQ(frames->zone_count, 4U);
  const Zones& zones = read->zones;
  const std::size_t first = frames->first_zone;
  EXPECT_EQ(zones.end_ns[first], 3000);
  EXPECT_EQ(zones.start_ns[first + 1], 3000);
  EXPECT_EQ(zones.end_ns[first + 1], 3000);
  EXPECT_EQ(zones.start_ns[first + 2], 3000);  // the file says 2000
  EXPECT_EQ(zones.end_ns[first + 2], 4000);
  EXPECT_EQ(read->problems.count(TimelineProblem::kZoneOutside), 1U);
  const Result<Timeline> ordered = read_tracy(capture_with_frames({1000, 2000, 3000, 4000}), "frames.tracy");
  ASSERT_TRUE(ordered);
  EXPECT_FALSE(ordered->problems.any());
}

TEST(Tracy, MorePlacesThanAFileCanNameAreRefused) {
  Timeline made = sample_timeline();
  made.locations.resize(40000);
  StringWriter out;
  const Result<TracyLosses> losses = write_tracy(made, TracyVersion::kMinor11, out);
  ASSERT_FALSE(losses);
  EXPECT_THAT(losses.error().message, HasSubstr("32767"));
}

TEST(Tracy, MoreOpsThanAFileCanNameAreLeftOut) {
  SampleMaker maker;
  const std::uint32_t core = maker.group("Core 1,1", maker.group("Device 0"));
  const std::uint32_t firmware = maker.place("BRISC-FW");
  Track& lane = maker.track("BRISC", TrackKind::kLane, core);
  lane.device = 0;
  lane.core_x = lane.core_y = 1;
  for (std::uint32_t op = 0; op < 33000; ++op) {
    maker.zone(op * 10, op * 10 + 5, firmware, 0, maker.detail({.op = op}));
  }
  maker.made.find_span();
  StringWriter out;
  const Result<TracyLosses> losses = write_tracy(maker.made, TracyVersion::kMinor11, out);
  ASSERT_TRUE(losses);
  EXPECT_TRUE(losses->ops);
  ASSERT_TRUE(out.finish());
  const Result<Timeline> read = read_tracy(out.text(), "x");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->zones.size(), 33000U);
}

/// Every cut of a file gives what stands before it, or an error; zones never begin after they end.
TEST(Tracy, ACutFileIsReadAsFarAsItGoes) {
  const Timeline made = random_timeline(3, 6000);
  const std::string bytes = tracy_bytes(made);
  const Result<Timeline> whole = read_tracy(bytes, "x");
  ASSERT_TRUE(whole);
  std::size_t most = 0;
  for (std::size_t size = 0; size < bytes.size(); size += 1 + bytes.size() / 200) {
    const Result<Timeline> read = read_tracy(bytes.substr(0, size), "cut.tracy");
    if (!read) continue;
    ASSERT_THAT(read->findings, SizeIs(1));
    EXPECT_EQ(read->findings[0].kind, FindingKind::kCaptureCut);
    EXPECT_EQ(read->findings[0].file, "cut.tracy");
    EXPECT_THAT(read->findings[0].text, AnyOf(IsEmpty(), HasSubstr("the file is cut")));
    EXPECT_GE(read->zones.size(), most) << "a longer part has no fewer zones";
    most = read->zones.size();
    for (std::size_t zone = 0; zone < most; ++zone) EXPECT_GE(read->zones.length_ns(zone), 0);
  }
  EXPECT_GT(most, 0U);
}

/// Most captures of a few ops are one block: a cut one gave nothing at all.
TEST(Tracy, APartOfTheLastBlockIsReadToo) {
  const std::string bytes = tracy_bytes(random_timeline(3, 600));
  const Result<Timeline> whole = read_tracy(bytes, "x");
  ASSERT_TRUE(whole);
  for (std::size_t size = bytes.size() / 2; size < bytes.size(); size += 11) {
    const Result<Timeline> cut = read_tracy(bytes.substr(0, size), "cut.tracy");
    if (!cut) continue;
    const std::vector<std::int64_t>& starts = cut->zones.start_ns;
    EXPECT_TRUE(std::equal(starts.begin(), starts.end(), whole->zones.start_ns.begin())) << "cut at " << size;
  }
  const Result<Timeline> part = read_tracy(bytes.substr(0, bytes.size() * 3 / 4), "cut.tracy");
  ASSERT_TRUE(part) << part.error().message;
  EXPECT_GT(part->zones.size(), whole->zones.size() / 8);
  EXPECT_LT(part->zones.size(), whole->zones.size());
  ASSERT_THAT(part->findings, SizeIs(1));
  EXPECT_EQ(part->findings[0].kind, FindingKind::kCaptureCut);
  EXPECT_THAT(part->findings[0].text, HasSubstr("the file is cut"));
}

TEST(Tracy, ADamagedBlockEndsTheReading) {
  std::string bytes = tracy_bytes(random_timeline(3, 60000));
  for (std::size_t at = bytes.size() / 2; at < bytes.size() / 2 + 40; ++at) bytes[at] = '\xFF';
  const Result<Timeline> read = read_tracy(bytes, "x");
  if (!read) return;
  EXPECT_GT(read->zones.size(), 0U);
}

TEST(Tracy, OtherVersionsAndOtherFilesAreErrors) {
  EXPECT_THAT(read_tracy("hello", "x").error().message, HasSubstr("not a capture of Tracy"));
  EXPECT_THAT(read_tracy("", "x").error().message, HasSubstr("not a capture of Tracy"));
  EXPECT_THAT(read_tracy(std::string("tlZ\x04\0\0", 6), "x").error().message, HasSubstr("nothing of this"));
  // A literal LZ4 block with the head of version 0.9.1.
  const std::string head = std::string("tlZ\x04\x09\0\0\0\x80tracy\0\x09\x01", 17);
  EXPECT_THAT(read_tracy(head, "x").error().message, HasSubstr("0.9.1; those of 0.10 to 0.14 are read"));
}

}  // namespace
}  // namespace ttscope::timeline
