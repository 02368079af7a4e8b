#include "sim/device/ops.h"

#include <fmt/format.h>
#include <ttscope/memory_owner.h>
#include <ttscope/observe_ops.h>
#include <ttscope/ops.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <stdexcept>

#include "sim/device/device_state.h"
#include "sim/device/recorder.h"

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
void notify_observer(DeviceState& device, const OpCall& call, const std::string& program,
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
  notify_observer(device.state(), call, program.key, results);
  frame.set_outputs(std::move(results));
  return outputs;
}

void observe_ops(const Device& device, std::function<void(const ObservedOp&)> observer) {
  device.state().op_observer() = std::move(observer);
}

TensorSpec spec_like(const Tensor& tensor, const Shape& shape) {
  TensorSpec spec = tensor.spec();
  if (shape != spec.shape && spec.memory.layout != BufferLayout::kInterleaved) {
    spec.memory = {spec.memory.type, BufferLayout::kInterleaved,
                   std::nullopt};  // the shards fit the old shape only
  }
  spec.shape = shape;
  return spec;
}

Shape broadcast_shape(std::string_view op, const Shape& a, const Shape& b) {
  const std::size_t rank = std::max(a.rank(), b.rank());
  std::vector<std::uint32_t> dims(rank, 1);
  for (std::size_t i = 0; i < rank; ++i) {
    const int from_end = -static_cast<int>(i) - 1;
    const std::uint32_t of_a = i < a.rank() ? a[from_end] : 1;
    const std::uint32_t of_b = i < b.rank() ? b[from_end] : 1;
    if (of_a != of_b && of_a != 1 && of_b != 1) {
      throw std::invalid_argument(fmt::format("{}: {} and {} cannot be broadcast", op, a.text(), b.text()));
    }
    dims[rank - 1 - i] = std::max(of_a, of_b);
  }
  return Shape(std::move(dims));
}

void require(bool holds, std::string_view op, std::string_view what) {
  if (!holds) throw std::invalid_argument(fmt::format("{}: {}", op, what));
}

namespace {

/// One column for each row of the tensor.
TensorSpec column_of(const Tensor& tensor) { return spec_like(tensor, tensor.shape().with(-1, 1)); }

Shape transposed_if(bool transposed, const Shape& shape) {
  require(shape.rank() >= 2, "matmul", "needs two dimensions");
  return transposed ? shape.with(-1, shape[-2]).with(-2, shape[-1]) : shape;
}

Shape matmul_shape(const Shape& left, const Shape& right) {
  require(left[-1] == right[-2], "matmul",
          fmt::format("{} and {} do not go together: {} columns, {} rows", left.text(), right.text(),
                      left[-1], right[-2]));
  const Shape batch = broadcast_shape("matmul", left.with(-1, 1).with(-2, 1), right.with(-1, 1).with(-2, 1));
  return batch.with(-2, left[-2]).with(-1, right[-1]);
}

}  // namespace

Tensor unary(std::string_view op, const Tensor& tensor) {
  return run_single(
      {"UnaryDeviceOperation", std::string(op), {tensor}, {tensor.spec()}, {}, OpKind::kElementwise});
}

Tensor binary(std::string_view op, const Tensor& a, const Tensor& b) {
  const Shape shape = broadcast_shape(op, a.shape(), b.shape());
  const Tensor& form = a.shape() == shape ? a : b;
  return run_single({"BinaryNgDeviceOperation",
                     std::string(op),
                     {a, b},
                     {spec_like(form, shape)},
                     {},
                     OpKind::kElementwise});
}

Tensor binary_scalar(std::string_view op, const Tensor& tensor, float scalar) {
  return run_single({"BinaryNgDeviceOperation",
                     fmt::format("{}, scalar={}", op, scalar),
                     {tensor},
                     {tensor.spec()},
                     {},
                     OpKind::kElementwise});
}

void unary_in_place(std::string_view op, const Tensor& tensor) {
  run_op({"UnaryDeviceOperation", std::string(op), {tensor}, {}, {tensor}, OpKind::kElementwise});
}

