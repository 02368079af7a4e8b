#include "perf/model/device_profile.h"

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

}  // namespace ttscope::perf
