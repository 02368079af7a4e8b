#include "perf/model/figure_columns.h"

#include <algorithm>
#include <array>

namespace ttscope::perf {
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

}  // namespace ttscope::perf
