#pragma once

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <string>
#include <vector>

#ifdef TTSCOPE_HAS_SIMULATOR
#include <ttscope/tensor.h>
#endif

namespace ttscope::python {

void bind_profile(pybind11::module_& module);
// Of the simulator.
void bind_tracker(pybind11::module_& module);
void bind_device(pybind11::module_& module);
void bind_ops(pybind11::module_& module);
void bind_train(pybind11::module_& module);
void bind_graph(pybind11::module_& module);
void bind_models(pybind11::module_& module);

}  // namespace ttscope::python

#ifdef TTSCOPE_HAS_SIMULATOR

namespace pybind11::detail {

/// Shapes are sequences of sizes in Python, and come back as tuples.
template <>
struct type_caster<ttscope::sim::Shape> {
  PYBIND11_TYPE_CASTER(ttscope::sim::Shape, const_name("Sequence[int]"));

  bool load(handle source, bool convert) {
    make_caster<std::vector<std::uint32_t>> dims;
    if (!dims.load(source, convert)) return false;
    value = ttscope::sim::Shape(cast_op<std::vector<std::uint32_t>&&>(std::move(dims)));
    return true;
  }
  static handle cast(const ttscope::sim::Shape& shape, return_value_policy, handle) {
    tuple dims(shape.rank());
    for (std::size_t i = 0; i < shape.rank(); ++i) dims[i] = shape.dims()[i];
    return dims.release();
  }
};

}  // namespace pybind11::detail

#endif
