#include "metal/profiled_ops.h"

#include <fmt/format.h>
#include <ttscope/record.h>
#include <ttscope/scoped_zone.h>
#include <ttscope_host/profiled_ops.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "base/json_writer.h"
#include "chip/build/compiler.h"
#include "metal/machine.h"
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
  const double gib_per_second = (arch == tt::ARCH::BLACKHOLE ? kBlackhole : kWormhole).dram_gib_s_of_model;
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
  Document(const ProfiledOp& op, std::uint64_t number, const OpMessageRun* run)
      : op_(op), number_(number), run_(run), json_(text_, {.indented = true, .ascii = true}) {}

  std::string text() {
    json_.object([&] {
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
    });
    static_cast<void>(text_.finish());
    return indented_by_four(text_.text());
  }

 private:
  void add_attributes() {
    if (op_.attributes.empty()) return json_.field("attributes", nullptr);
    json_.object("attributes", [&] {
      for (const auto& [name, value] : op_.attributes) json_.field(name, value);
    });
  }

  void add_tensor(const ProfiledTensor& tensor) {
    json_.object([&] {
      json_.field("dtype", tensor.dtype);
      json_.field("layout", tensor.layout);
      json_.object("shape", [&] {
        for (const auto& [name, at] :
             {std::pair{"W", 0U}, std::pair{"X", 3U}, std::pair{"Y", 2U}, std::pair{"Z", 1U}})
          json_.field(name, fmt::format("{}[{}]", tensor.padded[at], tensor.shape[at]));
      });
      json_.key("storage_type");
      add_place(tensor);
    });
  }

  void add_place(const ProfiledTensor& tensor) {
    if (tensor.buffer_type.empty()) return json_.value("HOST");
    json_.object([&] {
      json_.field("device_id", run_ != nullptr ? run_->device : 0);
      json_.object("memory_config", [&] {
        json_.field("buffer_type", tensor.buffer_type);
        json_.field("memory_layout", tensor.memory_layout);
      });
    });
  }

  void add_kernel(const char* name, bool is_compute) {
    json_.object([&] {
      if (is_compute) json_.field("math_fidelity", op_.fidelity);
      json_.field("name", name);
      json_.field("source", fmt::format("{}/{}.cpp", run_->kernels, name));
    });
  }

  void add_kernels() {
    json_.object("kernel_info", [&] {
      json_.list("compute_kernels", std::array{"compute"},
                 [this](const char* name) { add_kernel(name, true); });
      json_.list("datamovement_kernels", std::array{"reader", "writer"},
                 [this](const char* name) { add_kernel(name, false); });
      json_.object("kernel_sizes", [&] {});
    });
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
    json_.object("performance_model", [&] {
      json_.field("bandwidth_ns", moving_ns);
      json_.field("compute_ns", compute_ns);
      json_.field("ideal_ns", ideal_ns);
      json_.list("input_bws", op_.inputs, add_rate);
      json_.list("output_bws", op_.outputs, add_rate);
    });
  }

  const ProfiledOp& op_;
  std::uint64_t number_;
  const OpMessageRun* run_;
  StringWriter text_;
  JsonWriter json_;
};

std::string head_of(const ProfiledOp& op, const OpMessageRun& run) {
  return fmt::format("TT_DNN_DEVICE_OP: \"{}\", {}, {}, {}, {}", op.code, op.hash, run.device, run.is_hit,
                     run.number);
}

}  // namespace

std::string op_message(const ProfiledOp& op, const OpMessageRun& run) {
  return fmt::format("`{} ->\n{}`", head_of(op, run), Document(op, run.number, &run).text());
}

std::string short_op_message(const ProfiledOp& op, const OpMessageRun& run) {
  return fmt::format("`{}`", head_of(op, run));
}

std::string fallback_message(const ProfiledOp& op, std::uint64_t number) {
  return fmt::format("`TT_DNN_FALL_BACK_OP:\"{}\" ->\n{}`", op.code, Document(op, number, nullptr).text());
}

}  // namespace ttscope::metal

namespace ttscope {
namespace {

using namespace tt::tt_metal;

constexpr std::uint32_t kGridSide = 2;  ///< cores of an op, in each direction

static_assert(ProfiledOps::kCores == kGridSide * kGridSide);

constexpr std::uint32_t kMessageColor = 0xF0F8FF;
constexpr const char* kZoneFile = "ttscope/profiled_ops";

bool is_told() {
  const char* value = std::getenv("TTNN_OP_PROFILER");
  return value != nullptr && *value == '1';
}

/// Zones of the host are called after what is done, with the op as their function.
ttscope_record_place place_of(const char* zone, const ProfiledOp& op) {
  return {zone, op.code.c_str(), kZoneFile, 0, 0};
}

void add_number(const record::ScopedZone& zone, std::uint64_t number) {
  const std::string text = fmt::format("id:{}", number);
  zone.text(text.data(), text.size());
}

void send(const std::string& message) {
  if (ttscope_record_active() != 0) ttscope_record_message(message.data(), message.size(), kMessageColor);
}

/// Where the sources of the ops' kernels are.
const std::string& kernel_folder() {
  static const std::string kFolder =
      metal::value_or_throw(chip::unpack_device_sources(metal::HostMachine::get().settings().cache)) + "/ops";
  return kFolder;
}

}  // namespace

/// Kernels on a few cores, and a circular buffer of two pages on each.
class ProfiledOps::OpProgram {
 public:
  OpProgram() : program_(CreateProgram()), cores_({0, 0}, {kGridSide - 1, kGridSide - 1}) {
    CreateCircularBuffer(program_, cores_,
                         {.index = 0, .total_bytes = 2 * kPageBytes, .page_bytes = kPageBytes});
    DataMovementConfig writer;
    writer.processor = DataMovementProcessor::RISCV_1;
    reader_ = CreateKernel(program_, kernel_folder() + "/reader.cpp", cores_, DataMovementConfig{});
    writer_ = CreateKernel(program_, kernel_folder() + "/writer.cpp", cores_, writer);
    compute_ = CreateKernel(program_, kernel_folder() + "/compute.cpp", cores_, ComputeConfig{});
  }

