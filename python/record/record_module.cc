// ttscope._record: the marks of ttscope/record.h for Python. Written against Python's own interface, so that
// importing it costs next to nothing and a call little more than the mark.
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <ttscope/record.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace {

/// The text of an object, with an end mark. What UTF-8 cannot hold is written as an escape: no mark fails
/// because of its text.
class Text {
 public:
  explicit Text(PyObject* object) {
    if (object == nullptr || object == Py_None) return;
    Py_ssize_t size = 0;
    if (PyUnicode_Check(object)) {
      data_ = PyUnicode_AsUTF8AndSize(object, &size);
      if (data_ == nullptr) {
        PyErr_Clear();
        made_ = PyUnicode_AsEncodedString(object, "utf-8", "backslashreplace");
      }
    } else if (PyObject* words = PyObject_Str(object)) {
      made_ = PyUnicode_AsEncodedString(words, "utf-8", "backslashreplace");
      Py_DECREF(words);
    }
    if (made_ != nullptr) {
      data_ = PyBytes_AS_STRING(made_);
      size = PyBytes_GET_SIZE(made_);
    }
    size_ = static_cast<std::size_t>(size);
    is_failed_ = data_ == nullptr;
  }
  ~Text() { Py_XDECREF(made_); }
  Text(const Text&) = delete;
  Text& operator=(const Text&) = delete;

  const char* data() const { return data_; }  ///< null for None
  std::size_t size() const { return size_; }
  bool is_failed() const { return is_failed_; }  ///< an exception is set

 private:
  PyObject* made_ = nullptr;
  const char* data_ = nullptr;
  std::size_t size_ = 0;
  bool is_failed_ = false;
};

template <std::size_t kCount>
struct Signature {
  const char* function;
  std::array<const char*, kCount> names;
  std::size_t needed;
};

/// The arguments of a call by their names; those that are not given stay null. False with an exception.
template <std::size_t kCount>
bool take_arguments(const Signature<kCount>& signature, PyObject* const* given, Py_ssize_t count,
                    PyObject* keywords, std::array<PyObject*, kCount>& taken) {
  taken.fill(nullptr);
  if (count > static_cast<Py_ssize_t>(kCount)) {
    PyErr_Format(PyExc_TypeError, "%s() takes at most %zu arguments (%zd given)", signature.function, kCount,
                 count);
    return false;
  }
  for (Py_ssize_t i = 0; i < count; ++i) taken[static_cast<std::size_t>(i)] = given[i];
  const Py_ssize_t keyword_count = keywords == nullptr ? 0 : PyTuple_GET_SIZE(keywords);
  for (Py_ssize_t i = 0; i < keyword_count; ++i) {
    PyObject* keyword = PyTuple_GET_ITEM(keywords, i);
    std::size_t at = 0;
    while (at < kCount && PyUnicode_CompareWithASCIIString(keyword, signature.names[at]) != 0) ++at;
    if (at == kCount || taken[at] != nullptr) {
      PyErr_Format(PyExc_TypeError, "%s() got an unexpected or repeated argument '%U'", signature.function,
                   keyword);
      return false;
    }
    taken[at] = given[count + i];
  }
  for (std::size_t i = 0; i < signature.needed; ++i) {
    if (taken[i] != nullptr) continue;
    PyErr_Format(PyExc_TypeError, "%s() needs the argument '%s'", signature.function, signature.names[i]);
    return false;
  }
  return true;
}

/// A number of any size by its lower bits. False with an exception.
bool take_number(PyObject* object, std::uint64_t& number) {
  if (object == nullptr) return true;
  number = PyLong_AsUnsignedLongLongMask(object);
  return PyErr_Occurred() == nullptr;
}

PyObject* zone_begin(PyObject* /*module*/, PyObject* const* given, Py_ssize_t count, PyObject* keywords) {
  static constexpr Signature<5> kSignature = {"zone_begin", {"name", "file", "function", "line", "color"}, 1};
  std::array<PyObject*, 5> taken;
  if (!take_arguments(kSignature, given, count, keywords, taken)) return nullptr;
  if (ttscope_record_active() == 0) Py_RETURN_NONE;
  const Text name(taken[0]);
  const Text file(taken[1]);
  const Text function(taken[2]);
  std::uint64_t line = 0;
  std::uint64_t color = 0;
  if (name.is_failed() || file.is_failed() || function.is_failed()) return nullptr;
  if (!take_number(taken[3], line) || !take_number(taken[4], color)) return nullptr;
  const ttscope_record_place place = {name.data(), function.data(), file.data(),
                                      static_cast<std::uint32_t>(line), static_cast<std::uint32_t>(color)};
  ttscope_record_zone_begin_at(&place);
  Py_RETURN_NONE;
}

PyObject* zone_end(PyObject* /*module*/, PyObject* /*none*/) {
  ttscope_record_zone_end();
  Py_RETURN_NONE;
}

PyObject* zone_text(PyObject* /*module*/, PyObject* object) {
  const Text text(object);
  if (text.is_failed()) return nullptr;
  ttscope_record_zone_text(TTSCOPE_RECORD_INNERMOST, text.data(), text.size());
  Py_RETURN_NONE;
}

PyObject* zone_name(PyObject* /*module*/, PyObject* object) {
  const Text text(object);
  if (text.is_failed()) return nullptr;
  ttscope_record_zone_name(TTSCOPE_RECORD_INNERMOST, text.data(), text.size());
  Py_RETURN_NONE;
}

PyObject* zone_color(PyObject* /*module*/, PyObject* object) {
  std::uint64_t color = 0;
  if (!take_number(object, color)) return nullptr;
  ttscope_record_zone_color(TTSCOPE_RECORD_INNERMOST, static_cast<std::uint32_t>(color));
  Py_RETURN_NONE;
}

PyObject* zone_value(PyObject* /*module*/, PyObject* object) {
  std::uint64_t value = 0;
  if (!take_number(object, value)) return nullptr;
  ttscope_record_zone_value(TTSCOPE_RECORD_INNERMOST, value);
  Py_RETURN_NONE;
}

PyObject* message(PyObject* /*module*/, PyObject* const* given, Py_ssize_t count, PyObject* keywords) {
  static constexpr Signature<2> kSignature = {"message", {"text", "color"}, 1};
  std::array<PyObject*, 2> taken;
  if (!take_arguments(kSignature, given, count, keywords, taken)) return nullptr;
  const Text text(taken[0]);
  std::uint64_t color = 0;
  if (text.is_failed() || !take_number(taken[1], color)) return nullptr;
  ttscope_record_message(text.data(), text.size(), static_cast<std::uint32_t>(color));
  Py_RETURN_NONE;
}

PyObject* signpost(PyObject* /*module*/, PyObject* const* given, Py_ssize_t count, PyObject* keywords) {
  static constexpr Signature<2> kSignature = {"signpost", {"header", "message"}, 1};
  std::array<PyObject*, 2> taken;
  if (!take_arguments(kSignature, given, count, keywords, taken)) return nullptr;
  const Text header(taken[0]);
  const Text words(taken[1]);
  if (header.is_failed() || words.is_failed()) return nullptr;
  ttscope_record_signpost(header.data(), words.data());
  Py_RETURN_NONE;
}

/// The functions that take one name, which may be missing or None.
template <void (*kMark)(const char*)>
PyObject* named(PyObject* /*module*/, PyObject* const* given, Py_ssize_t count, PyObject* keywords) {
  static constexpr Signature<1> kSignature = {"this", {"name"}, 0};
  std::array<PyObject*, 1> taken;
  if (!take_arguments(kSignature, given, count, keywords, taken)) return nullptr;
  const Text name(taken[0]);
  if (name.is_failed()) return nullptr;
  kMark(name.data());
  Py_RETURN_NONE;
}

PyObject* plot(PyObject* /*module*/, PyObject* const* given, Py_ssize_t count, PyObject* keywords) {
  static constexpr Signature<2> kSignature = {"plot", {"name", "value"}, 2};
  std::array<PyObject*, 2> taken;
  if (!take_arguments(kSignature, given, count, keywords, taken)) return nullptr;
  const Text name(taken[0]);
  const double value = PyFloat_AsDouble(taken[1]);
  if (name.is_failed() || PyErr_Occurred() != nullptr) return nullptr;
  ttscope_record_plot(name.data(), value);
  Py_RETURN_NONE;
}

PyObject* plot_unit(PyObject* /*module*/, PyObject* const* given, Py_ssize_t count, PyObject* keywords) {
  static constexpr Signature<2> kSignature = {"plot_unit", {"name", "unit"}, 2};
  std::array<PyObject*, 2> taken;
  if (!take_arguments(kSignature, given, count, keywords, taken)) return nullptr;
  const Text name(taken[0]);
  const Text unit(taken[1]);
  if (name.is_failed() || unit.is_failed()) return nullptr;
  constexpr std::array<std::string_view, 3> kUnits = {"number", "bytes", "percent"};
  for (std::size_t i = 0; i < kUnits.size(); ++i) {
    if (kUnits[i] != std::string_view(unit.data(), unit.size())) continue;
    ttscope_record_plot_unit(name.data(), static_cast<ttscope_record_unit>(i));
    Py_RETURN_NONE;
  }
  PyErr_SetString(PyExc_ValueError, "plot_unit() takes the units number, bytes and percent");
  return nullptr;
}

PyObject* alloc(PyObject* /*module*/, PyObject* const* given, Py_ssize_t count, PyObject* keywords) {
  static constexpr Signature<3> kSignature = {"alloc", {"address", "bytes", "pool"}, 2};
  std::array<PyObject*, 3> taken;
  if (!take_arguments(kSignature, given, count, keywords, taken)) return nullptr;
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
  const Text pool(taken[2]);
  if (pool.is_failed() || !take_number(taken[0], address) || !take_number(taken[1], bytes)) return nullptr;
  ttscope_record_alloc(address, bytes, pool.data());
  Py_RETURN_NONE;
}

PyObject* free_memory(PyObject* /*module*/, PyObject* const* given, Py_ssize_t count, PyObject* keywords) {
  static constexpr Signature<2> kSignature = {"free", {"address", "pool"}, 1};
  std::array<PyObject*, 2> taken;
  if (!take_arguments(kSignature, given, count, keywords, taken)) return nullptr;
  std::uint64_t address = 0;
  const Text pool(taken[1]);
  if (pool.is_failed() || !take_number(taken[0], address)) return nullptr;
  ttscope_record_free(address, pool.data());
  Py_RETURN_NONE;
}

PyObject* active(PyObject* /*module*/, PyObject* /*none*/) {
  return PyBool_FromLong(ttscope_record_active());
}

PyObject* start(PyObject* /*module*/, PyObject* object) {
  PyObject* path = nullptr;
  if (PyUnicode_FSConverter(object, &path) == 0) return nullptr;
  const int is_started = ttscope_record_start(PyBytes_AS_STRING(path));
  Py_DECREF(path);
  return PyBool_FromLong(is_started);
}

PyObject* stop(PyObject* /*module*/, PyObject* /*none*/) {
  ttscope_record_stop();
  Py_RETURN_NONE;
}

PyObject* flush(PyObject* /*module*/, PyObject* /*none*/) {
  Py_BEGIN_ALLOW_THREADS ttscope_record_flush();
  Py_END_ALLOW_THREADS Py_RETURN_NONE;
}

PyObject* file(PyObject* /*module*/, PyObject* /*none*/) {
  char path[4096];
  const std::size_t size = ttscope_record_file(path, sizeof(path));
  if (size == 0) Py_RETURN_NONE;
  return PyUnicode_DecodeFSDefault(path);
}

PyObject* dropped(PyObject* /*module*/, PyObject* /*none*/) {
  return PyLong_FromUnsignedLongLong(ttscope_record_dropped());
}

template <typename Function>
PyMethodDef method(const char* name, Function function, int flags, const char* text) {
  return {name, reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(function)), flags, text};
}

