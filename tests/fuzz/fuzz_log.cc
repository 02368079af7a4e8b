// A whole log through reader, analysis and outputs. The trace must not depend on how the input is cut into
// chunks.
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "base/writer.h"
#include "mem/analyse/last_run.h"
#include "mem/analyse/memory_profile.h"
#include "mem/read/runtime_log/log_reader.h"
#include "mem/write/json/mem_json.h"
#include "mem/write/markdown/mem_markdown.h"
#include "mem/write/page/mem_page.h"
#include "mem/write/terminal/mem_summary.h"
#include "support/invariants.h"

namespace {

using ttscope::mem::RankTrace;
using ttscope::mem::RuntimeTrace;

void require(bool holds, const char* rule) {
  if (holds) return;
  std::fprintf(stderr, "broken: %s\n", rule);
  std::abort();
}

mem::RuntimeTrace read(const std::string& path, std::size_t chunk_bytes, unsigned threads) {
  ttscope::mem::ReadOptions options;
  options.threads = threads;
  if (chunk_bytes != 0) options.source.chunk_bytes = chunk_bytes;
  auto trace = ttscope::mem::read_runtime_logs({path}, options);
  require(trace.has_value(), "a file in memory can be read");
  return std::move(*trace);
}

void require_same(const mem::RuntimeTrace& a, const mem::RuntimeTrace& b) {
  require(a.ranks.size() == b.ranks.size(), "ranks do not depend on chunks");
  require(a.modules.size() == b.modules.size(), "modules do not depend on chunks");
  require(a.op_texts.size() == b.op_texts.size(), "op texts do not depend on chunks");
  for (std::size_t r = 0; r < a.ranks.size(); ++r) {
    const mem::RankTrace& x = a.ranks[r];
    const mem::RankTrace& y = b.ranks[r];
    require(x.ops.size() == y.ops.size(), "ops do not depend on chunks");
    require(x.blocks.size() == y.blocks.size(), "blocks do not depend on chunks");
    require(x.programs.size() == y.programs.size(), "programs do not depend on chunks");
    for (std::size_t i = 0; i < x.ops.size(); ++i) {
      require(x.ops[i].line == y.ops[i].line && x.ops[i].block == y.ops[i].block,
              "an op does not depend on chunks");
    }
  }
}

void write_outputs(const mem::RuntimeTrace& trace, const ttscope::mem::MemoryProfile& profile) {
  ttscope::StringWriter out;
  ttscope::mem::write_mem_json(trace, profile, out);
  ttscope::mem::write_mem_markdown(trace, profile, "log", out);
  ttscope::mem::write_mem_page(trace, profile, out, {.name = "log", .threads = 1});
  require(out.finish().has_value(), "a string can be written");
  require(!ttscope::mem::mem_summary_text(trace, profile, {}).empty(), "there is a summary");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const int file = ::memfd_create("fuzz", MFD_CLOEXEC);
  require(file >= 0 && ::write(file, data, size) == static_cast<ssize_t>(size),
          "a file in memory can be written");
  const std::string path = "/proc/self/fd/" + std::to_string(file);
  {
    const mem::RuntimeTrace trace = read(path, 0, 0);
    require_same(trace, read(path, 1 + size % 97, 0));
    const auto profile = ttscope::mem::profile_memory(trace, {.live_totals = true});
    const std::string broken = ttscope::testing::broken_invariant(trace, profile);
    require(broken.empty(), broken.c_str());
    require(ttscope::mem::find_last_run(trace).size() == trace.ranks.size(), "one cut a rank");
    if (!trace.ranks.empty()) write_outputs(trace, profile);  // without ranks the program stops before
  }
  ::close(file);
  return 0;
}
