#include "output/json_text/json_text.h"

#include <charconv>

namespace ttscope::output {

char* format_integer(char* to, std::int64_t value) { return std::to_chars(to, to + kNumberRoom, value).ptr; }

char* format_milli_mib(char* to, MilliMib value) {
  to = format_integer(to, value / 1000);
  const MilliMib fraction = value % 1000;
  *to++ = '.';
  *to++ = static_cast<char>('0' + fraction / 100);
  if (fraction % 100 != 0) *to++ = static_cast<char>('0' + fraction / 10 % 10);
  if (fraction % 10 != 0) *to++ = static_cast<char>('0' + fraction % 10);
  return to;
}

void append_integer(std::string& to, std::int64_t value) {
  char text[kNumberRoom];
  to.append(text, format_integer(text, value));
}

void append_milli_mib(std::string& to, MilliMib value) {
  char text[kNumberRoom];
  to.append(text, format_milli_mib(text, value));
}

void write_integer(Writer& out, std::int64_t value) {
  out.commit(format_integer(out.reserve(kNumberRoom), value));
}

}  // namespace ttscope::output
