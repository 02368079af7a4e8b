#include "sim/device/op_run.h"

#include <fmt/format.h>
#include <ttscope/observe_ops.h>

#include <atomic>
#include <memory>
#include <stdexcept>

#include "sim/device/capture_stack.h"
#include "sim/device/device_state.h"
#include "sim/device/recorded_facts.h"
#include "sim/device/tensor_pages.h"

namespace ttscope::sim {
namespace {

std::uint64_t next_tensor_id() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

std::string_view& operation_of_thread() {
  static thread_local std::string_view name;
  return name;
}

/// Names the operation for as long as it lives, unless one runs already.
class OperationScope {
 public:
  explicit OperationScope(std::string_view name) : is_outermost_(operation_of_thread().empty()) {
    if (is_outermost_) operation_of_thread() = name;
  }
  ~OperationScope() {
    if (is_outermost_) operation_of_thread() = {};
  }
  OperationScope(const OperationScope&) = delete;
  OperationScope& operator=(const OperationScope&) = delete;

 private:
  bool is_outermost_;
};

/// Tells captures of a function for as long as it lives. Texts are made only when somebody listens.
class Frame {
 public:
  Frame(std::string_view name, const std::vector<std::string>& arguments, const std::vector<Tensor>& inputs)
      : name_(name) {
    CaptureStack& captures = CaptureStack::current();
    if (!captures.is_active()) return;
    listening_ = true;
    const auto texts = texts_of(inputs);
    const auto recorded = recorded_of(texts);
    captures.for_each([&](Recorder& recorder) { recorder.begin_function(name_, arguments, recorded); });
  }
  ~Frame() {
    if (!listening_) return;
    const auto texts = texts_of(outputs_);
    const auto recorded = recorded_of(texts);
    CaptureStack::current().for_each([&](Recorder& recorder) { recorder.end_function(name_, recorded); });
  }
  Frame(const Frame&) = delete;
  Frame& operator=(const Frame&) = delete;

  void set_outputs(std::vector<Tensor> outputs) { outputs_ = std::move(outputs); }

 private:
  using Texts = std::vector<std::unique_ptr<TensorText>>;
  static Texts texts_of(const std::vector<Tensor>& tensors) {
    Texts texts;
    for (const Tensor& tensor : tensors) texts.push_back(std::make_unique<TensorText>(tensor));
    return texts;
  }
  static std::vector<RecordedTensor> recorded_of(const Texts& texts) {
    std::vector<RecordedTensor> recorded;
    recorded.reserve(texts.size());
    for (const auto& text : texts) recorded.push_back(text->recorded);
    return recorded;
  }

  std::string name_;
  bool listening_ = false;
  std::vector<Tensor> outputs_;
};

std::vector<std::string> creation_arguments(const Device& device, const TensorSpec& spec) {
  if (!CaptureStack::current().is_active()) return {};
  return {spec.shape.text(), fmt::format("DataType::{}", name_of(spec.dtype)),
          fmt::format("Layout::{}", name_of(spec.layout)), fmt::format("{}", fmt::ptr(&device.state())),
          spec.memory.text()};
}

std::vector<std::string> call_arguments(const OpCall& call) {
  if (call.arguments.empty()) return {};
  return {call.arguments};
}

std::string program_key(const OpCall& call) {
  std::string key = fmt::format("{}({}", call.name, call.arguments);
  const auto append = [&key](const TensorSpec& spec) {
    key += fmt::format(";{} {} {} {} {}", fmt::join(spec.shape.dims(), "x"), static_cast<int>(spec.dtype),
                       static_cast<int>(spec.layout), static_cast<int>(spec.memory.type),
                       static_cast<int>(spec.memory.layout));
  };
  for (const Tensor& input : call.inputs) append(input.spec());
  for (const TensorSpec& output : call.outputs) append(output);
  return key;
}

/// Texts and tensors are there anyway: it costs a look where nobody observes.
void tell_observer(DeviceState& device, const OpCall& call, const std::string& program,
                   const std::vector<Tensor>& results) {
  if (!device.op_observer() || CaptureStack::current().is_blocking()) return;
  const auto observer = device.op_observer();  // it may put another one in its place
  observer({call.name, call.arguments, program, call.kind, call.inputs, results});
}

void check_inputs(const OpCall& call) {
  for (const Tensor& input : call.inputs) {
    if (!input.is_allocated()) {
      throw std::invalid_argument(
          fmt::format("{}: an input {} is not allocated", call.name, input.shape().text()));
    }
  }
}

}  // namespace

std::string_view current_operation() { return operation_of_thread(); }

Tensor create_device_tensor(const Device& device, const TensorSpec& spec) {
  const auto request = buffer_request(spec);
  if (!request) throw std::invalid_argument(request.error().message);
  Frame frame("tt::tt_metal::create_device_tensor", creation_arguments(device, spec), {});
  auto state = std::make_shared<Tensor::State>();
  state->spec = spec;
  state->device = device.shared_state();
  state->buffer = std::make_shared<Buffer>(device.state(), *request);
  state->id = next_tensor_id();
  Tensor tensor(std::move(state));
  frame.set_outputs({tensor});
  return tensor;
}

Tensor view_of(const Tensor& tensor, const TensorSpec& spec) {
  auto state = std::make_shared<Tensor::State>(tensor.state());
  state->spec = spec;
  state->id = next_tensor_id();
  return Tensor(std::move(state));
}

std::vector<Tensor> run_op(const OpCall& call) {
  if (call.inputs.empty()) throw std::invalid_argument(fmt::format("{}: no inputs", call.name));
  check_inputs(call);
  const Device device = call.inputs.front().device();
  const OperationScope operation(call.name);
  Frame frame(call.name, call_arguments(call), call.inputs);
  std::vector<Tensor> outputs;
  outputs.reserve(call.outputs.size());
  for (const TensorSpec& spec : call.outputs) outputs.push_back(create_device_tensor(device, spec));
  Program program = program_of(call.kind, call.inputs, call.outputs, device.spec());
  program.key = program_key(call);
  device.state().run(program);
  std::vector<Tensor> results = outputs;
  results.insert(results.end(), call.in_place.begin(), call.in_place.end());
  tell_observer(device.state(), call, program.key, results);
  frame.set_outputs(std::move(results));
  return outputs;
}

void observe_ops(const Device& device, std::function<void(const ObservedOp&)> observer) {
  device.state().op_observer() = std::move(observer);
}

}  // namespace ttscope::sim
