#include <pybind11/functional.h>
#include <ttscope/memory_owner.h>
#include <ttscope/modules.h>

#include "bindings.h"

namespace py = pybind11;

namespace ttscope::python {
namespace {

using namespace ttscope::train;

/// None is no tensor.
py::arg given(const char* name) { return py::arg(name).none(false); }

void bind_autograd(py::module_& module) {
  py::class_<Tensor, TensorPtr>(module, "Tensor")
      .def(py::init<sim::Tensor, bool>(), given("value"), py::arg("requires_gradient") = true)
      .def_property_readonly("value", &Tensor::value)
      .def_property_readonly("shape", &Tensor::shape)
      .def_property_readonly("grad",
                             [](const Tensor& tensor) -> std::optional<sim::Tensor> {
                               if (!tensor.has_grad()) return std::nullopt;
                               return tensor.grad();
                             })
      .def("set_grad", &Tensor::set_grad, given("grad"))
      .def("add_grad", &Tensor::add_grad, given("grad"))
      .def_property("requires_gradient", &Tensor::requires_gradient, &Tensor::set_requires_gradient)
      .def("clear_grad", &Tensor::clear_grad)
      .def("backward", &Tensor::backward, py::arg("retain_graph") = false)
      .def("__repr__", [](const Tensor& tensor) {
        return "Tensor(" + tensor.shape().text() + ", " + std::string(sim::name_of(tensor.value().dtype())) +
               (tensor.has_grad() ? ", with a gradient)" : ")");
      });
  module.def(
      "add_node",
      [](const TensorPtr& output, const GradFunction& gradient, const std::vector<TensorPtr>& inputs) {
        output->set_node(Graph::current().add_node(gradient, inputs));
      },
      given("output"), given("gradient"), given("inputs"),
      "Says how the gradient of an output goes to its inputs; Function is the comfortable form.");
  module.def(
      "name_parameter",
      [](const TensorPtr& parameter, const std::string& name) {
        sim::set_owner(parameter->value(), {sim::MemoryKind::kWeight, name});
      },
      given("parameter"), given("name"), "What captures call the memory of a parameter.");
  module.def("reset_graph", [] { Graph::current().reset(); });
  module.def("gradients_enabled", [] { return Graph::current().gradients_enabled(); });
  module.def(
      "enable_gradients", [](bool enabled) { Graph::current().enable_gradients(enabled); }, given("enabled"));
  module.def("recompute", &recompute, given("forward"), given("input"));
}

void bind_train_ops(py::module_& module) {
  module.def("add", &add, given("a"), given("b"));
  module.def("multiply", py::overload_cast<const TensorPtr&, const TensorPtr&>(&multiply), given("a"),
             given("b"));
  module.def("multiply", py::overload_cast<const TensorPtr&, float>(&multiply), given("a"), given("scalar"));
  module.def("relu", &relu, given("x"));
  module.def("gelu", &gelu, given("x"));
  module.def("silu", &silu, given("x"));
  module.def("softmax", &softmax, given("x"));
  module.def("mean", &mean, given("x"));
  module.def("dropout", &dropout, given("x"), given("probability"));
  module.def("linear", &linear, given("x"), given("weight"), py::arg("bias") = TensorPtr());
  module.def("matmul", &matmul, given("a"), given("b"));
  module.def("embedding", &embedding, given("tokens"), given("weight"));
  module.def("layer_norm", &layer_norm, given("x"), given("gamma"), given("beta"));
  module.def("rms_norm", &rms_norm, given("x"), given("gamma"));
  module.def("cross_entropy", &cross_entropy, given("logits"), given("targets"), py::arg("chips") = 1);
  module.def("cross_entropy_loss", &cross_entropy_loss, given("logits"), given("targets"));
  module.def("swiglu", &swiglu, given("x"), given("w1"), given("w2"), given("w3"),
             py::arg("dropout_probability") = 0.0F);
  module.def("attention_composite", &attention_composite, given("query"), given("key"), given("value"),
             py::arg("mask") = TensorPtr());
  module.def("attention", &attention, given("query"), given("key"), given("value"),
             py::arg("mask") = TensorPtr());
  module.def("fuse_heads", &fuse_heads, given("heads"));
  module.def(
      "create_heads",
      [](const TensorPtr& query, const TensorPtr& key_value, std::uint32_t heads, std::uint32_t groups) {
        const HeadTensors made = create_heads(query, key_value, heads, groups);
        return std::make_tuple(made.query, made.key, made.value);
      },
      given("query"), given("key_value"), given("heads"), given("groups"));
  module.def(
      "create_heads",
      [](const TensorPtr& query_key_value, std::uint32_t heads) {
        const HeadTensors made = create_heads(query_key_value, heads);
        return std::make_tuple(made.query, made.key, made.value);
      },
      given("query_key_value"), given("heads"));
  py::class_<RotaryTables>(module, "RotaryTables");
  module.def("make_rotary_tables", &make_rotary_tables, given("device"), given("sequence_length"),
             given("head_size"));
  module.def("rotary_embedding", &rotary_embedding, given("x"), given("tables"));
  module.def("broadcast", &broadcast, given("x"), given("chips"));
  module.def("all_reduce", &all_reduce, given("x"), given("chips"));
  module.def("all_gather", &all_gather, given("x"), given("dim"), given("chips"));
}

template <typename Layer>
py::class_<Layer> bind_layer(py::module_& module, const char* name) {
  return py::class_<Layer>(module, name)
      .def("__call__", &Layer::operator(), given("x"))
      .def("parameters", &Layer::parameters)
      .def("parameter_count", &Layer::parameter_count);
}

void bind_modules(py::module_& module) {
  module.def("random_parameter", &random_parameter, given("device"), given("shape"));
  bind_layer<Linear>(module, "Linear")
      .def(py::init<const sim::Device&, std::uint32_t, std::uint32_t, bool>(), given("device"),
           given("inputs"), given("outputs"), py::arg("has_bias") = true)
      .def_property_readonly("weight", &Linear::weight);
  bind_layer<Embedding>(module, "Embedding")
      .def(py::init<const sim::Device&, std::uint32_t, std::uint32_t>(), given("device"), given("entries"),
           given("width"));
  bind_layer<LayerNorm>(module, "LayerNorm")
      .def(py::init<const sim::Device&, std::uint32_t>(), given("device"), given("width"));
  bind_layer<RmsNorm>(module, "RmsNorm")
      .def(py::init<const sim::Device&, std::uint32_t>(), given("device"), given("width"));
  py::class_<Optimizer>(module, "Optimizer")
      .def("step", &Optimizer::step)
      .def("zero_grad", &Optimizer::zero_grad);
  py::class_<Sgd, Optimizer>(module, "Sgd")
      .def(py::init<const NamedTensors&, float>(), given("parameters"), py::arg("momentum") = 0.0F);
  py::class_<AdamW, Optimizer>(module, "AdamW").def(py::init<const NamedTensors&>(), given("parameters"));
}

}  // namespace

void bind_train(py::module_& module) {
  auto train = module.def_submodule("train");
  bind_autograd(train);
  bind_train_ops(train);
  bind_modules(train);
}

}  // namespace ttscope::python
