#include "perf/analyse/ops/op_peaks.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <optional>

#include "base/text_search.h"
#include "perf/analyse/ops/reference_arch.h"

namespace ttscope::perf {
namespace {

struct ArchFacts {
  std::string_view name;
  double worker_cores;
  double dram_gb_s;
  double dram_banks;
  double nominal_mhz;
  double noc_bytes_per_cycle;
  double link_gb_s;
};

// Cores are those of the cards with one row kept for dispatch; Blackhole cards have 110 by default.
constexpr std::array<ArchFacts, 5> kArchs = {{
    {"wormhole", 64, 288, 12, 1000, 32, 12.5},
    {"blackhole", 110, 512, 8, 1350, 64, 50},
    {"blackhole_p100", 110, 448, 7, 1350, 64, 50},
    {"bh20", 20, 512, 8, 1350, 64, 50},
    {"n1", 20, 120, 0, 650, 64, 50},
}};
constexpr double kReferenceBlackholeCores = 130;
constexpr double kReferenceDramBanks = 12;
constexpr double kFlopsPerCyclePerCore = 4096;

const ArchFacts* facts_of(std::string_view name) {
  std::string key = lower(name);
  if (key == "wormhole_b0" || key == "n150" || key == "n300") key = "wormhole";
  if (key == "p100" || key == "p100a") key = "blackhole_p100";
  if (key.rfind("p150", 0) == 0) key = "blackhole";
  const auto found =
      std::find_if(kArchs.begin(), kArchs.end(), [&](const ArchFacts& arch) { return arch.name == key; });
  return found == kArchs.end() ? nullptr : &*found;
}

std::string recorded_arch(const OpsReport& table, std::vector<OpNote>& notes) {
  std::string first;
  std::vector<std::string_view> others;
  for (const ReportKind& kind : table.kinds) {
    const std::string_view arch = table.text(kind.arch);
    if (arch.empty()) continue;
    if (first.empty()) first = arch;
    if (arch != first && std::find(others.begin(), others.end(), arch) == others.end())
      others.push_back(arch);
  }
  if (!others.empty()) {
    notes.push_back({NoteKind::kSeveralArchs, {first}, {static_cast<double>(others.size() + 1)}});
  }
  return first;
}

double recorded_cores(const OpsReport& table) {
  for (const OpRow& row : table.rows) {
    const double cores = table.kind_of(row).available_cores;
    if (cores > 0) return cores;
  }
  return 0;
}

/// A clock tells the chips apart: Wormhole runs at up to 1000 MHz, Blackhole at 1350.
std::string_view arch_of_clock(double mhz) {
  if (mhz >= 1200 && mhz <= 1450) return "blackhole";
  if (mhz >= 900 && mhz <= 1050) return "wormhole";
  return {};
}

/// Both architectures multiply with the same matrix engine: LoFi takes one pass over it, HiFi4 four.
void set_compute(DevicePeaks& peaks, double mhz, const Rules& rules) {
  if (peaks.arch == "wormhole" && !rules.counts_cycles_for_peaks) {
    // 74, 148 and 262 TFLOPs are published for 72 cores at 1 GHz.
    const double scale = mhz / 1000;
    peaks.hifi4_tflops_per_core = 74.0 / 72 * scale;
    peaks.hifi3_tflops_per_core = 74.0 / 72 * 4 / 3 * scale;
    peaks.hifi2_tflops_per_core = 148.0 / 72 * scale;
    peaks.lofi_tflops_per_core = 262.0 / 72 * scale;
    return;
  }
  const double lofi = kFlopsPerCyclePerCore * (mhz / 1000) / 1000;
  peaks.hifi4_tflops_per_core = lofi / 4;
  peaks.hifi3_tflops_per_core = lofi / 3;
  peaks.hifi2_tflops_per_core = lofi / 2;
  peaks.lofi_tflops_per_core = lofi;
}

void set_peaks_of_table(const TablePeaks& table, DevicePeaks& peaks) {
  peaks.dram_gb_s = table.dram_gb_s;
  peaks.hifi4_tflops_per_core = table.tflops_per_core[0];
  peaks.hifi3_tflops_per_core = table.tflops_per_core[1];
  peaks.hifi2_tflops_per_core = table.tflops_per_core[2];
  peaks.lofi_tflops_per_core = table.tflops_per_core[3];
}

std::string best_arch(const OpsReport& table, const PeakOptions& options, DevicePeaks& peaks,
                      std::vector<OpNote>& notes) {
  std::string recorded = recorded_arch(table, notes);
  peaks.arch_is_recorded = true;
  if (!options.arch.empty()) {
    if (!recorded.empty() && facts_of(recorded) != facts_of(options.arch)) {
      notes.push_back({NoteKind::kArchAsAsked, {recorded, options.arch}});
    }
    return options.arch;
  }
  if (!recorded.empty()) {
    notes.push_back({NoteKind::kArchOfReport, {recorded}});
    return recorded;
  }
  peaks.arch_is_recorded = false;
  if (table.table_peaks.dram_gb_s > 0) {
    notes.push_back({NoteKind::kPeaksOfTable, {}, {table.table_peaks.dram_gb_s}});
    return {};
  }
  const std::string_view guessed = arch_of_clock(peaks.clock_mhz);
  if (!guessed.empty()) {
    notes.push_back({NoteKind::kArchByClock, {std::string(guessed)}, {peaks.clock_mhz}});
  } else {
    notes.push_back({NoteKind::kNoArch});
  }
  return std::string(guessed);
}

}  // namespace

double DevicePeaks::tflops_per_core(std::string_view fidelity) const {
  const double peak = fidelity == "HiFi4"   ? hifi4_tflops_per_core
                      : fidelity == "HiFi3" ? hifi3_tflops_per_core
                      : fidelity == "HiFi2" ? hifi2_tflops_per_core
                      : fidelity == "LoFi"  ? lofi_tflops_per_core
                                            : 0;
  return peak > 0 ? peak : kNoNumber;
}

bool is_known_arch(std::string_view name) { return facts_of(name) != nullptr; }

DevicePeaks find_peaks(const OpsReport& table, const PeakOptions& options, std::vector<OpNote>& notes) {
  DevicePeaks peaks;
  peaks.clock_mhz = options.clock_mhz > 0 ? options.clock_mhz : table.clock_mhz;
  const std::string name = options.rules->obeys_given_arch ? best_arch(table, options, peaks, notes)
                                                           : reference_arch(table, options, notes);
  const double cores = table.format == ReportFormat::kV21 ? recorded_cores(table) : 0;
  const ArchFacts* facts = facts_of(name);
  if (facts == nullptr) {
    peaks.worker_cores = cores;
    if (name.empty() && options.rules->obeys_given_arch) set_peaks_of_table(table.table_peaks, peaks);
    if (!name.empty()) notes.push_back({NoteKind::kUnknownArch, {name}});
    return peaks;
  }
  peaks.arch = facts->name;
  peaks.worker_cores = cores > 0 ? cores : facts->worker_cores;
  if (!options.rules->uses_figures_of_chip && cores == 0 && facts->name == "blackhole")
    peaks.worker_cores = kReferenceBlackholeCores;
  if (!options.rules->uses_figures_of_chip && table.format == ReportFormat::kV21 && cores == 0)
    peaks.worker_cores = 64;
  peaks.dram_gb_s = facts->dram_gb_s;
  peaks.dram_banks = options.rules->uses_figures_of_chip ? facts->dram_banks : kReferenceDramBanks;
  peaks.link_gb_s = facts->link_gb_s;
  if (!options.rules->uses_recorded_clock) peaks.clock_mhz = facts->nominal_mhz;
  if (peaks.clock_mhz > 0) {
    set_compute(peaks, peaks.clock_mhz, *options.rules);
    peaks.noc_gb_s_per_core = facts->noc_bytes_per_cycle * peaks.clock_mhz / 1000;
  } else {
    notes.push_back({NoteKind::kNoClock});
  }
  notes.push_back({NoteKind::kArchAndCores, {peaks.arch}, {peaks.worker_cores}});
  return peaks;
}

}  // namespace ttscope::perf
