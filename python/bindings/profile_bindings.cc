#include <fmt/format.h>
#include <pybind11/numpy.h>

#include <memory>

#include "app/open.h"
#include "base/files.h"
#include "bindings.h"
#include "table/table.h"
#include "table/write.h"

namespace py = pybind11;

namespace ttscope::python {
namespace {

/// An array that owns the column; no value is copied.
template <typename T>
py::array owned_array(std::vector<T>&& values, const py::dtype& type) {
  auto* column = new std::vector<T>(std::move(values));
  const py::capsule owner(column, [](void* held) { delete static_cast<std::vector<T>*>(held); });
  py::array array(type, {static_cast<py::ssize_t>(column->size())}, {}, column->data(), owner);
  array.attr("setflags")(py::arg("write") = false);
  return array;
}

py::object text_array(table::TextCodes&& column) {
  py::list texts;
  for (const std::string& text : column.texts) {
    texts.append(py::reinterpret_steal<py::str>(
        PyUnicode_DecodeUTF8(text.data(), static_cast<py::ssize_t>(text.size()), "replace")));
  }
  texts.append(py::str(""));  // what -1, the last one, stands for
  const py::module_ numpy = py::module_::import("numpy");
  const py::object distinct = numpy.attr("array")(texts, py::arg("dtype") = "object");
  return distinct.attr("take")(owned_array(std::move(column.codes), py::dtype::of<std::int32_t>()),
                               py::arg("mode") = "wrap");
}

py::object array_of(table::ColumnValues&& column) {
  if (auto* numbers = std::get_if<std::vector<std::int64_t>>(&column.values)) {
    for (std::size_t row = 0; row < column.nulls.size(); ++row) {
      if (column.nulls[row] != 0) (*numbers)[row] = -1;
    }
    return owned_array(std::move(*numbers), py::dtype::of<std::int64_t>());
  }
  if (auto* reals = std::get_if<std::vector<double>>(&column.values)) {
    return owned_array(std::move(*reals), py::dtype::of<double>());
  }
  if (auto* truths = std::get_if<std::vector<std::uint8_t>>(&column.values)) {
    return owned_array(std::move(*truths), py::dtype::of<bool>());
  }
  return text_array(std::move(std::get<table::TextCodes>(column.values)));
}

/// What was read while a file shrank is wrong: a sentence instead of it.
class ShrinkWatch {
 public:
  void check() const {
    if (lost_pages() != before_)
      throw py::value_error("the input shrank while it was being read; load it again when it is complete");
  }

 private:
  std::uint64_t before_ = lost_pages();
};

class LoadedProfile {
 public:
  explicit LoadedProfile(const app::Profile& profile) : subject_(profile.subject()), set_(profile.tables()) {}

  std::string kind() const { return set_.kind; }
  std::string subject() const { return std::string(app::name_of(subject_)); }
  std::vector<std::string> warnings() const { return set_.warnings; }

  std::vector<std::string> table_names() const {
    std::vector<std::string> names;
    for (const table::Table& table : set_.tables) names.emplace_back(table.spec().name);
    return names;
  }
  std::string doc(const std::string& name) const { return std::string(find(name).spec().doc); }
  std::size_t rows(const std::string& name) const { return find(name).rows(); }

  /// Name and documentation of each column, in order.
  py::dict columns(const std::string& name) const {
    py::dict docs;
    for (const table::ColumnSpec& column : find(name).spec().columns) {
      docs[py::str(std::string(column.name))] = table::docstring_of(column);
    }
    return docs;
  }

  py::object array(const std::string& name, const std::string& column) const {
    return array_of(values(name, column));
  }

  /// True for each row without a value.
  py::object missing(const std::string& name, const std::string& column) const {
    table::ColumnValues found = values(name, column);
    std::vector<std::uint8_t> nulls = std::move(found.nulls);
    nulls.resize(find(name).rows());
    return owned_array(std::move(nulls), py::dtype::of<bool>());
  }

 private:
  const table::Table& find(const std::string& name) const {
    const table::Table* table = set_.find(name);
    if (table == nullptr) throw py::key_error(name);
    return *table;
  }

  table::ColumnValues values(const std::string& name, const std::string& column) const {
    const table::Table& table = find(name);
    const auto index = table.spec().find_column(column);
    if (!index) throw py::key_error(column);
    const ShrinkWatch watch;
    table::ColumnValues found = [&] {
      const py::gil_scoped_release no_gil;
      return table::column_values(table, *index);
    }();
    watch.check();
    return found;
  }

  app::Subject subject_;
  table::TableSet set_;
};

LoadedProfile load(const std::vector<std::string>& paths) {
  const ShrinkWatch watch;
  const auto profile = [&paths] {
    const py::gil_scoped_release no_gil;
    return app::open(paths);
  }();
  watch.check();
  if (!profile) throw py::value_error(profile.error().message);
  LoadedProfile loaded(*profile);
  watch.check();
  return loaded;
}

}  // namespace

void bind_profile(py::module_& module) {
  survive_lost_pages();
  py::class_<LoadedProfile>(module, "LoadedProfile")
      .def_property_readonly("kind", &LoadedProfile::kind)
      .def_property_readonly("subject", &LoadedProfile::subject)
      .def_property_readonly("warnings", &LoadedProfile::warnings)
      .def_property_readonly("table_names", &LoadedProfile::table_names)
      .def("doc", &LoadedProfile::doc, py::arg("table"))
      .def("rows", &LoadedProfile::rows, py::arg("table"))
      .def("columns", &LoadedProfile::columns, py::arg("table"))
      .def("array", &LoadedProfile::array, py::arg("table"), py::arg("column"))
      .def("missing", &LoadedProfile::missing, py::arg("table"), py::arg("column"));
  module.def("load_profile", &load, py::arg("paths"));
}

}  // namespace ttscope::python
