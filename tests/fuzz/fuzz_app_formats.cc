// What a file is, told by its beginning or by any part of it.
#include "app/formats.h"
#include "fuzz/fuzz_target.h"
#include "io/input_files.h"

TTSCOPE_FUZZ_TARGET(app_formats) {
  using namespace ttscope;
  io::Beginning beginning;
  beginning.path = "input";
  beginning.bytes = text;
  beginning.is_whole = text.size() % 2 == 0;
  static_cast<void>(app::format_of(beginning));
  for (const app::Format& format : app::formats()) {
    if (format.is_beginning != nullptr) static_cast<void>(format.is_beginning(beginning));
    if (format.is_part != nullptr) static_cast<void>(format.is_part(beginning.bytes));
    fuzz::require(app::find_format(format.key) == &format, "a format is found by its key");
  }
}
