#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "perf/model/device_profile.h"

namespace ttscope::perf {

struct NocCount {
  std::uint64_t transfers = 0;
  std::uint64_t bytes = 0;

  void add(std::uint64_t more_bytes) {
    ++transfers;
    bytes += more_bytes;
  }
};

/// The transfers over the network on chip that one execution made, as recorded.
struct NocSummary {
  ExecutionKey key;
  std::string op_name;
  NocCount all;
  std::map<std::string, NocCount> by_type;
  std::map<std::pair<std::int64_t, std::int64_t>, NocCount> by_core;  ///< of the sender
  /// Of the core, its NoC, and whether the data come in: bytes.
  std::map<std::tuple<std::int64_t, std::int64_t, std::string, bool>, std::uint64_t> by_port;
  std::uint64_t saturated = 0;  ///< events of 8160 bytes, the most that one can say

  /// Each core has a port to each of the two networks, which carries data in and out at the same time: the
  /// bytes of the busiest one in the direction of which it carries more.
  std::uint64_t busiest_port_bytes() const {
    std::uint64_t most = 0;
    for (const auto& [port, bytes] : by_port) most = std::max(most, bytes);
    return most;
  }
};

/// What tt-npe's simulation of an op found, in percent; NaN where it does not say.
struct NpeResult {
  std::uint64_t op_id = 0;
  double link_util = 0;
  double multicast_util = 0;
  double dram_util = 0;
  double congestion_impact = 0;
};

}  // namespace ttscope::perf
