#include "graph/read/ttnn_report/source_rows.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <tuple>

namespace ttscope::graph {
namespace {

namespace fs = std::filesystem;

struct SourcePlace {
  std::string file;
  std::int64_t line = 0;
};

std::optional<std::int64_t> leading_number(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() ? std::optional<std::int64_t>(number) : std::nullopt;
}

/// The innermost frame, which stands first: `File "model.py", line 10, in forward` or `model.py:12`.
std::optional<SourcePlace> place_of(std::string_view trace) {
  constexpr std::string_view kFile = "File \"";
  constexpr std::string_view kLine = "\", line ";
  const std::size_t file = trace.find(kFile);
  if (file != std::string_view::npos) {
    const std::string_view rest = trace.substr(file + kFile.size());
    const std::size_t end = rest.find(kLine);
    if (end == std::string_view::npos) return std::nullopt;
    const std::optional<std::int64_t> line = leading_number(rest.substr(end + kLine.size()));
    return line ? std::optional<SourcePlace>({std::string(rest.substr(0, end)), *line}) : std::nullopt;
  }
  const std::string_view first = trace.substr(0, trace.find('\n'));
  const std::size_t colon = first.rfind(':');
  if (colon == std::string_view::npos || colon == 0) return std::nullopt;
  const std::optional<std::int64_t> line = leading_number(first.substr(colon + 1));
  return line ? std::optional<SourcePlace>({std::string(first.substr(0, colon)), *line}) : std::nullopt;
}

using OperationKey = std::pair<std::int64_t, std::int64_t>;  ///< rank, operation

OperationKey key_of(const VisualizerRow& row, std::size_t operation) {
  return {row.back().integer, row[operation].integer};
}

std::map<OperationKey, SourcePlace> tie_stack_traces(const ReadSource& read_source,
                                                     VisualizerTables& tables) {
  std::map<OperationKey, SourcePlace> places;
  std::map<std::string, std::int64_t> ids;
  for (VisualizerRow& row : tables[VisualizerTable::kStackTraces]) {
    const std::optional<SourcePlace> place = place_of(row[1].text);
    if (!place) continue;
    places[key_of(row, 0)] = *place;
    const fs::path absolute =
        fs::path(place->file).is_absolute() ? fs::path(place->file).lexically_normal() : fs::path();
    const std::string path = absolute.string();
    if (path.empty()) continue;
    auto known = ids.find(path);
    if (known == ids.end()) {
      const std::optional<std::string> contents = read_source(path);
      if (!contents) continue;
      known = ids.emplace(path, static_cast<std::int64_t>(ids.size()) + 1).first;
      tables[VisualizerTable::kSourceFiles].push_back({known->second, path, *contents});
    }
    row[2] = known->second;
  }
  return places;
}

struct Lifetime {
  std::optional<std::int64_t> producer;
  std::optional<std::int64_t> last_use;
  std::optional<std::int64_t> deallocated;
};

bool is_deallocation(std::string_view name) {
  return name == "ttnn.deallocate" || name == "ttnn::deallocate";
}

void add_place(const std::map<OperationKey, SourcePlace>& places, std::int64_t rank,
               const std::optional<std::int64_t>& operation, VisualizerRow& row) {
  const auto found = operation ? places.find({rank, *operation}) : places.end();
  row.resize(row.size() + 2);
  if (found == places.end()) return;
  row[row.size() - 2] = found->second.file;
  row.back() = found->second.line;
}

}  // namespace

std::optional<std::string> read_source_file(const std::string& path) {
  constexpr std::uintmax_t kLargest = std::uintmax_t{4} << 20;
  std::error_code error;
  if (!path.ends_with(".py") || !fs::is_regular_file(path, error) || fs::file_size(path, error) > kLargest ||
      error) {
    return std::nullopt;
  }
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(file), {});
}

void add_source_rows(const ReadSource& read_source, VisualizerTables& tables) {
  if (tables[VisualizerTable::kStackTraces].empty()) return;
  const std::map<OperationKey, SourcePlace> places = tie_stack_traces(read_source, tables);
  std::map<OperationKey, std::string> names;
  for (const VisualizerRow& row : tables[VisualizerTable::kOperations]) names[key_of(row, 0)] = row[1].text;
  std::map<OperationKey, Lifetime> lifetimes;  ///< by rank and tensor
  for (const VisualizerRow& row : tables[VisualizerTable::kTensorProducers]) {
    Lifetime& life = lifetimes[key_of(row, 0)];
    if (!life.producer) life.producer = row[1].integer;
  }
  for (const VisualizerRow& row : tables[VisualizerTable::kTensorConsumers]) {
    Lifetime& life = lifetimes[key_of(row, 0)];
    const std::int64_t operation = row[1].integer;
    std::optional<std::int64_t>& last =
        is_deallocation(names[key_of(row, 1)]) ? life.deallocated : life.last_use;
    last = std::max(last.value_or(operation), operation);
  }
  for (const auto& [key, life] : lifetimes) {
    VisualizerRow row;
    row.reserve(9);
    row.emplace_back(key.second);
    for (const std::optional<std::int64_t>& operation : {life.producer, life.last_use, life.deallocated}) {
      row.push_back(cell(operation));
    }
    add_place(places, key.first, life.producer, row);
    add_place(places, key.first, life.last_use, row);
    row.emplace_back(key.first);
    tables[VisualizerTable::kTensorLifetime].push_back(std::move(row));
  }
}

}  // namespace ttscope::graph
