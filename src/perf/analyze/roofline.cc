#include "perf/analyze/roofline.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>

#include "base/chips.h"
#include "base/text.h"
#include "perf/analyze/kind_facts.h"

namespace ttscope::perf {
namespace {

constexpr ArchFacts facts_from(std::string_view name, const Architecture& chip, std::uint32_t dram_banks,
                               double dram_gb_s) {
  return {name,
          static_cast<double>(chip.worker_cores()),
          dram_gb_s,
          static_cast<double>(dram_banks),
          static_cast<double>(chip.clock_mhz),
          static_cast<double>(chip.noc_bytes_per_cycle),
          chip.link_gb_s};
}

constexpr Product kP100 = *find_product("p100");
/// What reports and `--arch` call a chip.
constexpr std::array<ArchFacts, 5> kArchs = {{
    facts_from(kWormhole.name, kWormhole, kWormhole.dram_banks, kWormhole.dram_gb_s),
    facts_from(kBlackhole.name, kBlackhole, kBlackhole.dram_banks, kBlackhole.dram_gb_s),
    facts_from("blackhole_p100", kBlackhole, kP100.dram_banks, kP100.dram_gb_s()),
    facts_from(kBh20.name, kBh20, kBh20.dram_banks, kBh20.dram_gb_s),
    facts_from(kN1.name, kN1, kN1.dram_banks, kN1.dram_gb_s),
}};
constexpr double kFlopsPerCyclePerCore = 4096;

}  // namespace

const ArchFacts* facts_of_arch(std::string_view name) {
  std::string key = lower(name);
  if (key == "wormhole_b0" || key == "n150" || key == "n300") key = "wormhole";
  if (key == "p100" || key == "p100a") key = "blackhole_p100";
  if (key.rfind("p150", 0) == 0) key = "blackhole";
  const auto found =
      std::find_if(kArchs.begin(), kArchs.end(), [&](const ArchFacts& arch) { return arch.name == key; });
  return found == kArchs.end() ? nullptr : &*found;
}

namespace {

std::string recorded_arch(const OpsReport& table, std::vector<OpNote>& notes) {
  std::string first;
  std::vector<std::string_view> others;
  for (const OpKind& kind : table.kinds) {
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

}  // namespace

double recorded_cores(const OpsReport& table) {
  for (const OpRow& row : table.rows) {
    const double cores = table.kind_of(row).available_cores;
    if (cores > 0) return cores;
  }
  return 0;
}

namespace {

/// A clock tells the chips apart: Wormhole runs at up to 1000 MHz, Blackhole at 1350.
std::string_view arch_of_clock(double mhz) {
  for (const Architecture* one : {&kBlackhole, &kWormhole}) {
    if (mhz >= one->least_clock_mhz && mhz <= one->most_clock_mhz) return one->name;
  }
  return {};
}

/// Both architectures multiply with the same matrix engine: LoFi takes one pass over it, HiFi4 four.
void set_compute(DevicePeaks& peaks) {
  const double lofi = kFlopsPerCyclePerCore * (peaks.clock_mhz / 1000) / 1000;
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
    if (!recorded.empty() && facts_of_arch(recorded) != facts_of_arch(options.arch)) {
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

void set_peaks_of_chip(const ArchFacts& facts, DevicePeaks& peaks) {
  peaks.arch = facts.name;
  peaks.worker_cores = facts.worker_cores;
  peaks.dram_gb_s = facts.dram_gb_s;
  peaks.dram_banks = facts.dram_banks;
  peaks.link_gb_s = facts.link_gb_s;
  if (!(peaks.clock_mhz > 0)) return;
  set_compute(peaks);
  peaks.noc_gb_s_per_core = facts.noc_bytes_per_cycle * peaks.clock_mhz / 1000;
}

bool is_known_arch(std::string_view name) { return facts_of_arch(name) != nullptr; }

DevicePeaks find_peaks(const OpsReport& table, const PeakOptions& options, std::vector<OpNote>& notes) {
  DevicePeaks peaks;
  peaks.clock_mhz = options.clock_mhz > 0 ? options.clock_mhz : table.clock_mhz;
  const std::string name = best_arch(table, options, peaks, notes);
  const double cores = table.format == ReportFormat::kV21 ? recorded_cores(table) : 0;
  const ArchFacts* facts = facts_of_arch(name);
  if (facts == nullptr) {
    peaks.worker_cores = cores;
    if (name.empty()) set_peaks_of_table(table.table_peaks, peaks);
    if (!name.empty()) notes.push_back({NoteKind::kUnknownArch, {name}});
    return peaks;
  }
  set_peaks_of_chip(*facts, peaks);
  if (cores > 0) peaks.worker_cores = cores;
  if (!(peaks.clock_mhz > 0)) notes.push_back({NoteKind::kNoClock});
  notes.push_back({NoteKind::kArchAndCores, {peaks.arch}, {peaks.worker_cores}});
  return peaks;
}

namespace {

/// They read no more than they write: the input is a table or a larger tensor.
constexpr std::array<std::string_view, 5> kReadParts = {"Slice", "Embedding", "Gather", "IndexSelect",
                                                        "InterleavedToShardedPartial"};
/// They write into a tensor that is there: it is an input too, and only as much as they bring is written.
constexpr std::array<std::string_view, 6> kWriteParts = {"SliceWrite",          "ShardedToInterleavedPartial",
                                                         "UpdateCache",         "FillCache",
                                                         "CopyDeviceOperation", "Reshard"};
/// Their operands go from the core that has them to those that need them.
constexpr std::array<std::string_view, 3> kSpreadShards = {"Reshard", "Matmul", "Conv"};

template <std::size_t kCount>
bool is_one_of(std::string_view name, const std::array<std::string_view, kCount>& words) {
  return std::any_of(words.begin(), words.end(), [&](std::string_view word) { return contains(name, word); });
}

class TrafficCounter {
 public:
  TrafficCounter(const OpsReport& table, const OpKind& kind, bool exact)
      : report_(table), kind_(kind), exact_(exact), name_(table.text(kind.op_code)) {}

  OpTraffic count() {
    writes_part_ = is_one_of(name_, kWriteParts);
    reads_part_ = !writes_part_ && is_one_of(name_, kReadParts) && !contains(name_, "RotaryEmbedding");
    const std::size_t destination = writes_part_ ? destination_input() : kind_.input_count;
    double brought = 0;
    for (std::size_t i = 0; i < kind_.input_count; ++i) {
      const OpTensor& input = *report_.input(kind_, i);
      if (i == destination) continue;
      brought += bytes(input);
      add(input, reads_part_ ? std::min(bytes(input), output_bytes()) : bytes(input),
          is_one_of(name_, kSpreadShards), noc_in_);
    }
    for (std::size_t i = 0; i < kind_.output_count; ++i) {
      const OpTensor& output = *report_.output(kind_, i);
      add(output, writes_part_ ? std::min(bytes(output), brought) : bytes(output), false, noc_out_);
    }
    return {dram_, std::max(noc_in_, noc_out_)};
  }

 private:
  double bytes(const OpTensor& tensor) const { return tensor_bytes(report_, tensor, exact_); }
  double output_bytes() const {
    double sum = 0;
    for (std::size_t i = 0; i < kind_.output_count; ++i) sum += bytes(*report_.output(kind_, i));
    return sum;
  }
  /// The input that is the output as well: the last one like it. A single input is a source.
  std::size_t destination_input() const {
    const OpTensor* output = report_.output(kind_, 0);
    for (std::size_t i = kind_.input_count; output != nullptr && kind_.input_count > 1 && i-- > 0;) {
      const OpTensor& input = *report_.input(kind_, i);
      if (input.padded == output->padded && input.datatype == output->datatype &&
          input.memory == output->memory) {
        return i;
      }
    }
    return kind_.input_count;
  }
  void add(const OpTensor& tensor, double moved, bool spreads, double& noc) {
    const std::string_view memory = report_.text(tensor.memory);
    if (contains(memory, "DRAM")) {
      dram_ += moved;
    } else if (contains(memory, "L1") && (spreads || !contains(memory, "SHARDED"))) {
      noc += moved;
    }
  }

  const OpsReport& report_;
  const OpKind& kind_;
  bool exact_;
  std::string_view name_;
  bool reads_part_ = false;
  bool writes_part_ = false;
  double dram_ = 0;
  double noc_in_ = 0;
  double noc_out_ = 0;
};

}  // namespace

OpTraffic traffic_of(const OpsReport& table, const OpKind& kind, bool exact_block_floats) {
  return TrafficCounter(table, kind, exact_block_floats).count();
}

double tensor_bytes(const OpsReport& table, const OpTensor& tensor, bool exact_block_floats) {
  if (!tensor.has_shape()) return 0;
  double elements = 1;
  for (const std::int64_t size : tensor.padded) elements *= static_cast<double>(size);
  return elements * datatype_bytes(table.text(tensor.datatype), exact_block_floats);
}

double datatype_bytes(std::string_view datatype, bool exact) {
  // A tile of 32 x 32 has 64 exponents of one byte beside its 1024 mantissas.
  if (exact && datatype == "BFLOAT8_B") return 1088.0 / 1024;
  if (exact && datatype == "BFLOAT4_B") return 576.0 / 1024;
  const std::size_t first = datatype.find_first_of("0123456789");
  if (first == std::string_view::npos) return 4;
  double bits = 0;
  for (std::size_t i = first;
       i < datatype.size() && datatype[i] >= '0' && datatype[i] <= '9' && i < first + 4; ++i) {
    bits = bits * 10 + (datatype[i] - '0');
  }
  return bits / 8;
}

namespace {

struct Matrix {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
};

Matrix matrix_of(const OpTensor& tensor, bool is_turned) {
  Matrix matrix{tensor.padded[2], tensor.padded[3]};
  if (is_turned) std::swap(matrix.rows, matrix.columns);
  return matrix;
}

/// `'transpose_b': 'true'`
bool is_transposed(std::string_view attributes, std::string_view operand) {
  const std::optional<std::string_view> told =
      text_after_key(attributes, fmt::format("'{}': '", operand), '\'');
  return told && (*told == "true" || *told == "1");
}

}  // namespace

MatmulSize matmul_size(const OpsReport& table, const OpKind& kind) {
  const OpTensor* in0 = table.input(kind, 0);
  const OpTensor* in1 = table.input(kind, 1);
  const OpTensor* out = table.output(kind, 0);
  if (in0 == nullptr || in1 == nullptr || !in0->has_shape() || !in1->has_shape()) return {};
  const std::string_view attributes = table.text(kind.attributes);
  const bool may_turn_a = is_transposed(attributes, "transpose_a");
  const bool may_turn_b = is_transposed(attributes, "transpose_b");
  MatmulSize best{in0->padded[2], in0->padded[3], in1->padded[3]};
  int best_signs = -1;
  for (const bool turns_a : {false, may_turn_a}) {
    for (const bool turns_b : {false, may_turn_b}) {
      const Matrix a = matrix_of(*in0, turns_a);
      const Matrix b = matrix_of(*in1, turns_b);
      if (a.columns != b.rows) continue;
      const bool makes_output =
          out != nullptr && out->has_shape() && out->padded[2] == a.rows && out->padded[3] == b.columns;
      const int signs = (makes_output ? 2 : 0) + (turns_a == may_turn_a && turns_b == may_turn_b ? 1 : 0);
      if (signs <= best_signs) continue;
      best_signs = signs;
      best = {a.rows, a.columns, b.columns};
    }
  }
  return best;
}

namespace {

/// Each device has a part that all others need: on a line the last link carries the parts of all others.
double gather_bytes(const CollectiveLinks& links) {
  return links.input_bytes * (links.devices - 1) / (links.is_ring ? 2 : 1);
}

/// Each device has a sum of its own part to bring together: every part crosses a link once, summed up on its
/// way.
double scatter_bytes(const CollectiveLinks& links) {
  return links.input_bytes * (links.devices - 1) / links.devices / (links.is_ring ? 2 : 1);
}

/// Each device has another part for each other device. Line: what both halves have for each other crosses the
/// middle. Ring: parts go the shorter way.
double exchange_bytes(const CollectiveLinks& links) {
  const double half = std::floor(links.devices / 2) * std::ceil(links.devices / 2);
  return links.input_bytes / links.devices * half / (links.is_ring ? 2 : 1);
}

/// Attention whose keys and values go round a ring of devices.
bool is_ring_attention(std::string_view op_name) {
  return contains(op_name, "Ring") &&
         (contains(op_name, "SDPA") || contains(op_name, "Sdpa") || contains(op_name, "Attention"));
}

/// Without padding, which a part has and the whole has not.
double elements_of(const OpTensor& tensor) {
  double product = 1;
  for (std::size_t i = 0; i < tensor.padded.size(); ++i)
    product *= static_cast<double>(tensor.logical[i] >= 0 ? tensor.logical[i] : tensor.padded[i]);
  return product;
}

}  // namespace

double busiest_link_bytes(std::string_view op_name, const CollectiveLinks& links) {
  if (contains(op_name, "AllGather") || contains(op_name, "AllBroadcast") || is_ring_attention(op_name))
    return gather_bytes(links);
  if (contains(op_name, "ReduceScatter")) return scatter_bytes(links);
  if (contains(op_name, "AllReduce")) return 2 * scatter_bytes(links);
  if (contains(op_name, "AllToAll")) return exchange_bytes(links);
  const bool is_one_way =
      contains(op_name, "PointToPoint") || contains(op_name, "SendAsync") || contains(op_name, "RecvAsync");
  return is_one_way ? links.input_bytes : kNoNumber;
}

double max_hops(std::string_view op_name, const CollectiveLinks& links) {
  const double others = links.devices - 1;
  // Sums are added up on their way: they go past every device, in a ring too.
  if (contains(op_name, "ReduceScatter")) return others;
  if (contains(op_name, "AllReduce")) return 2 * others;
  return links.is_ring ? std::floor(links.devices / 2) : others;
}

double input_bytes_per_device(const OpsReport& table, const OpKind& kind, const MatmulSize& product,
                              bool exact_block_floats) {
  const std::string_view name = table.text(kind.op_code);
  const auto bytes = [&](const OpTensor* tensor) {
    return tensor == nullptr ? 0 : tensor_bytes(table, *tensor, exact_block_floats);
  };
  const OpTensor* in0 = table.input(kind, 0);
  const OpTensor* in1 = table.input(kind, 1);
  if (is_ring_attention(name)) return bytes(in1) + bytes(table.input(kind, 2));
  if (!contains(name, "Matmul") || !contains(name, "ReduceScatter")) return bytes(in0);
  if (in0 == nullptr || product.m == 0) return 0;
  OpTensor result = *in0;
  result.padded[2] = product.m;
  result.padded[3] = product.n;
  if (const OpTensor* out = table.output(kind, 0)) result.datatype = out->datatype;
  return bytes(&result);
}

double devices_of_collective(const OpsReport& table, const OpKind& kind) {
  const std::string_view attributes = table.text(kind.attributes);
  if (const auto ring = number_after_key(attributes, "'ring_size': '"); ring && *ring > 1)
    return static_cast<double>(*ring);
  const OpTensor* in0 = table.input(kind, 0);
  if (in0 == nullptr || !in0->has_shape() || contains(table.text(kind.op_code), "Matmul")) return 0;
  const double brought = elements_of(*in0);
  double least = HUGE_VAL;  // an intermediate output of a reduce-scatter is larger
  for (std::size_t i = 0; i < kind.output_count; ++i)
    if (table.output(kind, i)->has_shape()) least = std::min(least, elements_of(*table.output(kind, i)));
  double times = 0;
  if (contains(table.text(kind.op_code), "AllGather")) times = least / brought;
  if (contains(table.text(kind.op_code), "ReduceScatter")) times = brought / least;
  return times > 1 && times < HUGE_VAL && times == std::floor(times) ? times : 0;
}

}  // namespace ttscope::perf
