// A whole log through reader, analysis and outputs. The trace must not depend on how the input is cut into
// chunks.
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/writer.h"
#include "fit/outputs.h"
#include "fuzz/compared_run_check.h"
#include "fuzz/fuzz_target.h"
#include "fuzz/output_rules.h"
#include "mem/analyze/logs.h"
#include "mem/analyze/memory_profile.h"
#include "mem/diff_run.h"
#include "mem/fit.h"
#include "mem/read/log_reader.h"
#include "mem/write/json.h"
#include "mem/write/markdown.h"
#include "mem/write/page.h"
#include "mem/write/terminal.h"
#include "support/invariants.h"

namespace ttscope::mem {
namespace {

using fuzz::require;

RuntimeLog read(const std::string& path, std::size_t chunk_bytes, unsigned threads) {
  ReadOptions options;
  options.threads = threads;
  if (chunk_bytes != 0) options.source.chunk_bytes = chunk_bytes;
  auto log = read_runtime_logs({path}, options);
  require(log.has_value(), "a file in memory can be read");
  return std::move(*log);
}

void require_same(const RuntimeLog& a, const RuntimeLog& b) {
  require(a.ranks.size() == b.ranks.size(), "ranks do not depend on chunks");
  require(a.modules.size() == b.modules.size(), "modules do not depend on chunks");
  require(a.op_texts.size() == b.op_texts.size(), "op texts do not depend on chunks");
  for (std::size_t r = 0; r < a.ranks.size(); ++r) {
    const RankLog& x = a.ranks[r];
    const RankLog& y = b.ranks[r];
    require(x.ops.size() == y.ops.size(), "ops do not depend on chunks");
    require(x.blocks.size() == y.blocks.size(), "blocks do not depend on chunks");
    require(x.programs.size() == y.programs.size(), "programs do not depend on chunks");
    for (std::size_t i = 0; i < x.ops.size(); ++i) {
      require(x.ops[i].line == y.ops[i].line && x.ops[i].block == y.ops[i].block,
              "an op does not depend on chunks");
    }
  }
}

void write_outputs(const RuntimeLog& log, const MemoryProfile& profile) {
  StringWriter json, markdown, out;
  write_mem_json(log, profile, json);
  write_mem_markdown(log, profile, "log", markdown);
  require(json.finish() && markdown.finish(), "a string can be written");
  fuzz::require_json(json.text());
  fuzz::require_markdown(markdown.text());
  write_mem_page(log, profile, out, {.name = "log", .threads = 1});
  require(out.finish().has_value(), "a string can be written");
  fuzz::require_terminal_text(mem_summary_text(log, profile, {.top = 0}));
}

/// Any log can be asked whether it fits, as it is and with changes.
void require_fit(const Profile& profile, std::size_t seed) {
  fit::FitQuery question;
  if (seed % 2 == 1) question.devices = {"all", "custom:DRAM=12x1MB,L1=64x64KB"};
  question.changes.weights = seed % 3 == 1 ? fit::WeightFormat::kBfp4 : fit::WeightFormat::kAsRecorded;
  question.changes.free_originals = seed % 5 == 1;
  question.changes.tensor_parallel = seed % 7 == 1 ? 8 : 1;
  if (seed % 11 == 1) question.changes.batch = {1, 3};
  question.search = seed % 13 == 1;
  const auto report = fit_profile(profile, question);
  if (!report) return;  // nothing to place
  for (const fit::DeviceVerdict& verdict : report->devices) {
    require(verdict.fits != verdict.failure.has_value(), "what does not fit has a failure");
    require(verdict.memories.size() == kMemoryCount, "every memory has figures");
  }
  StringWriter json, markdown;
  fit::write_fit_json(*report, json, "");
  fit::write_fit_markdown(*report, markdown);
  require(json.finish() && markdown.finish(), "it can be written");
  fuzz::require_json(json.text());
  fuzz::require_markdown(markdown.text());
  fuzz::require_terminal_text(fit::fit_summary_text(*report, {}));
}

TTSCOPE_FUZZ_TARGET(chain_mem_log) {
  const int file = ::memfd_create("fuzz", MFD_CLOEXEC);
  require(file >= 0 && ::write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size()),
          "a file in memory can be written");
  const std::string path = "/proc/self/fd/" + std::to_string(file);
  {
    const RuntimeLog log = read(path, 0, 0);
    require_same(log, read(path, 1 + text.size() % 97, 0));
    const auto profile = profile_memory(log, {.live_totals = true});
    const std::string broken = testing::broken_invariant(log, profile);
    require(broken.empty(), broken.c_str());
    require(find_last_run(log).size() == log.ranks.size(), "one cut a rank");
    if (!log.ranks.empty()) write_outputs(log, profile);  // without ranks the program stops before
    Profile whole{read(path, 0, 0), {}, {}};
    whole.memory = profile_memory(whole.log, {});
    require_fit(whole, text.size());
    for (const Memory memory : kTensorMemories) fuzz::require_comparable(diff_run_of(whole, memory));
  }
  ::close(file);
}

}  // namespace
}  // namespace ttscope::mem
