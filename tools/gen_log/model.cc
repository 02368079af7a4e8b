// The program `main`: arguments, const-eval, embedding, layers, head.
#include "model.h"

#include <algorithm>

namespace ttscope::gen_log {

namespace {

using Kind = Argument::Kind;

std::int64_t largest_divisor(std::int64_t value, std::int64_t limit) {
  std::int64_t divisor = std::min(value, limit);
  while (value % divisor != 0) --divisor;
  return divisor;
}

std::int64_t tile_rows(const Shape& shape) {
  std::int64_t rows = (shape[shape.size() - 2] + 31) / 32;
  for (std::size_t i = 0; i + 2 < shape.size(); ++i) rows *= shape[i];
  return rows;
}

}  // namespace

const TensorType* ModelTypes::tile(Shape shape, Element element) {
  return table_.get({std::move(shape), element, true, Place::kDram, Sharding::kInterleaved, 1, 1});
}

const TensorType* ModelTypes::rows(Shape shape, Element element) {
  return table_.get({std::move(shape), element, false, Place::kDram, Sharding::kInterleaved, 1, 1});
}

const TensorType* ModelTypes::host_tile(Shape shape, Element element) {
  return table_.get({std::move(shape), element, true, Place::kHost, Sharding::kInterleaved, 1, 1});
}

const TensorType* ModelTypes::host_rows(Shape shape, Element element) {
  return table_.get({std::move(shape), element, false, Place::kHost, Sharding::kInterleaved, 1, 1});
}

const TensorType* ModelTypes::l1_or_dram(const TypeSpec& spec) {
  constexpr std::int64_t kTensorsAtOnce = 5;
  const TensorType* type = table_.get(spec);
  if (type->bytes_per_bank(device_) * kTensorsAtOnce <= device_.l1_bytes_per_bank) return type;
  return tile(spec.shape, spec.element);
}

const TensorType* ModelTypes::l1_height(Shape shape) {
  const std::int64_t cores = largest_divisor(tile_rows(shape), 64);
  return l1_or_dram({std::move(shape), Element::kBf16, true, Place::kL1, Sharding::kHeight, cores, 1});
}

const TensorType* ModelTypes::l1_block(Shape shape) {
  const std::int64_t rows = largest_divisor(tile_rows(shape), 8);
  const std::int64_t columns = largest_divisor(shape.back() / 32, 8);
  return l1_or_dram({std::move(shape), Element::kBf16, true, Place::kL1, Sharding::kBlock, rows, columns});
}

const TensorType* ModelTypes::l1_interleaved(Shape shape, Element element) {
  const std::int64_t rows = largest_divisor(tile_rows(shape), 8);
  const std::int64_t columns = largest_divisor((shape.back() + 31) / 32, 8);
  return l1_or_dram({std::move(shape), element, true, Place::kL1, Sharding::kInterleaved, rows, columns});
}

Location LocationNames::derived(const std::string& op, const std::string& suffix) {
  const std::string inner = name(op);
  return nested_location(inner + suffix, inner);
}

namespace {

/// Collects the arguments of `main` and the load_cached ops that consume some of them.
class MainBuilder {
 public:
  MainBuilder(Workload& workload, ModelTypes& types, const ModelShape& shape)
      : workload_(workload), types_(types), shape_(shape), graph_("main") {}

  void build() {
    declare_arguments();
    load_constants();
    graph_.begin_body();
    append_body();
    DeallocationPolicy policy;
    policy.only_l1 = shape_.keep_live;
    workload_.main = graph_.finish(std::move(outputs_), policy);
  }

 private:
  ValueId declare(std::string name, const TensorType* type, Kind kind);
  ValueId declare_per_run(std::string name, const TensorType* type);
  LayerArguments declare_layer(std::int64_t layer);
  void declare_arguments();
  std::vector<ValueId> load(Program function, std::vector<ValueId> operands);
  void load_constants();
  void append_body();
  ValueId append_embedding(ModelContext& context);
  void append_head(ModelContext& context, ValueId hidden);
  void append_sampler(ModelContext& context, ValueId logits);

