#include <ttscope/models.h>

#include "bindings.h"

namespace py = pybind11;

namespace ttscope::python {
namespace {

using namespace ttscope::train;

/// An observer written in Python: methods that it does not have are not called.
class PythonObserver final : public TrainingObserver {
 public:
  explicit PythonObserver(py::object observer) : observer_(std::move(observer)) {}

  void begin_phase(const std::string& name) override { call("begin_phase", name); }
  void end_phase(const std::string& name) override { call("end_phase", name); }
  void on_model(const LanguageModel& model) override { call("on_model", &model); }
  void on_step(std::uint32_t step) override { call("on_step", step); }

 private:
  template <typename Argument>
  void call(const char* method, const Argument& argument) {
    if (!py::hasattr(observer_, method)) return;
    if constexpr (std::is_pointer_v<Argument>) {
      observer_.attr(method)(py::cast(argument, py::return_value_policy::reference));
    } else {
      observer_.attr(method)(argument);
    }
  }
  py::object observer_;
};

void bind_configs(py::module_& module) {
  py::enum_<ModelFamily>(module, "ModelFamily")
      .value("GPT", ModelFamily::kGpt)
      .value("LLAMA", ModelFamily::kLlama);
  py::enum_<OptimizerKind>(module, "OptimizerKind")
      .value("ADAMW", OptimizerKind::kAdamW)
      .value("ADAMW_FULL_PRECISION", OptimizerKind::kAdamWFullPrecision)
      .value("ADAMW_COMPOSITE", OptimizerKind::kAdamWComposite)
      .value("MOREH_ADAMW", OptimizerKind::kMorehAdamW)
      .value("SGD", OptimizerKind::kSgd)
      .value("NONE", OptimizerKind::kNone)
      .value("MUON", OptimizerKind::kMuon)
      .value("MUON_WITH_ADAMW", OptimizerKind::kMuonWithAdamW);
  py::class_<ModelConfig>(module, "ModelConfig")
      .def(py::init<>())
      .def_readwrite("name", &ModelConfig::name)
      .def_readwrite("family", &ModelConfig::family)
      .def_readwrite("vocabulary", &ModelConfig::vocabulary)
      .def_readwrite("sequence_length", &ModelConfig::sequence_length)
      .def_readwrite("width", &ModelConfig::width)
      .def_readwrite("heads", &ModelConfig::heads)
      .def_readwrite("groups", &ModelConfig::groups)
      .def_readwrite("head_size", &ModelConfig::head_size)
      .def_readwrite("head_norms", &ModelConfig::head_norms)
      .def_readwrite("attention_bias", &ModelConfig::attention_bias)
      .def_readwrite("blocks", &ModelConfig::blocks)
      .def_readwrite("intermediate", &ModelConfig::intermediate)
      .def_readwrite("dropout", &ModelConfig::dropout)
      .def_readwrite("recompute", &ModelConfig::recompute)
      .def_readwrite("tied_weights", &ModelConfig::tied_weights)
      .def_readwrite("composite", &ModelConfig::composite)
      .def_readwrite("tensor_parallel", &ModelConfig::tensor_parallel);
  py::class_<OptimizerConfig>(module, "OptimizerConfig")
      .def(py::init<>())
      .def_readwrite("kind", &OptimizerConfig::kind)
      .def_readwrite("amsgrad", &OptimizerConfig::amsgrad)
      .def_readwrite("kahan_summation", &OptimizerConfig::kahan_summation)
      .def_readwrite("momentum", &OptimizerConfig::momentum)
      .def_readwrite("newton_schulz", &OptimizerConfig::newton_schulz)
      .def_readwrite("adamw_modules", &OptimizerConfig::adamw_modules);
  py::class_<TrainingConfig>(module, "TrainingConfig")
      .def(py::init<>())
      .def_readwrite("model", &TrainingConfig::model)
      .def_readwrite("optimizer", &TrainingConfig::optimizer)
      .def_readwrite("batch", &TrainingConfig::batch)
      .def_readwrite("accumulation", &TrainingConfig::accumulation)
      .def_readwrite("data_parallel", &TrainingConfig::data_parallel)
      .def_readwrite("clip_gradients", &TrainingConfig::clip_gradients);
}

}  // namespace

void bind_models(py::module_& module) {
  auto train = module.attr("train").cast<py::module_>();
  bind_configs(train);
  py::class_<LanguageModel>(train, "LanguageModel")
      .def("__call__", &LanguageModel::operator(), py::arg("tokens"), py::arg("mask") = TensorPtr())
      .def("parameters", &LanguageModel::parameters)
      .def("parameter_count", &LanguageModel::parameter_count);
  train.def("make_model", &make_model, py::arg("device"), py::arg("config"));
  train.def(
      "make_optimizer",
      [](const OptimizerConfig& config, const NamedTensors& parameters) {
        return make_optimizer(config, parameters);
      },
      py::arg("config"), py::arg("parameters"));
  train.def(
      "run_training",
      [](const sim::Device& device, const TrainingConfig& config, std::uint32_t steps, py::object observer) {
        PythonObserver told(std::move(observer));
        run_training(device, config, steps, told);
      },
      py::arg("device"), py::arg("config"), py::arg("steps"), py::arg("observer") = py::none());
}

}  // namespace ttscope::python
