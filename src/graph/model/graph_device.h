#pragma once

#include <cstdint>
#include <string>

namespace ttscope::graph {

/// A number or text that the capture does not give.
inline constexpr int kNotRecorded = -1;

/// A device as a report or a capture of ours describes it; kNotRecorded where it does not say.
struct GraphDevice {
  std::int64_t device_id = kNotRecorded;
  std::int64_t num_y_cores = kNotRecorded;
  std::int64_t num_x_cores = kNotRecorded;
  std::int64_t worker_l1_size_bytes = kNotRecorded;
  std::int64_t l1_num_banks = kNotRecorded;
  std::int64_t l1_bank_size_bytes = kNotRecorded;
  std::int64_t first_l1_bank_address = kNotRecorded;
  std::int64_t first_l1_cb_address = kNotRecorded;
  std::int64_t num_dram_channels = kNotRecorded;
  std::int64_t dram_size_per_channel_bytes = kNotRecorded;
  std::int64_t cb_limit_bytes = kNotRecorded;
  std::string arch;
  bool operator==(const GraphDevice&) const = default;
};

}  // namespace ttscope::graph
