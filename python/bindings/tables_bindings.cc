#include <pybind11/numpy.h>

#include <memory>

#include "bindings.h"
#include "tables/load.h"

namespace py = pybind11;

namespace ttscope::python {
namespace {

/// An array that owns the column; no value is copied.
template <typename T>
py::array owned_array(std::vector<T>& values) {
  auto* column = new std::vector<T>(std::move(values));
  const py::capsule owner(column, [](void* held) { delete static_cast<std::vector<T>*>(held); });
  py::array_t<T> array(static_cast<py::ssize_t>(column->size()), column->data(), owner);
  array.attr("setflags")(py::arg("write") = false);
  return array;
}

py::object text_array(tables::TextColumn& column) {
  py::list texts;
  for (const std::string& text : column.texts) {
    texts.append(py::reinterpret_steal<py::str>(
        PyUnicode_DecodeUTF8(text.data(), static_cast<py::ssize_t>(text.size()), "replace")));
  }
  texts.append(py::str(""));  // what -1, the last one, stands for
  const py::module_ numpy = py::module_::import("numpy");
  const py::object distinct = numpy.attr("array")(texts, py::arg("dtype") = "object");
  return distinct.attr("take")(owned_array(column.codes), py::arg("mode") = "wrap");
}

py::object array_of(tables::Values& values) {
  if (auto* numbers = std::get_if<std::vector<std::int64_t>>(&values)) return owned_array(*numbers);
  if (auto* reals = std::get_if<std::vector<double>>(&values)) return owned_array(*reals);
  return text_array(std::get<tables::TextColumn>(values));
}

py::tuple load(const std::string& path) {
  auto profile = [&path] {
    const py::gil_scoped_release no_gil;
    return tables::load_profile(path);
  }();
  if (!profile) throw py::value_error(profile.error().message);
  py::dict all;
  for (tables::Table& table : profile->tables) {
    py::dict columns;
    for (tables::Column& column : table.columns) columns[py::str(column.name)] = array_of(column.values);
    all[py::str(table.name)] = columns;
  }
  return py::make_tuple(profile->kind, all, profile->warnings);
}

}  // namespace

void bind_tables(py::module_& module) { module.def("load_tables", &load, py::arg("path")); }

}  // namespace ttscope::python
