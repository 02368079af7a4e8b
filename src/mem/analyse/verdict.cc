#include "mem/analyse/verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "mem/analyse/failure.h"

namespace ttscope::mem {
namespace {

double share(std::int64_t part, std::int64_t whole) {
  return whole <= 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
}

class Judge {
 public:
  Judge(const RuntimeTrace& trace, MemoryProfile& profile) : trace_(trace), profile_(profile) {}

  void judge() {
    if (profile_.ranks.empty()) return list_missing();
    judge_failures();
    judge_peak(Memory::kDram, kDramWarning, kDramCritical);
    judge_peak(Memory::kL1, kL1Warning, kL1Critical);
    judge_padding();
    std::stable_sort(profile_.findings.begin(), profile_.findings.end(),
                     [](const Finding& a, const Finding& b) { return a.severity > b.severity; });
    if (profile_.findings.empty()) add(Severity::kOk, "no tensor memory is in use");
    profile_.verdict = profile_.findings.front().severity;
    list_missing();
    list_notes();
  }

 private:
  void add(Severity severity, std::string text) { profile_.findings.push_back({severity, std::move(text)}); }

  void judge_failures() {
    for (const RankTrace& rank : trace_.ranks) {
      for (const OutOfMemory& failure : rank.failures) {
        add(Severity::kCritical, fmt::format("out of memory: {} B of {} per bank asked for, {} (line {})",
                                             failure.per_bank_bytes, ttscope::mem::name_of(failure.memory),
                                             explain(examine_failure(trace_, rank, failure)), failure.line));
      }
    }
  }

  static std::string explain(const FailedBank& bank) {
    switch (bank.cause) {
      case FailureCause::kNeverFits:
        return fmt::format("more than a bank of {} B holds", bank.size_bytes);
      case FailureCause::kExhausted:
        return fmt::format("{} B free", bank.free_bytes);
      case FailureCause::kFragmented:
        return fmt::format("{} B free but the largest block has {} B: fragmented", bank.free_bytes,
                           bank.largest_free_bytes);
      case FailureCause::kRegionAbsent:
        return "the region does not exist (its size is 0)";
      case FailureCause::kUnknown:
        break;
    }
    return bank.free_bytes < 0 ? "the log does not say how much was free"
                               : "though there was room before the op";
  }

  void judge_peak(Memory memory, double warning, double critical) {
    const std::size_t m = index_of(memory);
    const RankProfile* worst = nullptr;
    double worst_share = -1;
    for (const RankProfile& rank : profile_.ranks) {
      const double used = share(rank.peaks[m].bytes_per_bank, rank.device.capacity_bytes_per_bank[m]);
      if (rank.device.capacity_bytes_per_bank[m] > 0 && used > worst_share) {
        worst_share = used;
        worst = &rank;
      }
    }
    if (worst == nullptr) return judge_without_capacity(memory);
    const Severity severity = worst_share > critical  ? Severity::kCritical
                              : worst_share > warning ? Severity::kWarning
                                                      : Severity::kOk;
    const char* advice = severity == Severity::kOk ? ""
                         : memory == Memory::kDram ? ": at risk of running out of memory"
                                                   : ": ops may spill to DRAM or clash with circular buffers";
    add(severity, fmt::format("{} peak is {:.1f}% of capacity{}", ttscope::mem::name_of(memory),
                              100 * worst_share, advice));
  }

  /// No line tells how large a bank is: the figure alone, without a judgement.
  void judge_without_capacity(Memory memory) {
    const Peak& peak = profile_.ranks[profile_.main_rank].peaks[index_of(memory)];
    if (peak.bytes_per_bank == 0) return;
    add(Severity::kOk,
        fmt::format("{} peak is {:.2f} MB per bank ({}); the log does not tell how much a bank holds",
                    ttscope::mem::name_of(memory), static_cast<double>(peak.bytes_per_bank) / 1048576,
                    name_of(peak.confidence)));
  }

  void judge_padding() {
    const LiveSet& live = profile_.ranks[profile_.main_rank].live_at_peak[index_of(Memory::kDram)];
    const double overhead = share(live.padded_bytes - live.logical_bytes, live.logical_bytes);
    if (overhead <= kPaddingWarning) return;
    add(Severity::kWarning,
        fmt::format("tile padding adds {:.0f}% to the tensors live at the DRAM peak", 100 * overhead));
  }

  void list_missing() {
    bool op_lines = false;
    bool op_blocks = false;
    bool blocks = false;
    for (const RankTrace& rank : trace_.ranks) {
      for (const ExecutedOp& op : rank.ops) {
        op_lines |= op.text != kNone;
        op_blocks |= op.block != kNone;
        if (op_lines && op_blocks) break;
      }
      blocks |= !rank.blocks.empty();
    }
    if (!op_lines) {
      profile_.missing.push_back(
          "op lines (\"Executing operation:\"): build the runtime with TT_RUNTIME_DEBUG=ON and set "
          "TTMLIR_RUNTIME_LOGGER_LEVEL=DEBUG; without them tensors, programs and locations are not known");
    }
    if (!op_blocks) {
      profile_.missing.push_back(
          std::string(blocks ? "memory lines before each op (only program level is there)"
                             : "memory lines (\"Device ... memory state\")") +
          ": build with TT_RUNTIME_DEBUG=ON and set TT_RUNTIME_MEMORY_LOG_LEVEL=operation");
    }
    if (trace_.modules.empty()) {
      profile_.missing.push_back(
          "module dumps (\"MLIR Module ttnn:\"): set TTXLA_LOGGER_LEVEL=DEBUG and capture standard error "
          "too; without "
          "them weights and inputs have no names and kinds");
    }
  }

  void list_notes() {
    const RankProfile& rank = profile_.ranks[profile_.main_rank];
    std::vector<std::string>& notes = profile_.notes;
    if (rank.measured) {
      notes.push_back(
          "peaks are the highest printed state over every block; figures are per bank, rounded to 0.001 MiB");
      notes.push_back(
          rank.has_op_lines
              ? "a block shows the state before its op, so what the last op did is modelled, not measured"
              : "a block shows the state before its op, so what the last op did is not known");
    } else {
      notes.push_back("no memory lines: every figure is modelled from tensor layouts and lifetimes");
    }
    notes.push_back("temporaries that an op makes and frees within itself are not in these logs");
    notes.push_back("L1 counts tensors only: circular buffers and kernels are not in these logs");
    if (rank.device.source == FactSource::kAssumed) {
      notes.push_back(
          "the log does not name the device: 12 DRAM banks and 64 L1 banks (Wormhole) are assumed");
    }
    for (const std::string& warning : trace_.warnings) notes.push_back(warning);
  }

  const RuntimeTrace& trace_;
  MemoryProfile& profile_;
};

}  // namespace

void judge(const RuntimeTrace& trace, MemoryProfile& profile) { Judge(trace, profile).judge(); }

}  // namespace ttscope::mem
