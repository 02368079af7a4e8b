#include "perf/write/device_stats/marker_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/number_text.h"
#include "base/python_text.h"

namespace ttscope::perf {
namespace {

/// A number as it stands if it is one; other texts of a damaged log in quotes.
void append_field(std::string& to, std::string_view text) {
  const bool plain = !text.empty() && (text.size() == 1 || text.front() != '0') &&
                     std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
  if (plain) {
    to += text;
  } else if (const auto number = parse_whole(text)) {
    to += std::to_string(*number);
  } else {
    append_python_repr(to, text);
  }
}

/// -1 for what is no number.
void append_number(std::string& to, std::string_view text) {
  if (parse_whole(text)) {
    append_field(to, text);
  } else {
    to += "-1";
  }
}

}  // namespace

std::string core_text(std::uint16_t x, std::uint16_t y) { return fmt::format("({}, {})", x, y); }

void MarkerTexts::append_identity(const LogMarker& marker) {
  text_ += "{'id': ";
  append_field(text_, marker.timer);
  text_ += ", 'zone_name': ";
  append_python_repr(text_, marker.zone);
  text_ += ", 'type': ";
  append_python_repr(text_, marker.type);
  text_ += ", 'src_line': ";
  append_field(text_, marker.line);
  text_ += ", 'src_file': ";
  append_python_repr(text_, marker.file);
  text_ += ", 'run_host_id': ";
  append_field(text_, marker.op_id);
  text_ += ", 'trace_id': ";
  append_number(text_, marker.trace);
  text_ += ", 'trace_id_count': ";
  append_number(text_, marker.replay);
  text_ += ", 'meta_data': ";
  append_python_repr(text_, marker.meta);
  text_ += '}';
}

const std::string& MarkerTexts::tuple(const TimedMarker& marker, MarkerPlaceText place) {
  const LogMarker row = source_.read(marker.at);
  const MarkerProcessor& processor = source_.device.processors[marker.processor];
  text_ = "(";
  append_identity(row);
  text_ += ", ";
  append_field(text_, row.time);
  text_ += ", ";
  append_field(text_, row.data);
  if (place.risc) {
    text_ += ", ";
    append_python_repr(text_, processor.risc);
  }
  if (place.core) text_ += ", " + core_text(processor.x, processor.y);
  text_ += ')';
  return text_;
}

const std::string& MarkerTexts::pair(const TimedMarker& start, const TimedMarker& end) {
  text_ = "(";
  append_identity(source_.read(start.at));
  text_ += ", ";
  append_identity(source_.read(end.at));
  text_ += ')';
  return text_;
}

const std::string& MarkerTexts::moment(const TimedMarker& marker) {
  const LogMarker row = source_.read(marker.at);
  text_ = "(";
  append_identity(row);
  text_ += ", ";
  append_field(text_, row.time);
  text_ += ')';
  return text_;
}

}  // namespace ttscope::perf
