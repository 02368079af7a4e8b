// Zones of made-up and of damaged logs against a slow and obvious reference.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <set>

#include "perf/write/capture_sections.h"
#include "support/zone_texts.h"

namespace ttscope::testing {
using namespace perf;

namespace {

/// One row, as the generator knows it.
struct Row {
  std::string risc;
  int core = 0;
  std::uint64_t time = 0;
  int op = 0;  ///< 0: none
  std::string zone;
  bool start = false;
};

std::string text_of(const std::vector<Row>& rows) {
  std::string text = kLogHead;
  for (const Row& row : rows) {
    text += marker_line({"0," + std::to_string(row.core) + ",1," + row.risc,
                         std::to_string(row.op << 10) + ",,", row.zone, row.time, row.time, ""},
                        row.start);
  }
  return text;
}

class Generator {
 public:
  explicit Generator(unsigned seed) : random_(seed) {}

  std::vector<Row> rows() {
    std::vector<Row> rows;
    for (int core = 1; core <= 3; ++core) {
      for (const char* risc : {"BRISC", "NCRISC"}) {
        time_ = static_cast<std::uint64_t>(below(1000));
        for (int op = 1; op <= 6; ++op) nest({risc, core, 0, below(4) == 0 ? 0 : op, "", true}, 0, rows);
      }
    }
    return rows;
  }
  int below(int end) { return std::uniform_int_distribution<int>(0, end - 1)(random_); }

 private:
  /// A zone and what is in it; no two markers of a processor at one time.
  void nest(Row row, int depth, std::vector<Row>& rows) {
    row.zone = depth == 0   ? row.risc + "-FW"
               : depth == 1 ? row.risc + "-KERNEL"
                            : "user " + std::to_string(below(3));
    row.time = tick();
    rows.push_back(row);
    const int inside = depth == 0 ? 1 : depth > 4 ? 0 : below(4);
    for (int i = 0; i < inside; ++i) nest(row, depth + 1, rows);
    row.time = tick();
    row.start = false;
    rows.push_back(row);
  }
  std::uint64_t tick() {
    return time_ += static_cast<std::uint64_t>(1 + below(below(10) == 0 ? 100000 : 50));
  }

  std::mt19937 random_;
  std::uint64_t time_ = 0;
};

struct Expected {
  std::uint64_t total = 0, self = 0, starts = 0, ends = 0;
  std::vector<std::uint64_t> lengths;
  std::set<int> cores, ops;
};
using ExpectedZones = std::map<std::pair<std::string, std::string>, Expected>;

/// The last start before an end that it can close; SIZE_MAX: none.
std::size_t start_of(const std::vector<Row>& rows, const std::set<std::size_t>& gone, std::size_t end) {
  for (std::size_t i = end; i-- > 0;) {
    const bool fits = rows[i].start && rows[i].zone == rows[end].zone && rows[i].op == rows[end].op;
    if (fits && gone.count(i) == 0) return i;
  }
  return SIZE_MAX;
}

/// Each end looks back for its start; what is inside of what is found by comparing all with all.
void add_processor(std::vector<Row> rows, ExpectedZones& zones, std::uint64_t& roots) {
  std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.time < b.time; });
  struct Pair {
    std::size_t start, end;
    std::uint64_t length, inside = 0;
  };
  std::vector<Pair> pairs;
  std::set<std::size_t> gone;
  for (std::size_t end = 0; end < rows.size(); ++end) {
    if (rows[end].start) continue;
    const std::size_t start = start_of(rows, gone, end);
    if (start == SIZE_MAX) continue;
    pairs.push_back({start, end, rows[end].time - rows[start].time});
    for (std::size_t i = start; i <= end; ++i) gone.insert(i);
  }
  std::set<std::size_t> paired;
  for (const Pair& child : pairs) {
    paired.insert({child.start, child.end});
    Pair* parent = nullptr;
    for (Pair& other : pairs) {
      const bool around = other.start < child.start && other.end > child.end;
      if (around && (parent == nullptr || other.start > parent->start)) parent = &other;
    }
    (parent == nullptr ? roots : parent->inside) += child.length;
  }
  for (const Pair& pair : pairs) {
    Expected& zone = zones[{rows[pair.start].risc, rows[pair.start].zone}];
    zone.total += pair.length;
    zone.self += pair.length - pair.inside;
    zone.lengths.push_back(pair.length);
    if (rows[pair.start].op != 0) zone.ops.insert(rows[pair.start].op);
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    Expected& zone = zones[{rows[i].risc, rows[i].zone}];
    zone.cores.insert(rows[i].core);
    if (paired.count(i) == 0) ++(rows[i].start ? zone.starts : zone.ends);
  }
}

