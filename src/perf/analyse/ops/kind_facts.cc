#include "perf/analyse/ops/kind_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/text_search.h"
#include "perf/analyse/ops/attributes.h"
#include "perf/analyse/ops/collective_links.h"

namespace ttscope::perf {
namespace {

/// Works out the facts of one kind.
class FactFinder {
 public:
  FactFinder(const OpsReport& table, const DevicePeaks& peaks, const FactOptions& options)
      : table_(table), peaks_(peaks), options_(options) {}

  KindFacts find(const ReportKind& kind) {
    kind_ = &kind;
    facts_ = {};
    name_ = table_.text(kind.op_code);
    attributes_ = table_.text(kind.attributes);
    facts_.label = name_.empty() ? "(unnamed)" : name_;
    facts_.category = options_.rules->knows_all_categories ? category_of(name_) : compat_category_of(name_);
    facts_.is_host = contains(name_, "(torch)");
    facts_.meets_devices = meets_other_devices(name_, attributes_);
    facts_.cores = kind.core_count;
    facts_.peak_cores = kind.core_count;
    set_plain_fidelity();
    facts_.traffic = traffic_of(table_, kind, options_.rules->counts_shared_exponents);
    set_program_config();
    if (contains(name_, "Matmul")) {
      set_matmul();
    } else if (contains(name_, "OptimizedConvNew") || contains(name_, "Conv2d")) {
      set_conv();
    } else if (contains(name_, "HaloDeviceOperation") && !contains(name_, " w=")) {
      facts_.label += " " + halo_config(attributes_);
    }
    if (facts_.meets_devices) set_links();
    if (facts_.category == OpCategory::kOther && options_.rules->knows_all_categories) infer_category();
    return std::move(facts_);
  }

 private:
  std::string_view type_of(const OpTensor* tensor) const {
    return tensor == nullptr ? std::string_view{} : table_.text(tensor->datatype);
  }
  double bytes_of(const OpTensor& tensor) const {
    return tensor_bytes(table_, tensor, options_.rules->counts_shared_exponents);
  }
  bool is_in_dram(const OpTensor& tensor) const { return contains(table_.text(tensor.memory), "DRAM"); }

  void set_plain_fidelity();
  void set_math_fidelity();
  void set_program_config();
  void set_matmul();
  void set_conv();
  void set_links();
  void infer_category();
  double matmul_batches(const OpTensor& in0, const OpTensor& in1, std::string& size) const;

