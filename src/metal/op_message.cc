#include "metal/op_message.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "base/json_writer.h"
#include "perf/model/ops_report.h"

namespace ttscope::metal {
namespace {

/// tt-metal indents a level by four spaces, our writer by two. No text has a line break of its own.
std::string indented_by_four(std::string_view json) {
  std::string out;
  while (!json.empty()) {
    const std::string_view line = json.substr(0, json.find('\n') + 1);
    out.append(std::min(line.size(), line.find_first_not_of(' ')), ' ').append(line.empty() ? json : line);
    json.remove_prefix(line.empty() ? json.size() : line.size());
  }
  return out;
}

/// As tt-metal models it: the largest tensor passes DRAM once.
std::uint64_t bandwidth_ns(const ProfiledOp& op, tt::ARCH arch) {
  constexpr double kGiB = 1024. * 1024 * 1024;
  const double gib_per_second = arch == tt::ARCH::BLACKHOLE ? 512 : 258;
  std::uint64_t bytes = 0;
  for (const auto* tensors : {&op.inputs, &op.outputs}) {
    for (const ProfiledTensor& tensor : *tensors) bytes = std::max(bytes, tensor.bytes);
  }
  return static_cast<std::uint64_t>(
      std::max(1., std::round(static_cast<double>(bytes) / (gib_per_second * kGiB) * 1e9)));
}

/// Members of objects are in the order of their names, as tt-metal's JSON library writes them.
class Document {
 public:
  /// `run` is null for an op on the host.
  Document(const ProfiledOp& op, std::uint64_t number, const ToldRun* run)
      : op_(op), number_(number), run_(run), json_(text_, {.indented = true, .ascii = true}) {}

  std::string text() {
    json_.begin_object();
    add_attributes();
    if (run_ != nullptr) json_.field("device_id", run_->device);
    json_.field("global_call_count", number_);
    json_.list("input_tensors", op_.inputs, [this](const auto& tensor) { add_tensor(tensor); });
    if (run_ != nullptr) add_kernels();
    json_.field("op_code", op_.code);
    if (run_ != nullptr) json_.field("op_hash", op_.hash);
    json_.field("op_type", run_ != nullptr ? perf::kDeviceOpType : "python_fallback");
    json_.list("optional_input_tensors", std::vector<ProfiledTensor>(), [](const auto&) {});
    json_.list("output_tensors", op_.outputs, [this](const auto& tensor) { add_tensor(tensor); });
    add_model();
    if (run_ != nullptr) json_.field("program_cache_hit", run_->is_hit);
    json_.end_object();
    static_cast<void>(text_.finish());
    return indented_by_four(text_.text());
  }

 private:
  void add_attributes() {
    json_.key("attributes");
    if (op_.attributes.empty()) return json_.value(nullptr);
    json_.begin_object();
    for (const auto& [name, value] : op_.attributes) json_.field(name, value);
    json_.end_object();
  }

  void add_tensor(const ProfiledTensor& tensor) {
    json_.begin_object();
    json_.field("dtype", tensor.dtype);
    json_.field("layout", tensor.layout);
    json_.key("shape");
    json_.begin_object();
    for (const auto& [name, at] :
         {std::pair{"W", 0U}, std::pair{"X", 3U}, std::pair{"Y", 2U}, std::pair{"Z", 1U}})
      json_.field(name, fmt::format("{}[{}]", tensor.padded[at], tensor.shape[at]));
    json_.end_object();
    json_.key("storage_type");
    add_place(tensor);
    json_.end_object();
  }

  void add_place(const ProfiledTensor& tensor) {
    if (tensor.buffer_type.empty()) return json_.value("HOST");
    json_.begin_object();
    json_.field("device_id", run_ != nullptr ? run_->device : 0);
    json_.key("memory_config");
    json_.begin_object();
    json_.field("buffer_type", tensor.buffer_type);
    json_.field("memory_layout", tensor.memory_layout);
    json_.end_object();
    json_.end_object();
  }

  void add_kernel(const char* name, bool is_compute) {
    json_.begin_object();
    if (is_compute) json_.field("math_fidelity", op_.fidelity);
    json_.field("name", name);
    json_.field("source", fmt::format("{}/{}.cpp", run_->kernels, name));
    json_.end_object();
  }

  void add_kernels() {
    json_.key("kernel_info");
    json_.begin_object();
    json_.list("compute_kernels", std::array{"compute"},
               [this](const char* name) { add_kernel(name, true); });
    json_.list("datamovement_kernels", std::array{"reader", "writer"},
               [this](const char* name) { add_kernel(name, false); });
    json_.key("kernel_sizes");
    json_.begin_object();
    json_.end_object();
    json_.end_object();
  }

  /// What the op would take at best.
  void add_model() {
    const tt::ARCH arch = run_ != nullptr ? run_->arch : tt::ARCH::WORMHOLE_B0;
    const std::uint64_t moving_ns = bandwidth_ns(op_, arch);
    const std::uint64_t compute_ns = std::max<std::uint64_t>(1, op_.compute_ns);
    const std::uint64_t ideal_ns = std::max(compute_ns, moving_ns);
    const auto add_rate = [&](const ProfiledTensor& tensor) {
      json_.value(static_cast<double>(tensor.bytes) / static_cast<double>(ideal_ns));
    };
    json_.key("performance_model");
    json_.begin_object();
    json_.field("bandwidth_ns", moving_ns);
    json_.field("compute_ns", compute_ns);
    json_.field("ideal_ns", ideal_ns);
    json_.list("input_bws", op_.inputs, add_rate);
    json_.list("output_bws", op_.outputs, add_rate);
    json_.end_object();
  }

  const ProfiledOp& op_;
  std::uint64_t number_;
  const ToldRun* run_;
  StringWriter text_;
  JsonWriter json_;
};

std::string head_of(const ProfiledOp& op, const ToldRun& run) {
  return fmt::format("TT_DNN_DEVICE_OP: \"{}\", {}, {}, {}, {}", op.code, op.hash, run.device, run.is_hit,
                     run.number);
}

}  // namespace

std::string op_message(const ProfiledOp& op, const ToldRun& run) {
  return fmt::format("`{} ->\n{}`", head_of(op, run), Document(op, run.number, &run).text());
}

std::string op_message_again(const ProfiledOp& op, const ToldRun& run) {
  return fmt::format("`{}`", head_of(op, run));
}

std::string fallback_message(const ProfiledOp& op, std::uint64_t number) {
  return fmt::format("`TT_DNN_FALL_BACK_OP:\"{}\" ->\n{}`", op.code, Document(op, number, nullptr).text());
}

}  // namespace ttscope::metal