void add_in_place(const Tensor& a, const Tensor& b) {
  require(a.shape() == b.shape(), "add_in_place", "the shapes differ");
  run_op({"BinaryNgDeviceOperation", "add", {a, b}, {}, {a}, OpKind::kElementwise});
}

Tensor sum(const Tensor& tensor, const std::vector<int>& dims) {
  Shape shape = tensor.shape();
  for (const int dim : dims) shape = shape.with(dim, 1);
  return run_single({"ReduceDeviceOperation",
                     fmt::format("sum, dims={}", fmt::join(dims, " ")),
                     {tensor},
                     {spec_like(tensor, shape)},
                     {},
                     OpKind::kRowwise});
}

Tensor mean(const Tensor& tensor) {
  std::vector<std::uint32_t> ones(tensor.shape().rank(), 1);
  return run_single({"ReduceDeviceOperation",
                     "mean",
                     {tensor},
                     {spec_like(tensor, Shape(std::move(ones)))},
                     {},
                     OpKind::kRowwise});
}

Tensor matmul(const Tensor& a, const Tensor& b, const MatmulOptions& options) {
  const Shape left = transposed_if(options.transpose_a, a.shape());
  const Shape right = transposed_if(options.transpose_b, b.shape());
  TensorSpec spec = spec_like(a, matmul_shape(left, right));
  spec.memory = options.memory.value_or(spec.memory);
  const std::string arguments =
      fmt::format("transpose_a={}, transpose_b={}", options.transpose_a, options.transpose_b);
  return run_single({"MatmulDeviceOperation", arguments, {a, b}, {spec}, {}, OpKind::kMatmul});
}

NormResult layer_norm(const Tensor& input, const Tensor& gamma, const Tensor& beta) {
  require(input.shape()[-1] == gamma.shape()[-1] && gamma.shape() == beta.shape(), "layer_norm",
          "gamma and beta need one value for each column");
  const TensorSpec column = column_of(input);
  auto outputs = run_op({"LayerNormDeviceOperation",
                         "",
                         {input, gamma, beta},
                         {input.spec(), column, column},
                         {},
                         OpKind::kRowwise});
  return {outputs[0], {outputs[1], outputs[2]}};
}

NormResult rms_norm(const Tensor& input, const Tensor& gamma) {
  require(input.shape()[-1] == gamma.shape()[-1], "rms_norm", "gamma needs one value for each column");
  auto outputs = run_op({"RMSNormForwardDeviceOperation",
                         "",
                         {input, gamma},
                         {input.spec(), column_of(input)},
                         {},
                         OpKind::kRowwise});
  return {outputs[0], {outputs[1]}};
}

NormGradients layer_norm_backward(const Tensor& gradient, const Tensor& input, const Tensor& gamma) {
  // The parameters' gradients are made for every row and summed up over the rows.
  auto outputs = run_op({"LayerNormBackwardDeviceOperation",
                         "",
                         {input, gamma, gradient},
                         {input.spec(), input.spec(), input.spec()},
                         {},
                         OpKind::kRowwise});
  return {outputs[0], {sum(outputs[1], {0, 1, 2}), sum(outputs[2], {0, 1, 2})}};
}

NormGradients rms_norm_backward(const Tensor& gradient, const Tensor& input, const Tensor& gamma) {
  auto outputs = run_op({"RMSNormBackwardDeviceOperation",
                         "",
                         {input, gamma, gradient},
                         {input.spec(), input.spec()},
                         {},
                         OpKind::kRowwise});
  return {outputs[0], {sum(outputs[1], {0, 1, 2})}};
}

Tensor softmax(const Tensor& tensor) {
  return run_single({"SoftmaxDeviceOperation", "", {tensor}, {tensor.spec()}, {}, OpKind::kRowwise});
}

Tensor softmax_backward(const Tensor& output, const Tensor& gradient) {
  require(output.shape() == gradient.shape(), "softmax_backward", "the gradient has another shape");
  return run_single(
      {"MorehSoftmaxBackwardOperation", "", {output, gradient}, {output.spec()}, {}, OpKind::kRowwise});
}

