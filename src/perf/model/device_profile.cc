#include "perf/model/device_profile.h"

#include <algorithm>
#include <array>

namespace ttscope::perf {
namespace {

CycleSpan kernels_of(const CoreRun& run, bool dm_starts) {
  CycleSpan all;
  for (std::size_t slot = 0; slot < kRiscSlotCount; ++slot) {
    const CycleSpan& kernel = run.kernel[slot];
    const auto risc = static_cast<RiscSlot>(slot);
    const bool starts =
        !dm_starts || risc == RiscSlot::kBrisc || risc == RiscSlot::kNcrisc || risc == RiscSlot::kErisc;
    if (starts && kernel.start != kNoCycle && (all.start == kNoCycle || kernel.start < all.start)) {
      all.start = kernel.start;
    }
    if (kernel.end != kNoCycle && (all.end == kNoCycle || kernel.end > all.end)) all.end = kernel.end;
  }
  return all;
}

}  // namespace

CycleSpan CoreRun::kernels() const { return kernels_of(*this, false); }

CycleSpan CoreRun::dm_kernels() const { return kernels_of(*this, true); }

std::string_view risc_name(RiscSlot slot, bool quasar) {
  switch (slot) {
    case RiscSlot::kBrisc:
      return quasar ? "DM" : "BRISC";
    case RiscSlot::kNcrisc:
      return "NCRISC";
    case RiscSlot::kTrisc0:
      return quasar ? "NEO_TRISC" : "TRISC0";
    case RiscSlot::kTrisc1:
      return "TRISC1";
    case RiscSlot::kTrisc2:
      return "TRISC2";
    case RiscSlot::kErisc:
      return "ERISC";
    default:
      return "TRACE";
  }
}

namespace {

constexpr std::array<std::string_view, kFigureCount> kColumns = {
    "CORE COUNT",
    "AVAILABLE WORKER CORE COUNT",
    "SUB DEVICE ID",
    "DEVICE FW START CYCLE",
    "DEVICE FW END CYCLE",
    "DEVICE KERNEL START CYCLE",
    "DEVICE KERNEL END CYCLE",
    "DEVICE KERNEL DM START CYCLE",
    "DEVICE KERNEL DM END CYCLE",
    "OP TO OP LATENCY [ns]",
    "OP TO OP LATENCY BR/NRISC START [ns]",
    "DEVICE FW DURATION [ns]",
    "DEVICE KERNEL DURATION [ns]",
    "DEVICE KERNEL DURATION DM START [ns]",
    "DEVICE KERNEL DURATION PER CORE MIN [ns]",
    "DEVICE KERNEL DURATION PER CORE MAX [ns]",
    "DEVICE KERNEL DURATION PER CORE AVG [ns]",
    "DEVICE KERNEL FIRST TO LAST START [ns]",
    "DEVICE BRISC KERNEL DURATION [ns]",
    "DEVICE NCRISC KERNEL DURATION [ns]",
    "DEVICE TRISC0 KERNEL DURATION [ns]",
    "DEVICE TRISC1 KERNEL DURATION [ns]",
    "DEVICE TRISC2 KERNEL DURATION [ns]",
    "DEVICE ERISC KERNEL DURATION [ns]",
    "DEVICE COMPUTE CB WAIT FRONT [ns]",
    "DEVICE COMPUTE CB RESERVE BACK [ns]",
    "DISPATCH TOTAL CQ CMD OP TIME [ns]",
    "DISPATCH GO SEND WAIT TIME [ns]",
    "DEVICE TRACE FIRMWARE DURATION [ns]",
    "DEVICE TRACE KERNEL DURATION [ns]",
    "DEVICE QUASAR_DM KERNEL DURATION [ns]",
    "DEVICE QUASAR_NEO_TRISC KERNEL DURATION [ns]",
    "DEVICE DM FW DURATION [ns]",
    "DEVICE TRISC FW DURATION [ns]",
    "OP TO OP DM LATENCY [ns]",
    "OP TO OP TRISC LATENCY [ns]",
    "DEVICE QUASAR_DM KERNEL START CYCLE",
    "DEVICE QUASAR_DM KERNEL END CYCLE",
    "DEVICE QUASAR_NEO_TRISC KERNEL START CYCLE",
    "DEVICE QUASAR_NEO_TRISC KERNEL END CYCLE",
};

}  // namespace

std::string_view column_of(Figure figure) { return kColumns[static_cast<std::size_t>(figure)]; }

Figure figure_of(std::string_view column) {
  const auto found = std::find(kColumns.begin(), kColumns.end(), column);
  return static_cast<Figure>(found - kColumns.begin());
}

namespace {

/// From number 1. Later ones, of source writes and of Blackhole's other banks, have no settled numbers.
constexpr auto kNames = std::to_array<std::string_view>({
    "FPU_COUNTER",
    "SFPU_COUNTER",
    "MATH_COUNTER",
    "MATH_SRC_DATA_READY",
    "DATA_HAZARD_STALLS_MOVD2A",
    "MATH_FIDELITY_STALL",
    "MATH_INSTRN_STARTED",
    "MATH_INSTRN_AVAILABLE",
    "SRCB_WRITE_AVAILABLE",
    "SRCA_WRITE_AVAILABLE",
    "UNPACK0_BUSY_THREAD0",
    "UNPACK1_BUSY_THREAD0",
    "UNPACK0_BUSY_THREAD1",
    "UNPACK1_BUSY_THREAD1",
    "MATH_INSTRN_HF_1_CYCLE",
    "MATH_INSTRN_HF_2_CYCLE",
    "MATH_INSTRN_HF_4_CYCLE",
    "PACKER_DEST_READ_AVAILABLE",
    "PACKER_BUSY",
    "AVAILABLE_MATH",
    "CFG_INSTRN_AVAILABLE_0",
    "CFG_INSTRN_AVAILABLE_1",
    "CFG_INSTRN_AVAILABLE_2",
    "SYNC_INSTRN_AVAILABLE_0",
    "SYNC_INSTRN_AVAILABLE_1",
    "SYNC_INSTRN_AVAILABLE_2",
    "THCON_INSTRN_AVAILABLE_0",
    "THCON_INSTRN_AVAILABLE_1",
    "THCON_INSTRN_AVAILABLE_2",
    "MOVE_INSTRN_AVAILABLE_0",
    "MOVE_INSTRN_AVAILABLE_1",
    "MOVE_INSTRN_AVAILABLE_2",
    "FPU_INSTRN_AVAILABLE_0",
    "FPU_INSTRN_AVAILABLE_1",
    "FPU_INSTRN_AVAILABLE_2",
    "UNPACK_INSTRN_AVAILABLE_0",
    "UNPACK_INSTRN_AVAILABLE_1",
    "UNPACK_INSTRN_AVAILABLE_2",
    "PACK_INSTRN_AVAILABLE_0",
    "PACK_INSTRN_AVAILABLE_1",
    "PACK_INSTRN_AVAILABLE_2",
    "THREAD_STALLS_0",
    "THREAD_STALLS_1",
    "THREAD_STALLS_2",
    "WAITING_FOR_SRCA_CLEAR",
    "WAITING_FOR_SRCB_CLEAR",
    "WAITING_FOR_SRCA_VALID",
    "WAITING_FOR_SRCB_VALID",
    "WAITING_FOR_THCON_IDLE_0",
    "WAITING_FOR_THCON_IDLE_1",
    "WAITING_FOR_THCON_IDLE_2",
    "WAITING_FOR_UNPACK_IDLE_0",
    "WAITING_FOR_UNPACK_IDLE_1",
    "WAITING_FOR_UNPACK_IDLE_2",
    "WAITING_FOR_PACK_IDLE_0",
    "WAITING_FOR_PACK_IDLE_1",
    "WAITING_FOR_PACK_IDLE_2",
    "WAITING_FOR_MATH_IDLE_0",
    "WAITING_FOR_MATH_IDLE_1",
    "WAITING_FOR_MATH_IDLE_2",
    "WAITING_FOR_NONZERO_SEM_0",
    "WAITING_FOR_NONZERO_SEM_1",
    "WAITING_FOR_NONZERO_SEM_2",
    "WAITING_FOR_NONFULL_SEM_0",
    "WAITING_FOR_NONFULL_SEM_1",
    "WAITING_FOR_NONFULL_SEM_2",
    "WAITING_FOR_MOVE_IDLE_0",
    "WAITING_FOR_MOVE_IDLE_1",
    "WAITING_FOR_MOVE_IDLE_2",
    "WAITING_FOR_MMIO_IDLE_0",
    "WAITING_FOR_MMIO_IDLE_1",
    "WAITING_FOR_MMIO_IDLE_2",
    "WAITING_FOR_SFPU_IDLE_0",
    "WAITING_FOR_SFPU_IDLE_1",
    "WAITING_FOR_SFPU_IDLE_2",
    "L1_0_UNPACKER_0",
    "L1_0_UNPACKER_1_ECC_PACK1",
    "L1_0_TDMA_BUNDLE_0_RISC",
    "L1_0_TDMA_BUNDLE_1_TRISC",
    "L1_0_NOC_RING0_OUTGOING_0",
    "L1_0_NOC_RING0_OUTGOING_1",
    "L1_0_NOC_RING0_INCOMING_0",
    "L1_0_NOC_RING0_INCOMING_1",
    "L1_1_TDMA_PACKER_2",
    "L1_1_EXT_UNPACKER_1",
    "L1_1_EXT_UNPACKER_2",
    "L1_1_EXT_UNPACKER_3",
    "L1_1_NOC_RING1_OUTGOING_0",
    "L1_1_NOC_RING1_OUTGOING_1",
    "L1_1_NOC_RING1_INCOMING_0",
    "L1_1_NOC_RING1_INCOMING_1",
    "L1_0_UNIFIED_PACKER",
    "L1_1_RISC_CORE",
    "L1_0_UNPACKER_0_GRANT",
    "L1_0_UNPACKER_1_ECC_PACK1_GRANT",
    "L1_0_TDMA_BUNDLE_0_RISC_GRANT",
    "L1_0_TDMA_BUNDLE_1_TRISC_GRANT",
    "L1_0_NOC_RING0_OUTGOING_0_GRANT",
    "L1_0_NOC_RING0_OUTGOING_1_GRANT",
    "L1_0_NOC_RING0_INCOMING_0_GRANT",
    "L1_0_NOC_RING0_INCOMING_1_GRANT",
    "L1_1_TDMA_PACKER_2_GRANT",
    "L1_1_EXT_UNPACKER_1_GRANT",
    "L1_1_EXT_UNPACKER_2_GRANT",
    "L1_1_EXT_UNPACKER_3_GRANT",
    "L1_1_NOC_RING1_OUTGOING_0_GRANT",
    "L1_1_NOC_RING1_OUTGOING_1_GRANT",
    "L1_1_NOC_RING1_INCOMING_0_GRANT",
    "L1_1_NOC_RING1_INCOMING_1_GRANT",
    "THREAD_INSTRUCTIONS_0",
    "THREAD_INSTRUCTIONS_1",
    "THREAD_INSTRUCTIONS_2",
});

}  // namespace

std::string_view counter_name(std::uint32_t type) {
  return type == 0 || type > kNames.size() ? std::string_view{} : kNames[type - 1];
}

}  // namespace ttscope::perf
