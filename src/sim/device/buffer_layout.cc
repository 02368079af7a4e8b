#include "sim/device/buffer_layout.h"

#include "sim/device/free_list.h"

namespace ttscope::sim {
namespace {

bool in_dram(BufferType type) { return type == BufferType::kDram || type == BufferType::kTrace; }

std::uint64_t aligned_page(const BufferRequest& request, const DeviceSpec& spec) {
  return round_up(request.page_bytes,
                  in_dram(request.type) ? spec.dram_alignment_bytes : spec.l1_alignment_bytes);
}

}  // namespace

BankShare bank_share(const BufferRequest& request, const DeviceSpec& spec) {
  BankShare share;
  const bool sharded = request.layout != BufferLayout::kInterleaved;
  share.banks = sharded ? request.shard_cores : in_dram(request.type) ? spec.dram_banks : spec.l1_banks();
  if (request.page_bytes == 0 || share.banks == 0) return share;
  const std::uint64_t pages = sharded ? request.pages_per_shard * request.shard_cores
                                      : (request.size_bytes + request.page_bytes - 1) / request.page_bytes;
  const std::uint64_t page = aligned_page(request, spec);
  share.bytes_per_bank = (pages + share.banks - 1) / share.banks * page;
  share.total_bytes = pages * page;
  return share;
}

PagePlace page_place(const BufferRequest& request, const DeviceSpec& spec, std::uint64_t index) {
  const std::uint32_t banks = in_dram(request.type) ? spec.dram_banks : spec.l1_banks();
  if (banks == 0) return {};
  return {static_cast<std::uint32_t>(index % banks), index / banks * aligned_page(request, spec)};
}

}  // namespace ttscope::sim