  Workload& workload_;
  ModelTypes& types_;
  const ModelShape& shape_;
  GraphBuilder graph_;
  LocationNames locations_;
  ValueId ids_ = 0, position_ = 0, mask_ = 0, table_ = 0, norm_ = 0, head_ = 0, frequencies_ = 0;
  ValueId positions_ = 0;
  std::vector<LayerArguments> layers_;
  std::vector<LayerConstants> constants_;
  SharedValues shared_;
  std::vector<ValueId> outputs_;
};

ValueId MainBuilder::declare(std::string name, const TensorType* type, Kind kind) {
  Argument argument;
  argument.kind = kind;
  argument.type = type;
  argument.kv_cache = name.find("_cache") != std::string::npos;
  argument.presharded = name.find("o_proj") != std::string::npos;
  argument.model_name = std::move(name);
  return graph_.argument(std::move(argument));
}

ValueId MainBuilder::declare_per_run(std::string name, const TensorType* type) {
  Argument argument;
  argument.kind = Kind::kInput;
  argument.type = type;
  argument.new_each_run = true;
  argument.model_name = std::move(name);
  return graph_.argument(std::move(argument));
}

LayerArguments MainBuilder::declare_layer(std::int64_t layer) {
  const std::string path = "model.layers." + std::to_string(layer) + ".";
  const std::int64_t hidden = shape_.hidden;
  const std::int64_t narrow = shape_.kv_heads() * shape_.head_size();
  const TensorType* cache = types_.tile({1, shape_.kv_heads(), shape_.cache_length, shape_.head_size()});
  const auto weight = [&](const std::string& name, Shape shape) {
    return declare(path + name + ".weight", types_.tile(std::move(shape)), Kind::kParameter);
  };
  LayerArguments layer_arguments;
  layer_arguments.input_norm = weight("input_layernorm", {hidden});
  layer_arguments.query = weight("self_attn.q_proj", {hidden, hidden});
  layer_arguments.key = weight("self_attn.k_proj", {narrow, hidden});
  layer_arguments.value = weight("self_attn.v_proj", {narrow, hidden});
  layer_arguments.output = weight("self_attn.o_proj", {hidden, hidden});
  layer_arguments.post_norm = weight("post_attention_layernorm", {hidden});
  layer_arguments.gate = weight("mlp.gate_proj", {shape_.intermediate(), hidden});
  layer_arguments.up = weight("mlp.up_proj", {shape_.intermediate(), hidden});
  layer_arguments.down = weight("mlp.down_proj", {hidden, shape_.intermediate()});
  layer_arguments.key_cache = declare("key_cache_" + std::to_string(layer), cache, Kind::kInput);
  layer_arguments.value_cache = declare("value_cache_" + std::to_string(layer), cache, Kind::kInput);
  return layer_arguments;
}

void MainBuilder::declare_arguments() {
  const Shape mask{1, 1, shape_.sequence, shape_.cache_length};
  ids_ = declare_per_run("args_0", types_.rows({1, shape_.sequence}, Element::kSi32));
  position_ = declare_per_run("args_1", types_.tile({1}, Element::kUi32));
  mask_ = declare_per_run("args_2", types_.host_rows(mask, Element::kF32));
  table_ =
      declare("model.embed_tokens.weight", types_.rows({shape_.vocabulary, shape_.hidden}), Kind::kParameter);
  frequencies_ = declare("model.rotary_emb.inv_freq", types_.tile({shape_.head_size() / 2}, Element::kF32),
                         Kind::kConstant);
  for (std::int64_t layer = 0; layer < shape_.layers; ++layer) layers_.push_back(declare_layer(layer));
  norm_ = declare("model.norm.weight", types_.tile({shape_.hidden}), Kind::kParameter);
  head_ = declare("lm_head.weight", types_.tile({shape_.vocabulary, shape_.hidden}, Element::kBfp8),
                  Kind::kParameter);
}

std::vector<ValueId> MainBuilder::load(Program function, std::vector<ValueId> operands) {
  workload_.const_evals.push_back(std::move(function));
  return graph_.load_cached(workload_.const_evals.size() - 1, workload_.const_evals.back(),
                            std::move(operands));
}

void MainBuilder::load_constants() {
  const auto next = [this] { return workload_.const_evals.size(); };
  const auto type = [this](ValueId value) { return graph_.type_of(value); };
  positions_ = load(position_const_eval(next(), types_, shape_), {}).front();
  const std::vector<ValueId> rope = load(rope_const_eval(next(), types_, shape_), {frequencies_});
  shared_.cosine = rope[0];
  shared_.sine = rope[1];
  for (const LayerArguments& layer : layers_) {
    LayerConstants constants;
    constants.query_weight =
        load(transposed_weight_const_eval(next(), types_, type(layer.query)), {layer.query}).front();
    constants.key_value_weight =
        load(key_value_const_eval(next(), types_, type(layer.key)), {layer.key, layer.value}).front();
    const std::vector<ValueId> mlp = load(
        block_float_const_eval(next(), types_, {type(layer.gate), type(layer.up)}), {layer.gate, layer.up});
    constants.gate_weight = mlp[0];
    constants.up_weight = mlp[1];
    constants_.push_back(constants);
  }
}

void MainBuilder::append_body() {
  ModelContext context{graph_, types_, locations_, shape_};
  ValueId hidden = append_embedding(context);
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    LayerInputs inputs{static_cast<std::int64_t>(i), layers_[i], constants_[i], shared_, hidden};
    hidden = append_layer(context, inputs);
  }
  append_head(context, hidden);
}

/// Also moves the mask to the device, as inputs that PJRT left on the host are.
ValueId MainBuilder::append_embedding(ModelContext& context) {
  GraphBuilder& graph = context.graph;
  LocationNames& at = context.locations;
  const std::int64_t sequence = shape_.sequence;
  at.enter("model");
  const ValueId device = graph.add_one(
      {"ttnn.get_device", {}, get_device_properties(), {types_.device_handle()}, unknown_location()});
  const Shape mask = graph.type_of(mask_)->spec.shape;
  const TensorType* flat = types_.rows(mask, Element::kF32);
  const ValueId moved = graph.add_one({"ttnn.to_device",
                                       {mask_, device},
                                       memory_config_properties(*flat),
                                       {flat},
                                       at.derived("add", "_in_1_layout")});
  const ValueId tiled = graph.add_one({"ttnn.to_layout",
                                       {moved},
                                       layout_properties(true),
                                       {types_.tile(mask, Element::kF32)},
                                       at.at("convert")});
  const ValueId allowed = graph.add_one({"ttnn.le",
                                         {positions_, tiled},
                                         dtype_properties(Element::kBf16),
                                         {types_.tile(mask)},
                                         at.at("compare")});
  shared_.mask = allowed;
  shared_.position = position_;
  at.enter("model/embed_tokens");
  const ValueId ids = graph.add_one({"ttnn.typecast",
                                     {ids_},
                                     dtype_properties(Element::kUi32),
                                     {types_.rows({1, sequence}, Element::kUi32)},
                                     file_location("modeling_llama.py", 411, 24)});
  const ValueId embedded = graph.add_one(
      {"ttnn.embedding", {ids, table_}, "", {types_.tile({1, sequence, shape_.hidden})}, at.at("gather")});
  const Shape folded{sequence, shape_.hidden};
  return graph.add_one({"ttnn.reshape",
                        {embedded},
                        reshape_properties(folded),
                        {types_.tile(folded)},
                        at.derived("reshape", "_tm0")});
}

void MainBuilder::append_head(ModelContext& context, ValueId hidden) {
  GraphBuilder& graph = context.graph;
  LocationNames& at = context.locations;
  const std::int64_t sequence = shape_.sequence;
  const std::int64_t words = shape_.vocabulary;
  at.enter("model/norm");
  const ValueId normal = graph.add_one({"ttnn.rms_norm",
                                        {hidden, norm_},
                                        rms_norm_properties(),
                                        {types_.tile({sequence, shape_.hidden})},
                                        at.at("custom-call")});
  at.enter("lm_head");
  const ValueId logits = graph.add_one({"ttnn.matmul",
                                        {normal, head_},
                                        matmul_properties(true),
                                        {types_.tile({sequence, words})},
                                        at.at("dot")});
  const ValueId last = graph.add_one({"ttnn.slice_static",
                                      {logits},
                                      slice_properties({sequence - 1, 0}, {sequence, words}),
                                      {types_.tile({1, words})},
                                      at.at("slice")});
  outputs_.push_back(graph.add_one({"ttnn.typecast",
                                    {logits},
                                    dtype_properties(Element::kF32),
                                    {types_.tile({sequence, words}, Element::kF32)},
                                    at.at("convert")}));
  append_sampler(context, last);
}

/// The best words, and a function the compiler left to the CPU.
void MainBuilder::append_sampler(ModelContext& context, ValueId logits) {
  constexpr std::int64_t kKept = 8;
  const Shape kept{1, kKept};
  const std::int64_t words = shape_.vocabulary;
  GraphBuilder& graph = context.graph;
  LocationNames& at = context.locations;
  at.enter("sampler");
  const std::vector<ValueId> sorted =
      graph.add({"ttnn.sort",
                 {logits},
                 " <{descending = true, dim = -1 : si8, stable = false}>",
                 {types_.tile({1, words}), types_.tile({1, words}, Element::kUi32)},
                 at.at("sort")});
  const auto first_words = [&](ValueId value, Element element) {
    return graph.add_one({"ttnn.slice_static",
                          {value},
                          slice_properties({0, 0}, kept),
                          {types_.tile(kept, element)},
                          at.at("slice")});
  };
  const ValueId scores = first_words(sorted[0], Element::kBf16);
  const ValueId indices = first_words(sorted[1], Element::kUi32);
  outputs_.push_back(graph.add_one({"ttnn.typecast",
                                    {indices},
                                    dtype_properties(Element::kSi32),
                                    {types_.tile(kept, Element::kSi32)},
                                    at.at("convert")}));
  const ValueId on_host =
      graph.add_one({"ttnn.from_device", {scores}, "", {types_.host_tile(kept)}, unknown_location()});
  const ValueId flat = graph.add_one(
      {"ttnn.to_layout", {on_host}, layout_properties(false), {types_.host_rows(kept)}, unknown_location()});
  const OpSpec call{"", {flat}, "", {types_.host_rows(kept, Element::kF32)}, at.at("call")};
  outputs_.push_back(graph.call_cpu("cpu_hoisted_sample_139709bc", call).front());
}

}  // namespace

std::unique_ptr<Workload> build_workload(const ModelShape& shape, const Device& device) {
  auto workload = std::make_unique<Workload>();
  ModelTypes types(workload->types, device);
  if (shape.compact) {
    build_compact_main(*workload, types, shape);
  } else {
    MainBuilder(*workload, types, shape).build();
  }
  return workload;
}

}  // namespace ttscope::gen_log