constexpr int kKeywords = METH_FASTCALL | METH_KEYWORDS;

PyMethodDef methods[] = {
    method("zone_begin", zone_begin, kKeywords,
           "zone_begin(name, file='', function='', line=0, color=0)\n--\n\nBegins a zone of this thread."),
    method("zone_end", zone_end, METH_NOARGS,
           "zone_end()\n--\n\nEnds the innermost open zone of this thread."),
    method("zone_text", zone_text, METH_O, "zone_text(text)\n--\n\nAdds a text to the innermost open zone."),
    method("zone_name", zone_name, METH_O, "zone_name(name)\n--\n\nRenames the innermost open zone."),
    method("zone_color", zone_color, METH_O,
           "zone_color(color)\n--\n\nColours the innermost open zone (0xRRGGBB)."),
    method("zone_value", zone_value, METH_O,
           "zone_value(number)\n--\n\nAdds a number to the innermost open zone."),
    method("message", message, kKeywords, "message(text, color=0)\n--\n\nA message of this thread."),
    method("signpost", signpost, kKeywords,
           "signpost(header, message=None)\n--\n\nA signpost, as reports know them."),
    method("frame_mark", named<ttscope_record_frame>, kKeywords,
           "frame_mark(name=None)\n--\n\nA frame ends and the next one begins."),
    method("frame_begin", named<ttscope_record_frame_begin>, kKeywords,
           "frame_begin(name)\n--\n\nA frame begins."),
    method("frame_end", named<ttscope_record_frame_end>, kKeywords, "frame_end(name)\n--\n\nA frame ends."),
    method("plot", plot, kKeywords, "plot(name, value)\n--\n\nA value of a curve."),
    method("plot_unit", plot_unit, kKeywords, "plot_unit(name, unit)\n--\n\nnumber, bytes or percent."),
    method("alloc", alloc, kKeywords, "alloc(address, bytes, pool=None)\n--\n\nMemory of a pool is taken."),
    method("free", free_memory, kKeywords, "free(address, pool=None)\n--\n\nMemory of a pool is given back."),
    method("thread_name", named<ttscope_record_thread_name>, kKeywords,
           "thread_name(name)\n--\n\nNames this thread."),
    method("active", active, METH_NOARGS, "active()\n--\n\nWhether marks are recorded."),
    method("start", start, METH_O,
           "start(folder)\n--\n\nBegins to record; False where that is not possible."),
    method("stop", stop, METH_NOARGS, "stop()\n--\n\nEnds recording."),
    method("flush", flush, METH_NOARGS, "flush()\n--\n\nWrites what was recorded to the disk."),
    method("file", file, METH_NOARGS, "file()\n--\n\nThe file of this process, None before its first mark."),
    method("dropped", dropped, METH_NOARGS, "dropped()\n--\n\nMarks that found no room."),
    {nullptr, nullptr, 0, nullptr},
};

PyModuleDef definition = {PyModuleDef_HEAD_INIT,
                          "_record",
                          "Marks what a program does while TTSCOPE_RECORD names a folder.",
                          0,
                          methods,
                          nullptr,
                          nullptr,
                          nullptr,
                          nullptr};

}  // namespace

PyMODINIT_FUNC PyInit__record() { return PyModule_Create(&definition); }
