// Functions over weights that the runtime executes once and whose results it keeps on the device.
#include "model.h"

namespace ttscope::gen_log {

namespace {

constexpr DeallocationPolicy kConstEvalPolicy{DeallocationPolicy::Arguments::kNone, true, false};

std::string function_name(std::size_t index) { return "main_const_eval_" + std::to_string(index); }

ValueId add_argument(GraphBuilder& graph, const TensorType* type) {
  Argument argument;
  argument.type = type;
  return graph.argument(std::move(argument));
}

ValueId get_device(GraphBuilder& graph, ModelTypes& types) {
  return graph.add_one(
      {"ttnn.get_device", {}, get_device_properties(), {types.device_handle()}, unknown_location()});
}

ValueId permuted(GraphBuilder& graph, ModelTypes& types, ValueId weight) {
  const Shape& shape = graph.type_of(weight)->spec.shape;
  return graph.add_one({"ttnn.permute",
                        {weight},
                        permute_properties({1, 0}),
                        {types.tile({shape[1], shape[0]})},
                        named_location("transpose." + std::to_string(31 + weight))});
}

ValueId as_block_float(GraphBuilder& graph, ModelTypes& types, ValueId weight) {
  return graph.add_one({"ttnn.typecast",
                        {weight},
                        dtype_properties(Element::kBfp8),
                        {types.tile(graph.type_of(weight)->spec.shape, Element::kBfp8)},
                        unknown_location()});
}

}  // namespace

Program position_const_eval(std::size_t index, ModelTypes& types, const ModelShape& shape) {
  GraphBuilder graph(function_name(index));
  const ValueId device = get_device(graph, types);
  const TensorType* flat = types.tile({shape.cache_length}, Element::kSi32);
  const ValueId range =
      graph.add_one({"ttnn.constant", {device}, constant_properties(*flat), {flat}, unknown_location()});
  const Shape wide{1, 1, 1, shape.cache_length};
  const ValueId result = graph.add_one({"ttnn.reshape",
                                        {range},
                                        reshape_properties(wide),
                                        {types.tile(wide, Element::kSi32)},
                                        nested_location("reshape.232_tm1", "reshape.232")});
  return graph.finish({result}, kConstEvalPolicy);
}

Program rope_const_eval(std::size_t index, ModelTypes& types, const ModelShape& shape) {
  GraphBuilder graph(function_name(index));
  const Shape frequencies{shape.head_size() / 2};
  const ValueId source = add_argument(graph, types.tile(frequencies, Element::kF32));
  const ValueId device = get_device(graph, types);
  const ValueId on_host = graph.add_one(
      {"ttnn.from_device", {source}, "", {types.host_tile(frequencies, Element::kF32)}, unknown_location()});
  const ValueId flat = graph.add_one({"ttnn.to_layout",
                                      {on_host},
                                      layout_properties(false),
                                      {types.host_rows(frequencies, Element::kF32)},
                                      unknown_location()});
  const Shape table{1, 1, shape.sequence, shape.head_size()};
  const std::vector<ValueId> computed =
      graph.call_cpu("cpu_hoisted_const_eval_354902e9",
                     {"", {flat}, "", {types.host_rows(table), types.host_rows(table)}, unknown_location()});
  std::vector<ValueId> results;
  for (const ValueId value : computed) {
    const ValueId tiled = graph.add_one(
        {"ttnn.to_layout", {value}, layout_properties(true), {types.host_tile(table)}, unknown_location()});
    const TensorType* target = types.tile(table);
    results.push_back(graph.add_one({"ttnn.to_device",
                                     {tiled, device},
                                     memory_config_properties(*target),
                                     {target},
                                     unknown_location()}));
  }
  return graph.finish(std::move(results), kConstEvalPolicy);
}

Program transposed_weight_const_eval(std::size_t index, ModelTypes& types, const TensorType* weight) {
  GraphBuilder graph(function_name(index));
  const ValueId source = add_argument(graph, weight);
  const ValueId turned = permuted(graph, types, source);
  return graph.finish({as_block_float(graph, types, turned)}, kConstEvalPolicy);
}

Program key_value_const_eval(std::size_t index, ModelTypes& types, const TensorType* weight) {
  GraphBuilder graph(function_name(index));
  const ValueId key = add_argument(graph, weight);
  const ValueId value = add_argument(graph, weight);
  const ValueId turned_key = permuted(graph, types, key);
  const ValueId turned_value = permuted(graph, types, value);
  const Shape& shape = graph.type_of(turned_key)->spec.shape;
  const ValueId both = graph.add_one({"ttnn.concat",
                                      {turned_key, turned_value},
                                      dim_properties("dim", 1),
                                      {types.tile({shape[0], 2 * shape[1]})},
                                      named_location("transpose.134")});
  return graph.finish({both}, kConstEvalPolicy);
}

Program block_float_const_eval(std::size_t index, ModelTypes& types,
                               const std::vector<const TensorType*>& weights) {
  GraphBuilder graph(function_name(index));
  std::vector<ValueId> sources;
  std::vector<ValueId> copies;
  for (const TensorType* weight : weights) sources.push_back(add_argument(graph, weight));
  for (const ValueId source : sources) copies.push_back(as_block_float(graph, types, source));
  return graph.finish(std::move(copies), kConstEvalPolicy);
}

}  // namespace ttscope::gen_log
