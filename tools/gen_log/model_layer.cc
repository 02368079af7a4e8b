// One decoder layer: attention with rotary embedding and caches, a part in sharded L1, the MLP.
#include "model.h"

namespace ttscope::gen_log {

namespace {

class LayerBuilder {
 public:
  LayerBuilder(ModelContext& context, const LayerInputs& inputs)
      : graph_(context.graph),
        types_(context.types),
        at_(context.locations),
        shape_(context.shape),
        in_(inputs),
        path_("model/layers." + std::to_string(inputs.index)) {}

  ValueId build() {
    const ValueId attended = attention();
    const ValueId middle = add(in_.hidden, attended, path_ + "/residual");
    const ValueId result = add(middle, mlp(middle), path_ + "/residual");
    return scaled_by_rows(result);
  }

 private:
  struct Heads {
    ValueId query, key, value;
  };

  ValueId add(ValueId a, ValueId b, const std::string& path);
  ValueId binary(const std::string& op, ValueId a, ValueId b);
  ValueId matmul(ValueId a, ValueId b, bool transpose_b);
  ValueId to_memory(ValueId value, const TensorType* target);
  ValueId reshape(ValueId value, const Shape& shape);
  ValueId norm(ValueId value, ValueId weight);
  ValueId half(ValueId value, bool upper);
  ValueId rotated(ValueId value);
  ValueId expanded(ValueId cache);
  Heads project();
  void store(const Heads& heads);
  ValueId weighted(const Heads& heads);
  ValueId attention();
  ValueId mlp(ValueId value);
  ValueId scaled_by_rows(ValueId value);

