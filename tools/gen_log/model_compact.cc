// A model with few ops, so that a sample log with two ranks and several runs stays small.
#include "model.h"

namespace ttscope::gen_log {

namespace {

class CompactBuilder {
 public:
  CompactBuilder(Workload& workload, ModelTypes& types, const ModelShape& shape)
      : workload_(workload), types_(types), shape_(shape), graph_("main") {}

  void build() {
    const ValueId ids = declare("args_0", types_.rows({shape_.batch, shape_.sequence}, Element::kUi32),
                                Argument::Kind::kInput);
    const ValueId table =
        declare("model.embed_tokens.weight", types_.rows({shape_.vocabulary, shape_.hidden}),
                Argument::Kind::kParameter);
    std::vector<LayerValues> layers;
    for (std::int64_t i = 0; i < shape_.layers; ++i) layers.push_back(declare_layer(i));
    for (LayerValues& layer : layers) layer.projection = block_float(layer.projection);
    graph_.begin_body();
    at_.enter("model/embed_tokens");
    ValueId hidden = graph_.add_one({"ttnn.embedding",
                                     {ids, table},
                                     "",
                                     {types_.tile({shape_.batch, shape_.sequence, shape_.hidden})},
                                     at_.at("gather")});
    for (std::size_t i = 0; i < layers.size(); ++i) hidden = append_layer(i, layers[i], hidden);
    outputs_.insert(outputs_.begin(), hidden);
    DeallocationPolicy policy{DeallocationPolicy::Arguments::kOfConstEval, false, shape_.keep_live};
    workload_.main = graph_.finish(std::move(outputs_), policy);
  }

 private:
  struct LayerValues {
    ValueId projection, key_cache;
  };

  ValueId declare(std::string name, const TensorType* type, Argument::Kind kind);
  LayerValues declare_layer(std::int64_t layer);
  ValueId block_float(ValueId weight);
  ValueId append_layer(std::size_t index, const LayerValues& values, ValueId hidden);
  ValueId append_l1_part(ValueId query, const std::string& path);

  Workload& workload_;
  ModelTypes& types_;
  const ModelShape& shape_;
  GraphBuilder graph_;
  LocationNames at_;
  std::vector<ValueId> outputs_;
};

ValueId CompactBuilder::declare(std::string name, const TensorType* type, Argument::Kind kind) {
  Argument argument;
  argument.kind = kind;
  argument.type = type;
  argument.kv_cache = name.find("_cache") != std::string::npos;
  argument.new_each_run = kind == Argument::Kind::kInput && !argument.kv_cache;
  argument.model_name = std::move(name);
  return graph_.argument(std::move(argument));
}

CompactBuilder::LayerValues CompactBuilder::declare_layer(std::int64_t layer) {
  const std::string path = "model.layers." + std::to_string(layer);
  const std::int64_t columns = (shape_.heads() + 2 * shape_.kv_heads()) * shape_.head_size();
  const ValueId projection = declare(path + ".self_attn.qkv_proj.weight",
                                     types_.tile({columns, shape_.hidden}), Argument::Kind::kParameter);
  const Shape cache{shape_.batch, shape_.kv_heads(), shape_.cache_length, shape_.head_size()};
  return {projection,
          declare("key_cache_" + std::to_string(layer), types_.tile(cache), Argument::Kind::kInput)};
}

ValueId CompactBuilder::block_float(ValueId weight) {
  const std::size_t index = workload_.const_evals.size();
  workload_.const_evals.push_back(block_float_const_eval(index, types_, {graph_.type_of(weight)}));
  return graph_.load_cached(index, workload_.const_evals.back(), {weight}).front();
}

ValueId CompactBuilder::append_layer(std::size_t index, const LayerValues& values, ValueId hidden) {
  const std::string path = "model/layers." + std::to_string(index);
  const TensorType* type = graph_.type_of(hidden);
  at_.enter(path + "/self_attn/qkv_proj");
  const std::int64_t columns = graph_.type_of(values.projection)->spec.shape.front();
  const ValueId projected = graph_.add_one({"ttnn.matmul",
                                            {hidden, values.projection},
                                            matmul_properties(true),
                                            {types_.tile({shape_.batch, shape_.sequence, columns})},
                                            at_.at("dot")});
  at_.enter(path + "/self_attn");
  const TensorType* wide = types_.tile({shape_.batch, shape_.heads(), shape_.sequence, shape_.head_size()});
  const TensorType* narrow =
      types_.tile({shape_.batch, shape_.kv_heads(), shape_.sequence, shape_.head_size()});
  const std::vector<ValueId> split = graph_.add({"ttnn.split_query_key_value_and_split_heads",
                                                 {projected},
                                                 split_heads_properties(shape_.heads(), shape_.kv_heads()),
                                                 {wide, narrow, narrow},
                                                 at_.at("transpose"),
                                                 {"%query", "%key", "%value"}});
  graph_.add({"ttnn.fill_cache",
              {values.key_cache, split[1]},
              " <{batch_offset = 0 : i32}>",
              {},
              at_.at("scatter")});
  outputs_.insert(outputs_.end(), split.begin() + 1, split.end());
  const ValueId result = append_l1_part(split[0], path + "/self_attn/softmax");
  if (static_cast<std::int64_t>(index) + 1 == shape_.layers) return result;
  return graph_.add_one({"ttnn.concatenate_heads", {result}, "", {type}, at_.at("reshape")});
}

/// Moves a tensor to sharded L1, works on it there, and brings it back to DRAM.
ValueId CompactBuilder::append_l1_part(ValueId query, const std::string& path) {
  const TensorType* dram = graph_.type_of(query);
  const TensorType* l1 = types_.l1_height(dram->spec.shape);
  at_.enter(path);
  const ValueId sharded = graph_.add_one({"ttnn.to_memory_config",
                                          {query},
                                          memory_config_properties(*l1),
                                          {l1},
                                          at_.derived("divide", "_reshard")});
  const ValueId softened =
      graph_.add_one({"ttnn.softmax", {sharded}, dim_properties("dimension", 3), {l1}, at_.at("divide")});
  const ValueId back = graph_.add_one({"ttnn.to_memory_config",
                                       {softened},
                                       memory_config_properties(*dram),
                                       {dram},
                                       at_.derived("divide", "_spill")});
  return back;
}

}  // namespace

void build_compact_main(Workload& workload, ModelTypes& types, const ModelShape& shape) {
  CompactBuilder(workload, types, shape).build();
}

}  // namespace ttscope::gen_log