void optimizer_step(std::string_view op, const Tensor& parameter, const Tensor& gradient,
                    const std::vector<Tensor>& states) {
  require(parameter.shape() == gradient.shape(), op, "the gradient has another shape");
  std::vector<Tensor> inputs{parameter, gradient};
  inputs.insert(inputs.end(), states.begin(), states.end());
  std::vector<Tensor> changed{parameter};
  changed.insert(changed.end(), states.begin(), states.end());
  run_op({op, "", inputs, {}, changed, OpKind::kElementwise});
}

void sgd_step(const Tensor& parameter, const Tensor& gradient) {
  optimizer_step("SGDDeviceOperation", parameter, gradient, {});
}

void adamw_step(const Tensor& parameter, const Tensor& gradient, const Tensor& first_moment,
                const Tensor& second_moment) {
  optimizer_step("AdamWDeviceOperation", parameter, gradient, {first_moment, second_moment});
}

namespace {

/// Tiles keep their content and order when only leading dimensions are regrouped.
bool is_view(const Tensor& tensor, const Shape& shape) {
  if (tensor.layout() == Layout::kRowMajor) return tensor.shape()[-1] == shape[-1];
  if (tensor.shape().rank() < 2 || shape.rank() < 2 || tensor.shape()[-1] != shape[-1]) return false;
  const bool whole_tiles = tensor.shape()[-2] % kTileSide == 0 && shape[-2] % kTileSide == 0;
  return whole_tiles || tensor.shape()[-2] == shape[-2];
}

std::string shape_argument(const Shape& shape) { return "shape=" + shape.text(); }

}  // namespace

Tensor empty(const Device& device, const TensorSpec& spec) { return create_device_tensor(device, spec); }

Tensor full(const Device& device, const TensorSpec& spec) {
  Tensor tensor = create_device_tensor(device, spec);
  run_op({"FullDeviceOperation", "", {tensor}, {}, {tensor}, OpKind::kCopy});
  return tensor;
}

Tensor full_like(const Tensor& tensor) { return full(tensor.device(), tensor.spec()); }

Tensor from_host(const Device& device, const TensorSpec& spec) {
  const OwnerScope input(MemoryKind::kInput);
  return create_device_tensor(device, spec);
}

Tensor to_memory_config(const Tensor& tensor, const MemoryConfig& memory) {
  if (tensor.spec().memory == memory) return tensor;
  TensorSpec spec = tensor.spec();
  spec.memory = memory;
  return run_single({"CopyDeviceOperation", "to_memory_config", {tensor}, {spec}, {}, OpKind::kCopy});
}

Tensor to_layout(const Tensor& tensor, Layout layout) {
  if (tensor.layout() == layout) return tensor;
  TensorSpec spec = tensor.spec();
  spec.layout = layout;
  const std::string_view name = layout == Layout::kTile ? "TilizeDeviceOperation" : "UntilizeDeviceOperation";
  return run_single({name, "", {tensor}, {spec}, {}, OpKind::kCopy});
}

Tensor typecast(const Tensor& tensor, DataType dtype) {
  if (tensor.dtype() == dtype) return tensor;
  TensorSpec spec = tensor.spec();
  spec.dtype = dtype;
  return run_single({"TypecastDeviceOperation",
                     fmt::format("dtype={}", name_of(dtype)),
                     {tensor},
                     {spec},
                     {},
                     OpKind::kCopy});
}

Tensor reshape(const Tensor& tensor, const Shape& shape) {
  require(tensor.shape().volume() == shape.volume(), "reshape",
          fmt::format("{} and {} have different numbers of elements", tensor.shape().text(), shape.text()));
  if (tensor.shape() == shape) return tensor;
  const TensorSpec spec = spec_like(tensor, shape);
  if (is_view(tensor, shape)) return view_of(tensor, spec);
  return run_single(
      {"ReshapeViewDeviceOperation", shape_argument(shape), {tensor}, {spec}, {}, OpKind::kCopy});
}

Tensor transpose(const Tensor& tensor) {
  const Shape& shape = tensor.shape();
  require(shape.rank() >= 2, "transpose", "needs two dimensions");
  const Shape swapped = shape.with(-1, shape[-2]).with(-2, shape[-1]);
  return run_single({"TransposeDeviceOperation",
                     "dim1=-2, dim2=-1",
                     {tensor},
                     {spec_like(tensor, swapped)},
                     {},
                     OpKind::kCopy});
}

