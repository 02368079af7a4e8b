#include "bindings.h"

PYBIND11_MODULE(_core, module) {
  module.doc() = "The native part of ttscope; use the package `ttscope`.";
#ifdef TTSCOPE_HAS_SIMULATOR
  ttscope::python::bind_tracker(module);
  ttscope::python::bind_device(module);
  ttscope::python::bind_ops(module);
  ttscope::python::bind_train(module);
  ttscope::python::bind_models(module);
  ttscope::python::bind_graph(module);
#endif
  ttscope::python::bind_profile(module);
  module.attr("version") = TTSCOPE_VERSION;
}