  GraphBuilder& graph_;
  ModelTypes& types_;
  LocationNames& at_;
  const ModelShape& shape_;
  const LayerInputs& in_;
  std::string path_;
};

ValueId LayerBuilder::binary(const std::string& op, ValueId a, ValueId b) {
  return graph_.add_one(
      {"ttnn." + op, {a, b}, dtype_properties(Element::kBf16), {graph_.type_of(a)}, at_.at(op)});
}

ValueId LayerBuilder::add(ValueId a, ValueId b, const std::string& path) {
  at_.enter(path);
  return binary("add", a, b);
}

ValueId LayerBuilder::matmul(ValueId a, ValueId b, bool transpose_b) {
  Shape shape = graph_.type_of(a)->spec.shape;
  const Shape& right = graph_.type_of(b)->spec.shape;
  shape.back() = transpose_b ? right[right.size() - 2] : right.back();
  return graph_.add_one(
      {"ttnn.matmul", {a, b}, matmul_properties(transpose_b), {types_.tile(shape)}, at_.at("dot")});
}

ValueId LayerBuilder::to_memory(ValueId value, const TensorType* target) {
  if (graph_.type_of(value) == target) return value;
  return graph_.add_one({"ttnn.to_memory_config",
                         {value},
                         memory_config_properties(*target),
                         {target},
                         at_.derived("dot", "_reshard")});
}

ValueId LayerBuilder::reshape(ValueId value, const Shape& shape) {
  return graph_.add_one({"ttnn.reshape",
                         {value},
                         reshape_properties(shape),
                         {types_.tile(shape, graph_.type_of(value)->spec.element)},
                         at_.at("reshape")});
}

ValueId LayerBuilder::norm(ValueId value, ValueId weight) {
  return graph_.add_one({"ttnn.rms_norm",
                         {value, weight},
                         rms_norm_properties(),
                         {graph_.type_of(value)},
                         at_.at("custom-call")});
}

/// Lower or upper half of every head.
ValueId LayerBuilder::half(ValueId value, bool upper) {
  Shape ends = graph_.type_of(value)->spec.shape;
  Shape begins(ends.size(), 0);
  const std::int64_t middle = ends.back() / 2;
  (upper ? begins : ends).back() = middle;
  Shape shape = ends;
  shape.back() = middle;
  return graph_.add_one(
      {"ttnn.slice_static", {value}, slice_properties(begins, ends), {types_.tile(shape)}, at_.at("slice")});
}

ValueId LayerBuilder::rotated(ValueId value) {
  at_.enter(path_ + "/self_attn/rotary_emb");
  const ValueId upper = half(value, true);
  const ValueId negated =
      graph_.add_one({"ttnn.neg", {upper}, "", {graph_.type_of(upper)}, at_.derived("subtract", "_neg")});
  const ValueId lower = half(value, false);
  const ValueId turned = graph_.add_one({"ttnn.concat",
                                         {negated, lower},
                                         dim_properties("dim", 3),
                                         {graph_.type_of(value)},
                                         at_.at("concatenate")});
  const ValueId straight_part = binary("multiply", value, in_.shared.cosine);
  const ValueId turned_part = binary("multiply", turned, in_.shared.sine);
  return binary("add", straight_part, turned_part);
}

LayerBuilder::Heads LayerBuilder::project() {
  at_.enter(path_ + "/input_layernorm");
  const ValueId normal = norm(in_.hidden, in_.arguments.input_norm);
  at_.enter(path_ + "/self_attn/q_proj");
  const ValueId query = matmul(normal, in_.constants.query_weight, false);
  const ValueId query_rows = reshape(query, {1, shape_.sequence, shape_.hidden});
  at_.enter(path_ + "/self_attn/k_proj");
  const ValueId both = matmul(normal, in_.constants.key_value_weight, false);
  const ValueId both_rows = reshape(both, {1, shape_.sequence, graph_.type_of(both)->spec.shape.back()});
  at_.enter(path_ + "/self_attn");
  const TensorType* wide = types_.tile({1, shape_.heads(), shape_.sequence, shape_.head_size()});
  const TensorType* narrow = types_.tile({1, shape_.kv_heads(), shape_.sequence, shape_.head_size()});
  const std::string product = at_.name("dot");
  const std::string turn = at_.name("transpose");
  const std::vector<ValueId> split = graph_.add({"ttnn.split_query_key_value_and_split_heads",
                                                 {query_rows, both_rows},
                                                 split_heads_properties(shape_.heads(), shape_.kv_heads()),
                                                 {wide, narrow, narrow},
                                                 fused_location(product, turn),
                                                 {"%query", "%key", "%value"}});
  return {rotated(split[0]), rotated(split[1]), split[2]};
}

/// Both caches are written in place: the ops have no result.
void LayerBuilder::store(const Heads& heads) {
  at_.enter(path_ + "/self_attn/cache");
  graph_.add({"ttnn.fill_cache",
              {in_.arguments.key_cache, heads.key},
              " <{batch_offset = 0 : i32}>",
              {},
              at_.at("scatter")});
  const Shape one{1, shape_.kv_heads(), 1, shape_.head_size()};
  const ValueId newest = graph_.add_one({"ttnn.slice_static",
                                         {heads.value},
                                         slice_properties({0, 0, 0, 0}, one),
                                         {types_.tile(one)},
                                         at_.at("slice")});
  graph_.add({"ttnn.update_cache",
              {in_.arguments.value_cache, newest, in_.shared.position},
              " <{batch_offset = 0 : i32}>",
              {},
              callsite_location(at_.name("scatter"), "decode")});
}

ValueId LayerBuilder::expanded(ValueId cache) {
  Shape shape = graph_.type_of(cache)->spec.shape;
  shape[1] = shape_.heads();
  const std::string repeats = std::to_string(shape_.heads() / shape_.kv_heads());
  return graph_.add_one({"ttnn.repeat_interleave",
                         {cache},
                         " <{dim = 1 : si32, repeats = " + repeats + " : ui32}>",
                         {types_.tile(shape)},
                         at_.at("broadcast")});
}

/// Every other layer is attention that the compiler could not fuse.
ValueId LayerBuilder::weighted(const Heads& heads) {
  at_.enter(path_ + "/self_attn/sdpa");
  const ValueId keys = expanded(in_.arguments.key_cache);
  const ValueId values = expanded(in_.arguments.value_cache);
  if (in_.index % 2 == 0) {
    return graph_.add_one({"ttnn.scaled_dot_product_attention",
                           {heads.query, keys, values, in_.shared.mask},
                           attention_properties(),
                           {graph_.type_of(heads.query)},
                           at_.at("custom-call")});
  }
  const ValueId scores = matmul(heads.query, keys, true);
  const ValueId masked = binary("add", scores, in_.shared.mask);
  const TensorType* wide = types_.tile(graph_.type_of(masked)->spec.shape, Element::kF32);
  const ValueId exact =
      graph_.add_one({"ttnn.typecast", {masked}, dtype_properties(Element::kF32), {wide}, at_.at("convert")});
  const ValueId chances =
      graph_.add_one({"ttnn.softmax", {exact}, dim_properties("dimension", 3), {wide}, at_.at("divide")});
  const ValueId rounded = graph_.add_one({"ttnn.typecast",
                                          {chances},
                                          dtype_properties(Element::kBf16),
                                          {graph_.type_of(masked)},
                                          at_.derived("convert", "_workaround")});
  return matmul(rounded, values, false);
}

ValueId LayerBuilder::attention() {
  const Heads heads = project();
  store(heads);
  const ValueId result = weighted(heads);
  const Shape flat{1, shape_.sequence, shape_.hidden};
  const ValueId sharded = to_memory(result, types_.l1_height(graph_.type_of(result)->spec.shape));
  const ValueId joined =
      graph_.add_one({"ttnn.concatenate_heads", {sharded}, "", {types_.tile(flat)}, at_.at("reshape")});
  at_.enter(path_ + "/self_attn/o_proj");
  return matmul(reshape(joined, {shape_.sequence, shape_.hidden}), in_.arguments.output, true);
}

ValueId LayerBuilder::mlp(ValueId value) {
  at_.enter(path_ + "/post_attention_layernorm");
  const TensorType* dram = graph_.type_of(value);
  const ValueId sharded = to_memory(value, types_.l1_block(dram->spec.shape));
  const ValueId normal = to_memory(norm(sharded, in_.arguments.post_norm), dram);
  at_.enter(path_ + "/mlp/gate_proj");
  const ValueId gate = matmul(normal, in_.constants.gate_weight, true);
  const TensorType* wide = graph_.type_of(gate);
  const TensorType* wide_l1 = types_.l1_block(wide->spec.shape);
  at_.enter(path_ + "/mlp/act_fn");
  const ValueId gate_l1 = to_memory(gate, wide_l1);
  const ValueId active = graph_.add_one({"ttnn.silu", {gate_l1}, "", {wide_l1}, at_.at("logistic")});
  at_.enter(path_ + "/mlp/up_proj");
  const ValueId up = to_memory(matmul(normal, in_.constants.up_weight, true), wide_l1);
  const ValueId product = to_memory(binary("multiply", active, up), wide);
  at_.enter(path_ + "/mlp/down_proj");
  return matmul(product, in_.arguments.down, true);
}

/// One figure for each row, as four-dimensional tensors: each row fills its own tiles, 31 of 32 rows are
/// padding.
ValueId LayerBuilder::scaled_by_rows(ValueId value) {
  at_.enter(path_ + "/row_scale");
  const Shape shape = graph_.type_of(value)->spec.shape;
  const ValueId tall = reshape(value, {1, shape_.sequence, 1, shape_.hidden});
  const TensorType* single = types_.tile({1, shape_.sequence, 1, 1}, Element::kF32);
  const ValueId average =
      graph_.add_one({"ttnn.mean", {tall}, reduce_properties(3), {single}, at_.derived("reduce", "_mean")});
  const ValueId scale = graph_.add_one({"ttnn.rsqrt",
                                        {average},
                                        "",
                                        {types_.l1_interleaved({1, shape_.sequence, 1, 1}, Element::kF32)},
                                        at_.at("rsqrt")});
  return reshape(binary("multiply", tall, scale), shape);
}

}  // namespace

ValueId append_layer(ModelContext& context, const LayerInputs& inputs) {
  return LayerBuilder(context, inputs).build();
}

}  // namespace ttscope::gen_log