void expect_quantile(double got, std::vector<std::uint64_t> lengths, double fraction) {
  std::sort(lengths.begin(), lengths.end());
  const auto rank = static_cast<std::size_t>(std::ceil(fraction * static_cast<double>(lengths.size())));
  const auto exact = static_cast<double>(lengths[std::max<std::size_t>(rank, 1) - 1]);
  EXPECT_NEAR(got, exact, exact * 0.02);
}

void expect_zone(const ZoneFigures& zone, const Expected& expected) {
  EXPECT_EQ(zone.count, expected.lengths.size());
  EXPECT_EQ(zone.total_cycles, expected.total);
  EXPECT_EQ(zone.self_cycles, expected.self);
  EXPECT_EQ(zone.cores, expected.cores.size());
  EXPECT_EQ(zone.executions, expected.ops.size());
  EXPECT_EQ(zone.unmatched_starts, expected.starts);
  EXPECT_EQ(zone.unmatched_ends, expected.ends);
  if (expected.lengths.empty()) return;
  const auto [least, most] = std::minmax_element(expected.lengths.begin(), expected.lengths.end());
  EXPECT_EQ(zone.min_cycles, *least);
  EXPECT_EQ(zone.max_cycles, *most);
  expect_quantile(zone.p50_cycles, expected.lengths, 0.5);
  expect_quantile(zone.p99_cycles, expected.lengths, 0.99);
}

/// Figures, sums, and that it does not matter how many readers there are.
void expect_as_reference(const std::vector<Row>& rows) {
  std::map<std::pair<std::string, int>, std::vector<Row>> processors;
  for (const Row& row : rows) processors[{row.risc, row.core}].push_back(row);
  ExpectedZones expected;
  std::map<std::string, std::uint64_t> roots;
  for (const auto& [place, own] : processors) add_processor(own, expected, roots[place.first]);
  const std::string text = text_of(rows);
  const ZoneStats stats = zones_of(text);
  ASSERT_EQ(stats.zones.size(), expected.size());
  std::map<std::string, std::uint64_t> self;
  for (const ZoneFigures& zone : stats.zones) {
    SCOPED_TRACE(zone.risc + " " + zone.source.name);
    expect_zone(zone, expected[{zone.risc, zone.source.name}]);
    self[zone.risc] += zone.self_cycles;
  }
  for (const ProcessorFigures& processor : stats.processors) {
    EXPECT_EQ(processor.zone_cycles, roots[processor.risc]);
    EXPECT_EQ(processor.zone_cycles, self[processor.risc]) << "self times add up to the outermost zones";
  }
  StringWriter one;
  StringWriter three;
  write_zone_csv({{}, stats, {}}, one);
  const ZoneStats joined = zones_of(text, 3);
  write_zone_csv({{}, joined, {}}, three);
  ASSERT_TRUE(one.finish() && three.finish());
  EXPECT_EQ(one.text(), three.text());
  EXPECT_EQ(stats.unmatched_places, joined.unmatched_places);
}

TEST(ZoneReference, WholeLogs) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    const std::vector<Row> rows = Generator(seed).rows();
    EXPECT_EQ(zones_of(text_of(rows)).unmatched, 0u);
    expect_as_reference(rows);
  }
}

TEST(ZoneReference, RowsInAnyOrder) {
  for (unsigned seed = 1; seed <= 10; ++seed) {
    SCOPED_TRACE(seed);
    std::vector<Row> rows = Generator(seed).rows();
    std::mt19937 random(seed);
    std::shuffle(rows.begin(), rows.end(), random);
    EXPECT_EQ(zones_of(text_of(rows)).unmatched, 0u);
    expect_as_reference(rows);
  }
}

TEST(ZoneReference, DamagedLogs) {
  for (unsigned seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(seed);
    Generator generator(seed);
    std::vector<Row> rows;
    for (Row row : generator.rows()) {
      const int fate = generator.below(20);
      if (fate == 0) continue;                         // lost
      if (fate == 1) row.start = !row.start;           // turned around
      if (fate == 2) row.zone = "user 9";              // another zone
      if (fate == 3) row.op = 1 + generator.below(6);  // another op
      rows.push_back(row);
    }
    expect_as_reference(rows);
  }
}

TEST(ZoneReference, QuantilesOfManyLengths) {
  std::vector<Row> rows;
  std::uint64_t time = 0;
  std::mt19937 random(7);
  for (int i = 0; i < 3000; ++i) {
    const double power = std::uniform_real_distribution<double>(0, 30)(random);
    rows.push_back({"BRISC", 1, ++time, 0, "A", true});
    time += static_cast<std::uint64_t>(std::exp2(power)) + 1;
    rows.push_back({"BRISC", 1, time, 0, "A", false});
  }
  expect_as_reference(rows);
}

}  // namespace
}  // namespace ttscope::testing
