#include "perf/analyse/ops/op_traffic.h"

#include <algorithm>
#include <array>

#include "base/text_search.h"

namespace ttscope::perf {
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
  TrafficCounter(const OpsReport& table, const ReportKind& kind, bool exact)
      : table_(table), kind_(kind), exact_(exact), name_(table.text(kind.op_code)) {}

  OpTraffic count() {
    writes_part_ = is_one_of(name_, kWriteParts);
    reads_part_ = !writes_part_ && is_one_of(name_, kReadParts) && !contains(name_, "RotaryEmbedding");
    const std::size_t destination = writes_part_ ? destination_input() : kind_.input_count;
    double brought = 0;
    for (std::size_t i = 0; i < kind_.input_count; ++i) {
      const OpTensor& input = *table_.input(kind_, i);
      if (i == destination) continue;
      brought += bytes(input);
      add(input, reads_part_ ? std::min(bytes(input), output_bytes()) : bytes(input),
          is_one_of(name_, kSpreadShards), noc_in_);
    }
    for (std::size_t i = 0; i < kind_.output_count; ++i) {
      const OpTensor& output = *table_.output(kind_, i);
      add(output, writes_part_ ? std::min(bytes(output), brought) : bytes(output), false, noc_out_);
    }
    return {dram_, std::max(noc_in_, noc_out_)};
  }

 private:
  double bytes(const OpTensor& tensor) const { return tensor_bytes(table_, tensor, exact_); }
  double output_bytes() const {
    double sum = 0;
    for (std::size_t i = 0; i < kind_.output_count; ++i) sum += bytes(*table_.output(kind_, i));
    return sum;
  }
  /// The input that is the output as well: the last one like it. A single input is a source.
  std::size_t destination_input() const {
    const OpTensor* output = table_.output(kind_, 0);
    for (std::size_t i = kind_.input_count; output != nullptr && kind_.input_count > 1 && i-- > 0;) {
      const OpTensor& input = *table_.input(kind_, i);
      if (input.padded == output->padded && input.datatype == output->datatype &&
          input.memory == output->memory) {
        return i;
      }
    }
    return kind_.input_count;
  }
  void add(const OpTensor& tensor, double moved, bool spreads, double& noc) {
    const std::string_view memory = table_.text(tensor.memory);
    if (contains(memory, "DRAM")) {
      dram_ += moved;
    } else if (contains(memory, "L1") && (spreads || !contains(memory, "SHARDED"))) {
      noc += moved;
    }
  }

  const OpsReport& table_;
  const ReportKind& kind_;
  bool exact_;
  std::string_view name_;
  bool reads_part_ = false;
  bool writes_part_ = false;
  double dram_ = 0;
  double noc_in_ = 0;
  double noc_out_ = 0;
};

}  // namespace

OpTraffic traffic_of(const OpsReport& table, const ReportKind& kind, bool exact_block_floats) {
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

}  // namespace ttscope::perf