Tensor concat(const std::vector<Tensor>& tensors, int dim) {
  require(!tensors.empty(), "concat", "no tensors");
  std::uint32_t size = 0;
  for (const Tensor& tensor : tensors) {
    require(tensor.shape().with(dim, 1) == tensors.front().shape().with(dim, 1), "concat",
            "the shapes differ in another dimension");
    size += tensor.shape()[dim];
  }
  const Shape shape = tensors.front().shape().with(dim, size);
  return run_single({"ConcatDeviceOperation",
                     fmt::format("dim={}", dim),
                     tensors,
                     {spec_like(tensors.front(), shape)},
                     {},
                     OpKind::kCopy});
}

Tensor slice(const Tensor& tensor, int dim, std::uint32_t begin, std::uint32_t end) {
  require(begin < end && end <= tensor.shape()[dim], "slice",
          fmt::format("{} to {} is no part of {}", begin, end, tensor.shape().text()));
  const TensorSpec spec = spec_like(tensor, tensor.shape().with(dim, end - begin));
  return run_single({"SliceDeviceOperation",
                     fmt::format("dim={}, begin={}, end={}", dim, begin, end),
                     {tensor},
                     {spec},
                     {},
                     OpKind::kCopy});
}

Tensor repeat(const Tensor& tensor, const Shape& times) {
  require(times.rank() == tensor.shape().rank(), "repeat", "needs a number for each dimension");
  std::vector<std::uint32_t> dims = tensor.shape().dims();
  for (std::size_t i = 0; i < dims.size(); ++i) dims[i] *= times.dims()[i];
  const TensorSpec spec = spec_like(tensor, Shape(std::move(dims)));
  return run_single({"RepeatDeviceOperation", shape_argument(times), {tensor}, {spec}, {}, OpKind::kCopy});
}

Tensor all_gather(const Tensor& tensor, int dim, std::uint32_t chips) {
  require(chips > 0, "all_gather", "needs at least one chip");
  const TensorSpec spec = spec_like(tensor, tensor.shape().with(dim, tensor.shape()[dim] * chips));
  return run_single({"AllGatherDeviceOperation",
                     fmt::format("dim={}, ring_size={}", dim, chips),
                     {tensor},
                     {spec},
                     {},
                     OpKind::kCollective});
}

Tensor reduce_scatter(const Tensor& tensor, int dim, std::uint32_t chips) {
  const std::uint32_t size = tensor.shape()[dim];
  require(chips > 0 && size % chips == 0, "reduce_scatter",
          fmt::format("dimension {} of {} is not divisible by {} chips", dim, tensor.shape().text(), chips));
  const TensorSpec spec = spec_like(tensor, tensor.shape().with(dim, size / chips));
  // What arrives from the neighbors is summed up beside the input.
  const Tensor arriving = create_device_tensor(tensor.device(), tensor.spec());
  return run_single({"ReduceScatterDeviceOperation",
                     fmt::format("dim={}, ring_size={}", dim, chips),
                     {tensor, arriving},
                     {spec},
                     {},
                     OpKind::kCollective});
}

Tensor all_reduce(const Tensor& tensor, std::uint32_t chips) {
  require(chips > 0, "all_reduce", "needs at least one chip");
  if (chips == 1) return tensor;
  const auto rank = static_cast<int>(tensor.shape().rank());
  for (int dim = 0; dim < rank; ++dim) {
    const std::uint32_t step = dim + 2 >= rank ? chips * kTileSide : chips;
    if (tensor.shape()[dim] % step == 0) return all_gather(reduce_scatter(tensor, dim, chips), dim, chips);
  }
  // Nothing can be divided: every chip gets all copies and adds them up.
  const Shape outer = Shape([&] {
    std::vector<std::uint32_t> dims{1};
    dims.insert(dims.end(), tensor.shape().dims().begin(), tensor.shape().dims().end());
    return dims;
  }());
  return reshape(sum(all_gather(reshape(tensor, outer), 0, chips), {0}), tensor.shape());
}

