#include <pybind11/functional.h>
#include <ttscope/modules.h>

#include "bindings.h"

namespace py = pybind11;

namespace ttscope::python {
namespace {

using namespace ttscope::train;

void bind_autograd(py::module_& module) {
  py::class_<Tensor, TensorPtr>(module, "Tensor")
      .def(py::init<sim::Tensor, bool>(), py::arg("value"), py::arg("requires_gradient") = true)
      .def_property_readonly("value", &Tensor::value)
      .def_property_readonly("shape", &Tensor::shape)
      .def_property_readonly("grad",
                             [](const Tensor& tensor) -> std::optional<sim::Tensor> {
                               if (!tensor.has_grad()) return std::nullopt;
                               return tensor.grad();
                             })
      .def("set_grad", &Tensor::set_grad, py::arg("grad"))
      .def("clear_grad", &Tensor::clear_grad)
      .def("backward", &Tensor::backward, py::arg("retain_graph") = false);
  module.def("reset_graph", [] { Graph::current().reset(); });
  module.def("gradients_enabled", [] { return Graph::current().gradients_enabled(); });
  module.def("enable_gradients", [](bool enabled) { Graph::current().enable_gradients(enabled); },
             py::arg("enabled"));
  module.def("recompute", &recompute, py::arg("forward"), py::arg("input"));
}

void bind_train_ops(py::module_& module) {
  module.def("add", &add, py::arg("a"), py::arg("b"));
  module.def("multiply", py::overload_cast<const TensorPtr&, const TensorPtr&>(&multiply), py::arg("a"), py::arg("b"));
  module.def("multiply", py::overload_cast<const TensorPtr&, float>(&multiply), py::arg("a"), py::arg("scalar"));
  module.def("relu", &relu, py::arg("x"));
  module.def("gelu", &gelu, py::arg("x"));
  module.def("silu", &silu, py::arg("x"));
  module.def("softmax", &softmax, py::arg("x"));
  module.def("mean", &mean, py::arg("x"));
  module.def("dropout", &dropout, py::arg("x"), py::arg("probability"));
  module.def("linear", &linear, py::arg("x"), py::arg("weight"), py::arg("bias") = TensorPtr());
  module.def("matmul", &matmul, py::arg("a"), py::arg("b"));
  module.def("embedding", &embedding, py::arg("tokens"), py::arg("weight"));
  module.def("layer_norm", &layer_norm, py::arg("x"), py::arg("gamma"), py::arg("beta"));
  module.def("rms_norm", &rms_norm, py::arg("x"), py::arg("gamma"));
  module.def("cross_entropy_loss", &cross_entropy_loss, py::arg("logits"), py::arg("targets"));
  module.def("attention", &attention, py::arg("query"), py::arg("key"), py::arg("value"),
             py::arg("mask") = TensorPtr());
  module.def("fuse_heads", &fuse_heads, py::arg("heads"));
  module.def(
      "create_heads",
      [](const TensorPtr& query, const TensorPtr& key_value, std::uint32_t heads, std::uint32_t groups) {
        const HeadTensors made = create_heads(query, key_value, heads, groups);
        return std::make_tuple(made.query, made.key, made.value);
      },
      py::arg("query"), py::arg("key_value"), py::arg("heads"), py::arg("groups"));
  module.def(
      "split_heads",
      [](const TensorPtr& query_key_value, std::uint32_t heads) {
        const HeadTensors made = create_heads(query_key_value, heads);
        return std::make_tuple(made.query, made.key, made.value);
      },
      py::arg("query_key_value"), py::arg("heads"));
  py::class_<RotaryTables>(module, "RotaryTables");
  module.def("make_rotary_tables", &make_rotary_tables, py::arg("device"), py::arg("sequence_length"),
             py::arg("head_size"));
  module.def("rotary_embedding", &rotary_embedding, py::arg("x"), py::arg("tables"));
  module.def("all_reduce", &all_reduce, py::arg("x"), py::arg("chips"));
  module.def("all_gather", &all_gather, py::arg("x"), py::arg("dim"), py::arg("chips"));
}

template <typename Layer>
py::class_<Layer> bind_layer(py::module_& module, const char* name) {
  return py::class_<Layer>(module, name)
      .def("__call__", &Layer::operator(), py::arg("x"))
      .def("parameters", &Layer::parameters);
}

void bind_modules(py::module_& module) {
  module.def("random_parameter", &random_parameter, py::arg("device"), py::arg("shape"));
  bind_layer<Linear>(module, "Linear")
      .def(py::init<const sim::Device&, std::uint32_t, std::uint32_t, bool>(), py::arg("device"), py::arg("inputs"),
           py::arg("outputs"), py::arg("has_bias") = true);
  bind_layer<Embedding>(module, "Embedding")
      .def(py::init<const sim::Device&, std::uint32_t, std::uint32_t>(), py::arg("device"), py::arg("entries"),
           py::arg("width"));
  bind_layer<LayerNorm>(module, "LayerNorm")
      .def(py::init<const sim::Device&, std::uint32_t>(), py::arg("device"), py::arg("width"));
  bind_layer<RmsNorm>(module, "RmsNorm")
      .def(py::init<const sim::Device&, std::uint32_t>(), py::arg("device"), py::arg("width"));
  py::class_<Optimizer>(module, "Optimizer").def("step", &Optimizer::step).def("zero_grad", &Optimizer::zero_grad);
  py::class_<Sgd, Optimizer>(module, "Sgd").def(py::init<NamedTensors>(), py::arg("parameters"));
  py::class_<AdamW, Optimizer>(module, "AdamW").def(py::init<const NamedTensors&>(), py::arg("parameters"));
}

}  // namespace

void bind_train(py::module_& module) {
  auto train = module.def_submodule("train");
  bind_autograd(train);
  bind_train_ops(train);
  bind_modules(train);
}

}  // namespace ttscope::python
