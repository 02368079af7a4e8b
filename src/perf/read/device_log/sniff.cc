#include "perf/read/device_log/sniff.h"

namespace ttscope::perf {

bool is_device_log(const io::Beginning& beginning) {
  return beginning.bytes.starts_with("ARCH:") || beginning.bytes.starts_with("Chip clock is at");
}

}  // namespace ttscope::perf
