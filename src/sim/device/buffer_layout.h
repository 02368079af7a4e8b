#pragma once

#include <cstdint>
#include <optional>

#include <ttscope/device.h>
#include <ttscope/tensor.h>

namespace ttscope::sim {

/// A buffer to be placed. `size_bytes` is pages x page, without padding of pages or banks.
struct BufferRequest {
  std::uint64_t size_bytes = 0;
  std::uint64_t page_bytes = 0;
  BufferType type = BufferType::kDram;
  BufferLayout layout = BufferLayout::kInterleaved;
  std::uint32_t shard_cores = 0;      ///< of a sharded buffer
  std::uint64_t pages_per_shard = 0;  ///< of a sharded buffer; the last shard is padded to it
  std::optional<bool> bottom_up;      ///< unset: DRAM and traces bottom-up, L1 top-down
};

/// Where the bytes of a request go.
struct BankShare {
  std::uint32_t banks = 0;
  std::uint64_t bytes_per_bank = 0;  ///< `max_size_per_bank` of captures: whole aligned pages
  std::uint64_t total_bytes = 0;     ///< all device pages, aligned
};

/// Pages of an interleaved buffer go round the banks; a sharded one has one bank a core.
BankShare bank_share(const BufferRequest& request, const DeviceSpec& spec);

/// Where page `index` of an interleaved buffer lies.
struct PagePlace {
  std::uint32_t bank = 0;
  std::uint64_t offset_bytes = 0;
};
PagePlace page_place(const BufferRequest& request, const DeviceSpec& spec, std::uint64_t index);

}  // namespace ttscope::sim