namespace {

Heads heads_from(const std::vector<Tensor>& inputs, std::uint32_t heads, std::uint32_t groups,
                 std::uint32_t head_size) {
  const Shape& shape = inputs.front().shape();
  const TensorSpec query = spec_like(inputs.front(), Shape{shape[0], heads, shape[-2], head_size});
  const TensorSpec key = spec_like(inputs.front(), Shape{shape[0], groups, shape[-2], head_size});
  auto outputs = run_op({"NlpCreateHeadsDeviceOperation",
                         fmt::format("num_q_heads={}, num_kv_heads={}", heads, groups),
                         inputs,
                         {query, key, key},
                         {},
                         OpKind::kCopy});
  return {outputs[0], outputs[1], outputs[2]};
}

void require_heads(const Heads& heads) {
  const Shape& query = heads.query.shape();
  const Shape& key = heads.key.shape();
  require(key == heads.value.shape() && query[-1] == key[-1] && query[1] % key[1] == 0, "attention",
          "heads of queries, keys and values do not go together");
}

std::vector<Tensor> with_mask(std::vector<Tensor> inputs, const Tensor& mask) {
  if (mask.is_initialized()) inputs.push_back(mask);
  return inputs;
}

/// One float32 tile for each 32 rows: values of rows, in the first column.
TensorSpec row_statistics(const Tensor& tensor) {
  TensorSpec spec = spec_like(tensor, tensor.shape().with(-1, kTileSide));
  spec.dtype = DataType::kFloat32;
  return spec;
}

}  // namespace

Tensor embedding(const Tensor& tokens, const Tensor& weight) {
  const Shape& shape = weight.shape();
  require(tokens.layout() == Layout::kRowMajor, "embedding", "the tokens must be in row-major layout");
  // The rows of the table are looked up in row-major layout.
  const Tensor rows = to_layout(weight, Layout::kRowMajor);
  TensorSpec spec = spec_like(weight, Shape{tokens.shape()[0], 1, tokens.shape()[-1], shape[-1]});
  spec.layout = Layout::kTile;
  return run_single({"EmbeddingsDeviceOperation", "", {tokens, rows}, {spec}, {}, OpKind::kCopy});
}

Tensor embedding_backward(const Tensor& tokens, const Tensor& weight, const Tensor& gradient) {
  return run_single(
      {"EmbeddingBackwardDeviceOperation", "", {tokens, gradient}, {weight.spec()}, {}, OpKind::kRowwise});
}

Heads create_heads(const Tensor& query, const Tensor& key_value, std::uint32_t heads, std::uint32_t groups) {
  require(heads > 0 && groups > 0 && query.shape()[-1] % heads == 0, "create_heads",
          "the width is not divisible by the number of heads");
  const std::uint32_t head_size = query.shape()[-1] / heads;
  require(key_value.shape()[-1] == 2 * groups * head_size, "create_heads",
          "keys and values need two heads for each group");
  return heads_from({query, key_value}, heads, groups, head_size);
}

Heads create_heads(const Tensor& query_key_value, std::uint32_t heads, std::uint32_t groups) {
  const std::uint32_t all = heads + 2 * groups;
  require(all > 0 && query_key_value.shape()[-1] % all == 0, "create_heads",
          "the width is not divisible by the number of heads");
  return heads_from({query_key_value}, heads, groups, query_key_value.shape()[-1] / all);
}

Tensor concat_heads(const Tensor& heads) {
  const Shape& shape = heads.shape();
  const Shape fused{shape[0], 1, shape[-2], shape[1] * shape[-1]};
  return run_single(
      {"NLPConcatHeadsDeviceOperation", "", {heads}, {spec_like(heads, fused)}, {}, OpKind::kCopy});
}

Tensor split_heads(const Tensor& tensor, std::uint32_t heads) {
  const Shape& shape = tensor.shape();
  require(heads > 0 && shape[-1] % heads == 0, "split_heads",
          "the width is not divisible by the number of heads");
  const Tensor turned = transpose(tensor);
  const Tensor split = reshape(turned, Shape{shape[0], heads, shape[-1] / heads, shape[-2]});
  return transpose(split);
}

