// Time lines and executions of device logs against a plain statement of them that keeps and sorts all rows.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <tuple>

#include "perf/analyze/device_stats.h"
#include "perf/read/log_rows.h"
#include "support/perf_lines.h"

namespace ttscope::perf {
namespace {

using Core = std::pair<int, int>;
using Places = std::vector<std::uint64_t>;

struct PlainRow {
  int device = 0;
  Core core;
  std::string risc, op, zone, type;  ///< op: id, trace, replay
  std::uint64_t time = 0;
  int timer = 0;
  std::uint64_t at = 0;
};
using PlainRows = std::vector<PlainRow>;

/// A log without any sense, with many equal times; few names, so that all rules apply somewhere.
std::string random_log(std::mt19937& random, PlainRows& rows) {
  const auto pick = [&](std::vector<std::string> from) { return from[random() % from.size()]; };
  const auto number = [&](unsigned below) { return static_cast<int>(random() % below); };
  std::string text = testing::kLogHead;
  const int count = number(80);
  PlainRow row;
  for (int i = 0; i < count; ++i) {
    if (i == 0 || number(3) == 0) {
      row.device = number(2);
      row.core = {1, number(3)};
      row.risc = pick({"BRISC", "NCRISC", "ERISC"});
    }
    if (row.op.empty() || number(3) == 0) row.op = pick({"0,,", "1024,,", "2048,,", "1024,5,1", "1024,5,2"});
    row.zone = pick({"BRISC-FW", "BRISC-FW", "BRISC-KERNEL", "ERISC-FW", "mine"});
    row.type = pick({"ZONE_START", "ZONE_END", "TS_DATA"});
    row.time = number(2) == 0 ? row.time + random() % 3 : random() % 20;
    row.timer = number(8);
    row.at = text.size();
    text += std::to_string(row.device) + "," + std::to_string(row.core.first) + "," +
            std::to_string(row.core.second) + "," + row.risc + "," + std::to_string(row.timer) + "," +
            std::to_string(row.time) + ",0," + row.op + "," + row.zone + "," + row.type + ",1,k.cc,\n";
    rows.push_back(row);
    if (number(10) == 0) text += "damaged,row\n";
  }
  return text;
}

/// All rows of a device: cores by appearance, in each its processors by appearance, each in order of time;
/// these sorted by time for the core, and those of the cores for the device.
PlainRows plain_timeline(const PlainRows& rows, int device) {
  const auto by_time = [](const PlainRow& a, const PlainRow& b) { return a.time < b.time; };
  std::vector<std::pair<Core, std::vector<std::pair<std::string, PlainRows>>>> cores;
  const auto entry_of = [](auto& list, const auto& key) -> auto& {
    for (auto& entry : list) {
      if (entry.first == key) return entry.second;
    }
    list.push_back({key, {}});
    return list.back().second;
  };
  for (const PlainRow& row : rows) {
    if (row.device == device) entry_of(entry_of(cores, row.core), row.risc).push_back(row);
  }
  PlainRows all;
  for (auto& [core, riscs] : cores) {
    PlainRows merged;
    for (auto& [risc, own] : riscs) {
      std::stable_sort(own.begin(), own.end(), by_time);
      merged.insert(merged.end(), own.begin(), own.end());
    }
    std::stable_sort(merged.begin(), merged.end(), by_time);
    all.insert(all.end(), merged.begin(), merged.end());
  }
  std::stable_sort(all.begin(), all.end(), by_time);
  return all;
}

bool is_master(const PlainRow& row) {
  return (row.risc == "BRISC" && row.zone == "BRISC-FW") || (row.risc == "ERISC" && row.zone == "ERISC-FW");
}

/// The executions on a time line.
std::vector<Places> plain_records(const PlainRows& timeline, bool one_core, bool compat) {
  const auto name_of = [&](const PlainRow& row) {
    return compat ? row.op.substr(0, row.op.find(',')) : row.op;
  };
  std::vector<std::string> ops;
  for (const PlainRow& row : timeline) {
    if (std::find(ops.begin(), ops.end(), name_of(row)) == ops.end()) ops.push_back(name_of(row));
  }
  std::vector<Places> records(1);
  for (const std::string& op : ops) {
    if (op[0] == '0') continue;
    std::map<Core, int> states;
    for (const PlainRow& row : timeline) {
      if (name_of(row) == op) states[row.core] = 0;
    }
    const auto next_record = [&] {
      if (!records.back().empty()) records.emplace_back();
      for (auto& [core, state] : states) state = 0;
    };
    for (const PlainRow& row : timeline) {
      if (name_of(row) != op || row.timer == 0) continue;
      bool done = false;
      if (is_master(row) && row.type == "ZONE_START" && !one_core) {
        if (states[row.core] != 0) next_record();
        states[row.core] = 1;
      } else if (is_master(row) && row.type == "ZONE_END") {
        if (states[row.core] == 1) {
          states[row.core] = 2;
          done =
              std::all_of(states.begin(), states.end(), [](const auto& entry) { return entry.second == 2; });
        }
        done = done || one_core;
      }
      records.back().push_back(row.at);
      if (done) next_record();
    }
    if (!compat && !records.back().empty()) records.emplace_back();
  }
  records.pop_back();  // empty, or not whole
  return records;
}

Places places_of(const PlainRows& rows) {
  Places places;
  for (const PlainRow& row : rows) places.push_back(row.at);
  return places;
}

Places merged(const MarkerSource& source, const std::vector<std::uint32_t>& lanes) {
  Places places;
  MarkerMerge merge(source, lanes);
  for (TimedMarker marker; merge.next(marker);) places.push_back(marker.at);
  return places;
}

std::vector<Places> records(const MarkerSource& source, const std::vector<std::uint32_t>& lanes,
                            bool one_core) {
  std::vector<Places> found;
  for_each_op_record(source, lanes, one_core, [&](const OpRecord& record) {
    found.emplace_back();
    for (const TimedMarker& marker : record.markers) found.back().push_back(marker.at);
  });
  return found;
}

PlainRows of_core(const PlainRows& timeline, const MarkerCore& core) {
  PlainRows own;
  for (const PlainRow& row : timeline) {
    if (row.core == Core{core.x, core.y}) own.push_back(row);
  }
  return own;
}

TEST(DeviceAnalysisOrder, IsThatOfSortingAllRows) {
  std::mt19937 random(7);
  constexpr int kLogs = 2000;
  std::size_t several = 0;
  for (int i = 0; i < kLogs; ++i) {
    PlainRows rows;
    const std::string text = random_log(random, rows);
    const MarkerLog log = find_marker_lanes(text);
    for (const DeviceMarkers& device : log.devices) {
      const PlainRows timeline = plain_timeline(rows, static_cast<int>(device.device));
      const std::vector<std::uint32_t> all = all_lanes(device);
      for (const bool compat : {false, true}) {
        const MarkerSource source{device, *log.rows, compat, nullptr};
        ASSERT_EQ(merged(source, all), places_of(timeline)) << text;
        ASSERT_EQ(records(source, all, false), plain_records(timeline, false, compat)) << compat << text;
        several += records(source, all, false).size() > 1 ? 1 : 0;
        for (std::uint32_t core = 0; core < device.cores.size(); ++core) {
          const auto lanes = lanes_of_core(device, core);
          const PlainRows own = of_core(timeline, device.cores[core]);
          ASSERT_EQ(merged(source, lanes), places_of(own)) << text;
          ASSERT_EQ(records(source, lanes, true), plain_records(own, true, compat)) << compat << text;
        }
      }
    }
  }
  EXPECT_GT(several, 1000u);  // the logs are not trivial
}

}  // namespace
}  // namespace ttscope::perf
