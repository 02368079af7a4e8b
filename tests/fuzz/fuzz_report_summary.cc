// A file of a report folder, of which the list of reports shows figures: whatever it holds, they stay within
// bounds.
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "serve/report_summary.h"

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

void check(const ttscope::serve::ReportSummary& summary) {
  require(summary.curve.size() <= ttscope::serve::kCurvePoints);
  require(summary.ops >= -9'000'000'000'000'000);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const ttscope::FileDescriptor file(memfd_create("report", MFD_CLOEXEC));
  if (!file.is_open() || write(file.number(), data, size) != static_cast<ssize_t>(size)) return 0;
  check(ttscope::serve::read_page_facts(file).summary);
  check(ttscope::serve::read_memory_file(file));
  static_cast<void>(ttscope::serve::read_source_log(file));
  return 0;
}