Tensor rotary_embedding(const Tensor& tensor, const Tensor& cosines, const Tensor& sines) {
  require(cosines.shape() == sines.shape() && cosines.shape()[-1] == tensor.shape()[-1], "rotary_embedding",
          "the tables need the size of a head");
  return run_single({"RotaryEmbeddingLlamaDeviceOperation",
                     "",
                     {tensor, cosines, sines},
                     {tensor.spec()},
                     {},
                     OpKind::kElementwise});
}

Tensor attention(const Tensor& query, const Tensor& key, const Tensor& value) {
  require_heads({query, key, value});
  return run_single({"SDPAOperation", "", {query, key, value}, {query.spec()}, {}, OpKind::kAttention});
}

AttentionResult attention_forward(const Heads& heads, const Tensor& mask) {
  require_heads(heads);
  auto outputs = run_op({"SDPAForwardDeviceOperation",
                         "",
                         with_mask({heads.query, heads.key, heads.value}, mask),
                         {heads.query.spec(), row_statistics(heads.query)},
                         {},
                         OpKind::kAttention});
  return {outputs[0], outputs[1]};
}

Heads attention_backward(const Tensor& gradient, const AttentionResult& result, const Heads& heads,
                         const Tensor& mask) {
  // Two programs: queries, with one value for each row that the second needs, then keys and values.
  const auto of_query = run_op(
      {"SDPABackwardQDeviceOperation",
       "",
       with_mask({gradient, result.output, heads.query, heads.key, heads.value, result.statistics}, mask),
       {heads.query.spec(), row_statistics(heads.query)},
       {},
       OpKind::kAttention});
  const auto of_key_value = run_op(
      {"SDPABackwardKVDeviceOperation",
       "",
       with_mask({gradient, heads.query, heads.key, heads.value, result.statistics, of_query[1]}, mask),
       {heads.key.spec(), heads.value.spec()},
       {},
       OpKind::kAttention});
  return {of_query[0], of_key_value[0], of_key_value[1]};
}

Tensor silu_multiply(const Tensor& linear, const Tensor& gate) {
  require(linear.shape() == gate.shape(), "silu_multiply", "the shapes differ");
  return run_single({"BinaryNgDeviceOperation",
                     "multiply, silu",
                     {linear, gate},
                     {linear.spec()},
                     {},
                     OpKind::kElementwise});
}

Tensor silu_multiply_backward(const Tensor& linear, const Tensor& gate, const Tensor& gradient) {
  require(linear.shape() == gradient.shape(), "silu_multiply_backward", "the gradient has another shape");
  return run_single({"SwiGLUElemwiseBwDeviceOperation",
                     "",
                     {linear, gate, gradient},
                     {gate.spec()},
                     {linear},
                     OpKind::kElementwise});
}

Tensor cross_entropy(const Tensor& logits, const Tensor& targets) {
  return run_single({"CrossEntropyForwardDeviceOperation",
                     "",
                     {logits, targets},
                     {spec_like(logits, logits.shape().with(-1, 1))},
                     {},
                     OpKind::kRowwise});
}

Tensor cross_entropy_backward(const Tensor& logits, const Tensor& targets) {
  return run_single(
      {"CrossEntropyBackwardDeviceOperation", "", {logits, targets}, {logits.spec()}, {}, OpKind::kRowwise});
}

Tensor cross_entropy_in_parts(const Tensor& logits, const Tensor& targets, std::uint32_t chips) {
  const Tensor exponentials = typecast(logits, DataType::kFloat32);
  const Tensor sums = all_reduce(sum(exponentials, {-1}), chips);
  const Tensor rows = cross_entropy(logits, targets);
  return binary("subtract", sums, rows);
}

Tensor cross_entropy_in_parts_backward(const Tensor& logits, const Tensor& targets) {
  const Tensor probabilities = typecast(logits, DataType::kFloat32);
  return run_single({"SubtractAtTargetDeviceOperation",
                     "",
                     {probabilities, targets},
                     {logits.spec()},
                     {},
                     OpKind::kRowwise});
}

}  // namespace ttscope::sim