  void compile(IDevice& device) { detail::CompileProgram(&device, program_); }

  void run(IDevice& device, std::size_t index, std::uint32_t call, const ProfiledOp& op) {
    std::uint32_t core = 0;
    for (std::uint32_t y = 0; y < kGridSide; ++y) {
      for (std::uint32_t x = 0; x < kGridSide; ++x, ++core) {
        const Pages in = pages_of(op.inputs, index);
        const Pages out = pages_of(op.outputs, index);
        SetRuntimeArgs(program_, reader_, CoreCoord{x, y},
                       {core, in.address, in.count, kCores, waits_of(op, in)});
        SetRuntimeArgs(program_, writer_, CoreCoord{x, y}, {core, out.address, out.count, kCores});
        SetRuntimeArgs(program_, compute_, CoreCoord{x, y}, {core, op.turns});
      }
    }
    program_.set_runtime_id(call);
    EnqueueProgram(device.command_queue(), program_, false);
  }

 private:
  struct Pages {
    std::uint32_t address = 0;
    std::uint32_t count = 0;
  };
  /// Turns of the reader beside the pages of each core. One that it does not move takes it a turn.
  static std::uint32_t waits_of(const ProfiledOp& op, const Pages& pages) {
    constexpr std::uint32_t kTurnsOfMovedPage = 12;
    const std::uint32_t of_pages = pages.count / kCores * (pages.address != 0 ? kTurnsOfMovedPage : 1);
    return op.reading_turns - std::min(op.reading_turns, of_pages);
  }
  /// Those of the first tensor that the cores move.
  static Pages pages_of(const std::vector<ProfiledTensor>& tensors, std::size_t device) {
    if (tensors.empty()) return {};
    const ProfiledTensor& first = tensors.front();
    const auto count = std::clamp<std::uint64_t>(first.bytes / kPageBytes, 1, kMovedPages);
    return {device < first.dram_addresses.size() ? first.dram_addresses[device] : 0,
            static_cast<std::uint32_t>(count)};
  }

  Program program_;
  CoreRange cores_;
  KernelHandle reader_ = 0;
  KernelHandle writer_ = 0;
  KernelHandle compute_ = 0;
};

ProfiledOps::ProfiledOps(std::vector<IDevice*> devices) : devices_(std::move(devices)) {}

ProfiledOps::~ProfiledOps() = default;

void ProfiledOps::run(const ProfiledOp& op) {
  // Of the process, not of its devices, as tt-metal counts: a device that is opened anew does not begin
  // again. Those of a traced run go on from process to process: its reports know ops by them.
  static std::atomic<std::uint32_t> last_call = 0;
  metal::SharedTraceState* const traced = metal::SharedTraceState::current();
  const Call call{traced != nullptr ? traced->next_device_call() : ++last_call, programs_.contains(op.hash)};
  for (std::size_t i = 0; i < devices_.size(); ++i) run_on(i, op, call);
}

void ProfiledOps::run_on(std::size_t index, const ProfiledOp& op, const Call& call) {
  IDevice& device = *devices_[index];
  const std::uint64_t number =
      detail::EncodePerDeviceProgramID(call.number, static_cast<std::uint32_t>(device.id()));
  const record::ScopedZone zone(place_of("TT_DNN_DEVICE_OP", op));
  OpProgram& program = program_of(op, device);
  {
    const record::ScopedZone enqueue(place_of("EnqueueProgram", op));
    program.run(device, index, call.number, op);
  }
  if (is_told()) {
    const metal::OpMessageRun run{number, device.id(), call.is_hit, kernel_folder(), device.arch()};
    const bool is_new = told_.emplace(device.id(), op.hash).second;
    const bool is_full_message = is_new || std::getenv("TT_METAL_PROFILER_NO_CACHE_OP_INFO") != nullptr;
    send(is_full_message ? metal::op_message(op, run) : metal::short_op_message(op, run));
  }
  add_number(zone, number);
}

ProfiledOps::OpProgram& ProfiledOps::program_of(const ProfiledOp& op, IDevice& device) {
  const auto known = programs_.find(op.hash);
  if (known != programs_.end()) return *known->second;
  const record::ScopedZone compile(place_of("CompileProgram", op));
  // Making and compiling one may throw: then the next call of the op is no hit.
  auto program = std::make_unique<OpProgram>();
  program->compile(device);
  return *programs_.emplace(op.hash, std::move(program)).first->second;
}

void ProfiledOps::run_on_host(const ProfiledOp& op) {
  static std::atomic<std::uint32_t> last_call = 0;
  metal::SharedTraceState* const traced = metal::SharedTraceState::current();
  const std::uint32_t call = traced != nullptr ? traced->next_host_call() : ++last_call;
  const std::uint64_t number = detail::EncodePerDeviceProgramID(call, 0, true);
  const record::ScopedZone zone(place_of("TT_DNN_FALLBACK_OP", op));
  if (is_told()) send(metal::fallback_message(op, number));
  add_number(zone, number);
}

}  // namespace ttscope
