#include <ttscope/ops.h>

#include "bindings.h"

namespace py = pybind11;

namespace ttscope::python {
namespace {

using namespace ttscope::sim;

using Maker = Tensor (*)(const Device&, const TensorSpec&);

void bind_maker(py::module_& module, const char* name, Maker maker) {
  module.def(
      name,
      [maker](const Device& device, const Shape& shape, DataType dtype, Layout layout,
              const MemoryConfig& memory) {
        return maker(device, {shape, dtype, layout, memory});
      },
      py::arg("device"), py::arg("shape"), py::arg("dtype") = DataType::kBfloat16,
      py::arg("layout") = Layout::kTile, py::arg("memory") = MemoryConfig());
}

void bind_movement(py::module_& module) {
  bind_maker(module, "empty", &empty);
  bind_maker(module, "full", &full);
  bind_maker(module, "from_host", &from_host);
  module.def("full_like", &full_like, py::arg("tensor"));
  module.def("to_memory_config", &to_memory_config, py::arg("tensor"), py::arg("memory"));
  module.def("to_layout", &to_layout, py::arg("tensor"), py::arg("layout"));
  module.def("typecast", &typecast, py::arg("tensor"), py::arg("dtype"));
  module.def("reshape", &reshape, py::arg("tensor"), py::arg("shape"));
  module.def("transpose", &transpose, py::arg("tensor"));
  module.def("concat", &concat, py::arg("tensors"), py::arg("dim"));
  module.def("slice", &slice, py::arg("tensor"), py::arg("dim"), py::arg("begin"), py::arg("end"));
  module.def("repeat", &repeat, py::arg("tensor"), py::arg("times"));
  module.def("all_gather", &all_gather, py::arg("tensor"), py::arg("dim"), py::arg("chips"));
  module.def("reduce_scatter", &reduce_scatter, py::arg("tensor"), py::arg("dim"), py::arg("chips"));
  module.def("all_reduce", &all_reduce, py::arg("tensor"), py::arg("chips"));
}

void bind_math(py::module_& module) {
  module.def("unary", &unary, py::arg("op"), py::arg("tensor"));
  module.def("unary_in_place", &unary_in_place, py::arg("op"), py::arg("tensor"));
  module.def("add_in_place", &add_in_place, py::arg("a"), py::arg("b"));
  module.def("binary", &binary, py::arg("op"), py::arg("a"), py::arg("b"));
  module.def("binary_scalar", &binary_scalar, py::arg("op"), py::arg("tensor"), py::arg("scalar"));
  module.def("add", &add, py::arg("a"), py::arg("b"));
  module.def("multiply", py::overload_cast<const Tensor&, const Tensor&>(&multiply), py::arg("a"),
             py::arg("b"));
  module.def("multiply", py::overload_cast<const Tensor&, float>(&multiply), py::arg("a"), py::arg("scalar"));
  module.def("sum", &sum, py::arg("tensor"), py::arg("dims"));
  module.def("mean", &mean, py::arg("tensor"));
  module.def(
      "matmul",
      [](const Tensor& a, const Tensor& b, bool transpose_a, bool transpose_b,
         const std::optional<MemoryConfig>& memory) {
        return matmul(a, b, {transpose_a, transpose_b, memory});
      },
      py::arg("a"), py::arg("b"), py::arg("transpose_a") = false, py::arg("transpose_b") = false,
      py::arg("memory") = std::nullopt);
  module.def("softmax", &softmax, py::arg("tensor"));
  module.def(
      "layer_norm",
      [](const Tensor& input, const Tensor& gamma, const Tensor& beta) {
        NormResult result = layer_norm(input, gamma, beta);
        return std::make_pair(result.output, result.statistics);
      },
      py::arg("input"), py::arg("gamma"), py::arg("beta"));
  module.def(
      "rms_norm",
      [](const Tensor& input, const Tensor& gamma) {
        NormResult result = rms_norm(input, gamma);
        return std::make_pair(result.output, result.statistics);
      },
      py::arg("input"), py::arg("gamma"));
  module.def("softmax_backward", &softmax_backward, py::arg("output"), py::arg("gradient"));
  module.def(
      "layer_norm_backward",
      [](const Tensor& gradient, const Tensor& input, const Tensor& gamma) {
        NormGradients made = layer_norm_backward(gradient, input, gamma);
        return std::make_pair(made.input, made.parameters);
      },
      py::arg("gradient"), py::arg("input"), py::arg("gamma"));
  module.def(
      "rms_norm_backward",
      [](const Tensor& gradient, const Tensor& input, const Tensor& gamma) {
        NormGradients made = rms_norm_backward(gradient, input, gamma);
        return std::make_pair(made.input, made.parameters);
      },
      py::arg("gradient"), py::arg("input"), py::arg("gamma"));
}

using HeadTuple = std::tuple<Tensor, Tensor, Tensor>;
HeadTuple tuple_of(const Heads& heads) { return {heads.query, heads.key, heads.value}; }

void bind_transformers(py::module_& module) {
  module.def("embedding", &embedding, py::arg("tokens"), py::arg("weight"));
  module.def("embedding_backward", &embedding_backward, py::arg("tokens"), py::arg("weight"),
             py::arg("gradient"));
  module.def(
      "create_heads",
      [](const Tensor& query, const Tensor& key_value, std::uint32_t heads, std::uint32_t groups) {
        return tuple_of(create_heads(query, key_value, heads, groups));
      },
      py::arg("query"), py::arg("key_value"), py::arg("heads"), py::arg("groups"));
  module.def(
      "create_heads",
      [](const Tensor& query_key_value, std::uint32_t heads, std::uint32_t groups) {
        return tuple_of(create_heads(query_key_value, heads, groups));
      },
      py::arg("query_key_value"), py::arg("heads"), py::arg("groups"));
  module.def("concat_heads", &concat_heads, py::arg("heads"));
  module.def("split_heads", &split_heads, py::arg("tensor"), py::arg("heads"));
  module.def("rotary_embedding", &rotary_embedding, py::arg("tensor"), py::arg("cosines"), py::arg("sines"));
  module.def(
      "attention_forward",
      [](const Tensor& query, const Tensor& key, const Tensor& value, const std::optional<Tensor>& mask) {
        AttentionResult made = attention_forward({query, key, value}, mask.value_or(Tensor()));
        return std::make_pair(made.output, made.statistics);
      },
      py::arg("query"), py::arg("key"), py::arg("value"), py::arg("mask") = std::nullopt);
  module.def(
      "attention_backward",
      [](const Tensor& gradient, const Tensor& output, const Tensor& statistics, const HeadTuple& heads,
         const std::optional<Tensor>& mask) {
        const auto& [query, key, value] = heads;
        return tuple_of(
            attention_backward(gradient, {output, statistics}, {query, key, value}, mask.value_or(Tensor())));
      },
      py::arg("gradient"), py::arg("output"), py::arg("statistics"), py::arg("heads"),
      py::arg("mask") = std::nullopt);
  module.def("silu_multiply", &silu_multiply, py::arg("linear"), py::arg("gate"));
  module.def("silu_multiply_backward", &silu_multiply_backward, py::arg("linear"), py::arg("gate"),
             py::arg("gradient"));
  module.def("cross_entropy", &cross_entropy, py::arg("logits"), py::arg("targets"));
  module.def("cross_entropy_backward", &cross_entropy_backward, py::arg("logits"), py::arg("targets"));
  module.def("cross_entropy_in_parts", &cross_entropy_in_parts, py::arg("logits"), py::arg("targets"),
             py::arg("chips"));
  module.def("cross_entropy_in_parts_backward", &cross_entropy_in_parts_backward, py::arg("logits"),
             py::arg("targets"));
  module.def("optimizer_step", &optimizer_step, py::arg("op"), py::arg("parameter"), py::arg("gradient"),
             py::arg("states"));
  module.def("attention", &attention, py::arg("query"), py::arg("key"), py::arg("value"));
  module.def("sgd_step", &sgd_step, py::arg("parameter"), py::arg("gradient"));
  module.def("adamw_step", &adamw_step, py::arg("parameter"), py::arg("gradient"), py::arg("first_moment"),
             py::arg("second_moment"));
}

}  // namespace

void bind_ops(py::module_& module) {
  auto simulated = module.attr("sim").cast<py::module_>();
  bind_movement(simulated);
  bind_math(simulated);
  bind_transformers(simulated);
}

}  // namespace ttscope::python