  const OpsReport& table_;
  const DevicePeaks& peaks_;
  const FactOptions& options_;
  const ReportKind* kind_ = nullptr;
  std::string_view name_;
  std::string_view attributes_;
  KindFacts facts_;
};

/// `BF16, BF16 => BF16`
void FactFinder::set_plain_fidelity() {
  const std::string_view in0 = type_of(table_.input(*kind_, 0));
  const std::string_view in1 = type_of(table_.input(*kind_, 1));
  const std::string_view out = type_of(table_.output(*kind_, 0));
  std::string& text = facts_.fidelity;
  text += short_datatype(in0);
  if (!in1.empty()) text.append(", ").append(short_datatype(in1));
  if (!out.empty()) text.append(" => ").append(short_datatype(out));
  if (in0.empty() && !text.empty() && text.front() == ' ') text.erase(0, 1);
}

/// `HiFi4 BF16 x BFP8 => BF16`
void FactFinder::set_math_fidelity() {
  const std::string_view missing = options_.rules->marks_unknown_sizes ? "?" : "nan";
  const auto shown = [&](const OpTensor* tensor) {
    const std::string_view type = type_of(tensor);
    return type.empty() ? missing : short_datatype(type);
  };
  const std::string_view fidelity = table_.text(kind_->math_fidelity);
  facts_.fidelity_advice = judge_fidelity(table_, *kind_, *options_.rules);
  facts_.fidelity = fidelity;
  if (fidelity.empty() ||
      (kind_->input_count == 0 && kind_->output_count == 0 && options_.rules->hides_fidelity_without_tensors))
    return;
  facts_.fidelity = fmt::format("{} {} x {} => {}", fidelity, shown(table_.input(*kind_, 0)),
                                shown(table_.input(*kind_, 1)), shown(table_.output(*kind_, 0)));
}

/// A config under another name is one too: `'config': 'MinimalMatmulConfig(...)'`.
void FactFinder::set_program_config() {
  const std::optional<std::string_view> given = text_behind(attributes_, "program_config': '", '\'');
  facts_.has_program_config = (given && *given != "std::nullopt" && !given->empty()) ||
                              contains(attributes_, "MinimalMatmulConfig") ||
                              contains(attributes_, "ProgramConfig(") ||
                              contains(attributes_, "in0_block_w=");
  if (!contains(attributes_, "program_config")) return;
  facts_.in0_block_w = number_behind(attributes_, "in0_block_w=").value_or(-1);
  facts_.out_subblock_h = number_behind(attributes_, "out_subblock_h=").value_or(-1);
  facts_.out_subblock_w = number_behind(attributes_, "out_subblock_w=").value_or(-1);
}

/// What an op does whose name no list knows: without compute kernels it moves data; one tensor in and as much
/// out is the same data in another form.
void FactFinder::infer_category() {
  const auto decide = [&](OpCategory category, CategoryBasis basis) {
    facts_.category = category;
    facts_.category_basis = basis;
  };
  if (facts_.meets_devices) return decide(OpCategory::kCcl, CategoryBasis::kLinks);
  const OpTensor* in0 = table_.input(*kind_, 0);
  const OpTensor* out = table_.output(*kind_, 0);
  const bool is_recorded = !options_.computing_kinds.empty();
  const bool computes =
      !is_recorded || options_.computing_kinds[static_cast<std::size_t>(kind_ - table_.kinds.data())];
  const CategoryBasis compute_basis = is_recorded ? CategoryBasis::kCompute : CategoryBasis::kTensors;
  if (in0 == nullptr && out == nullptr) {
    if (!is_recorded) return decide(OpCategory::kOther, CategoryBasis::kNothing);
    return computes ? decide(OpCategory::kCompute, CategoryBasis::kCompute)
                    : decide(OpCategory::kDm, CategoryBasis::kNoCompute);
  }
  if (in0 == nullptr || out == nullptr) return decide(OpCategory::kDm, CategoryBasis::kNoInputOrOutput);
  const auto elements = [](const OpTensor& tensor) {
    double product = 1;
    for (const std::int64_t size : tensor.padded) product *= static_cast<double>(size);
    return product;
  };
  const bool has_other_form =
      in0->padded != out->padded || in0->layout != out->layout || in0->datatype != out->datatype;
  const bool is_same_data = kind_->input_count == 1 && elements(*in0) == elements(*out);
  if (is_same_data && has_other_form) return decide(OpCategory::kTm, CategoryBasis::kOtherForm);
  if (!computes) return decide(OpCategory::kDm, CategoryBasis::kNoCompute);
  if (is_same_data && in0->memory != out->memory) return decide(OpCategory::kDm, CategoryBasis::kOtherPlace);
  decide(OpCategory::kCompute, compute_basis);
}

/// How many products of M x K x N there are. A sparse matmul computes only those of its active experts, which
/// the attributes name as `nnz`.
double FactFinder::matmul_batches(const OpTensor& in0, const OpTensor& in1, std::string& size) const {
  const std::int64_t batch = std::max(in0.padded[0], in1.padded[0]) * std::max(in0.padded[1], in1.padded[1]);
  if (contains(name_, "Sparse") && options_.rules->counts_active_experts) {
    const std::optional<std::int64_t> nnz = number_behind(attributes_, "'nnz': '");
    const double active = nnz ? static_cast<double>(*nnz) : options_.active_experts;
    if (active > 0) {
      size = fmt::format("active={:.0f}/{} x ", active, batch);
      return active;
    }
    size = fmt::format("active=?/{} x ", batch);
    return kNoNumber;
  }
  if (batch > 1) size = fmt::format("b={{{}}} x ", batch);
  return static_cast<double>(batch);
}

void FactFinder::set_matmul() {
  facts_.is_matmul = true;
  facts_.is_minimal = contains(name_, "MinimalMatmul") || contains(attributes_, "MinimalMatmulConfig");
  set_math_fidelity();
  facts_.is_dram_sharded = contains(attributes_, "MatmulMultiCoreReuseMultiCastDRAMShardedProgramConfig");
  if (facts_.is_dram_sharded && peaks_.dram_banks > 0) facts_.cores = facts_.peak_cores = peaks_.dram_banks;
  const OpTensor* in0 = table_.input(*kind_, 0);
  const OpTensor* in1 = table_.input(*kind_, 1);
  const OpTensor* out = table_.output(*kind_, 0);
  if (in0 == nullptr || in1 == nullptr || !in0->has_shape() || !in1->has_shape()) return;
  facts_.matmul_dram_bytes =
      (is_in_dram(*in0) ? bytes_of(*in0) : 0) + (is_in_dram(*in1) ? bytes_of(*in1) : 0);
  if (out != nullptr && is_in_dram(*out)) facts_.matmul_dram_bytes += bytes_of(*out);
  facts_.product = matmul_size(table_, *kind_, *options_.rules);
  const auto [m, k, n] = facts_.product;
  std::string size;
  facts_.flops = static_cast<double>(m) * static_cast<double>(k) * static_cast<double>(n) *
                 matmul_batches(*in0, *in1, size) * 2;
  facts_.label += fmt::format(" {}{} x {} x {}", size, m, k, n);
}

void FactFinder::set_conv() {
  facts_.is_conv = true;
  set_math_fidelity();
  facts_.peak_cores = peaks_.worker_cores;
  const OpTensor* in0 = table_.input(*kind_, 0);
  const OpTensor* in1 = table_.input(*kind_, 1);
  const OpTensor* out = table_.output(*kind_, 0);
  const std::optional<KernelWindow> window = window_of(attributes_);
  if (in0 == nullptr || in1 == nullptr || out == nullptr || !window) return;
  if (!in0->has_shape() || !in1->has_shape() || !out->has_shape()) return;
  const double inner = static_cast<double>(in0->padded[3]) * static_cast<double>(window->height) *
                       static_cast<double>(window->width);
  facts_.flops = static_cast<double>(out->padded[2]) * inner * static_cast<double>(in1->padded[3]) * 2;
  facts_.label +=
      fmt::format(" {} x {:.0f} x {} {}", out->padded[2], inner, in1->padded[3], conv_config(attributes_));
}

/// What a collective sends, alone or fused with another op.
void FactFinder::set_links() {
  const double told = devices_of_collective(table_, *kind_);
  const auto all_devices = static_cast<double>(options_.device_count);
  facts_.link_devices = told <= all_devices ? told : 0;
  facts_.cluster_axis = number_behind(attributes_, "'cluster_axis': '").value_or(-1);
  CollectiveLinks links;
  links.input_bytes = brought_bytes(table_, *kind_, facts_.product, options_.rules->counts_shared_exponents);
  if (!(links.input_bytes > 0) || options_.device_count < 2) return;
  links.devices = facts_.link_devices > 0 ? facts_.link_devices : all_devices;
  // The least that either topology needs, where none is named.
  links.is_ring = !contains(attributes_, "Topology::Linear");
  facts_.link_bytes = busiest_link_bytes(name_, links);
  facts_.link_hops = most_hops(name_, links);
  if (const auto count = number_behind(attributes_, "'num_links': '"); count && *count > 0) {
    facts_.links = static_cast<double>(*count);
  }
}

}  // namespace

std::string_view short_datatype(std::string_view datatype) {
  if (datatype == "FLOAT32") return "FP32";
  if (datatype == "BFLOAT16") return "BF16";
  if (datatype == "BFLOAT8_B") return "BFP8";
  if (datatype == "BFLOAT4_B") return "BFP4";
  return datatype;
}

std::vector<KindFacts> find_facts(const OpsReport& table, const DevicePeaks& peaks,
                                  const FactOptions& options) {
  FactFinder finder(table, peaks, options);
  std::vector<KindFacts> facts;
  facts.reserve(table.kinds.size());
  for (const ReportKind& kind : table.kinds) facts.push_back(finder.find(kind));
  return facts;
}

}  // namespace ttscope::perf
