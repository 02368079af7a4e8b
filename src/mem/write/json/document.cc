#include "mem/write/json/document.h"

#include <cmath>

namespace ttscope::mem {

void write_file(JsonWriter& json, const MemDocument& document, std::uint32_t file) {
  if (document.several_files()) json.field("file", file);
}

void write_rank(JsonWriter& json, const MemDocument& document, std::uint32_t rank) {
  const RankTrace& trace = document.trace.ranks[rank];
  json.field("rank", trace.number);
  write_file(json, document, trace.file);
}

void write_op(JsonWriter& json, MemDocument& document, std::uint32_t rank, std::uint32_t op) {
  const auto& ops = document.trace.ranks[rank].ops;
  if (op >= ops.size()) {
    for (const std::string_view name : {"op_index", "line", "op", "loc"}) json.field(name, nullptr);
    return;
  }
  json.field("op_index", op);
  json.field("line", line_or_null(ops[op].line));
  json.key("op");
  json.raw(document.ops.name(ops[op]));
  json.key("loc");
  json.raw(document.ops.loc(ops[op]));
}

std::optional<std::string_view> program_name(const MemDocument& document, std::uint32_t rank,
                                             std::uint32_t instance) {
  const auto& programs = document.trace.ranks[rank].programs;
  if (instance >= programs.size() || programs[instance].name == kNone) return std::nullopt;
  return document.trace.names[programs[instance].name];
}

std::optional<std::uint32_t> id_or_null(std::uint32_t id) {
  return id == kNone ? std::nullopt : std::optional<std::uint32_t>(id);
}

std::optional<std::uint32_t> line_or_null(std::uint32_t line) {
  return line == 0 ? std::nullopt : std::optional<std::uint32_t>(line);
}

std::optional<std::int64_t> known_or_null(std::int64_t figure) {
  return figure < 0 ? std::nullopt : std::optional<std::int64_t>(figure);
}

double rounded(double value, double steps) { return std::round(value * steps) / steps; }

std::optional<double> percent(std::int64_t part, std::int64_t whole) {
  if (whole <= 0) return std::nullopt;
  return rounded(100.0 * static_cast<double>(part) / static_cast<double>(whole), 1000);
}

void write_shape(JsonWriter& json, std::string_view name, const std::vector<std::int64_t>& shape) {
  json.key(name);
  json.begin_array();
  for (const std::int64_t dim : shape) json.value(dim);
  json.end_array();
}

}  // namespace ttscope::mem
