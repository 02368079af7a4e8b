#include "graph/read/ttnn_report/source_rows.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace ttscope::graph {
namespace {

namespace fs = std::filesystem;

std::optional<std::int64_t> leading_number(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() ? std::optional<std::int64_t>(number) : std::nullopt;
}

bool is_deallocation(std::string_view name) {
  return name == "ttnn.deallocate" || name == "ttnn::deallocate";
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

/// The innermost frame, which stands first: `File "model.py", line 10, in forward` or `model.py:12`.
std::optional<SourceTies::Place> SourceTies::place_of(std::string_view trace) {
  constexpr std::string_view kFile = "File \"";
  constexpr std::string_view kLine = "\", line ";
  const std::size_t file = trace.find(kFile);
  if (file != std::string_view::npos) {
    const std::string_view rest = trace.substr(file + kFile.size());
    const std::size_t end = rest.find(kLine);
    if (end == std::string_view::npos) return std::nullopt;
    const std::optional<std::int64_t> line = leading_number(rest.substr(end + kLine.size()));
    return line ? std::optional<Place>({std::string(rest.substr(0, end)), *line}) : std::nullopt;
  }
  const std::string_view first = trace.substr(0, trace.find('\n'));
  const std::size_t colon = first.rfind(':');
  if (colon == std::string_view::npos || colon == 0) return std::nullopt;
  const std::optional<std::int64_t> line = leading_number(first.substr(colon + 1));
  return line ? std::optional<Place>({std::string(first.substr(0, colon)), *line}) : std::nullopt;
}

std::optional<std::int64_t> SourceTies::source_file(const std::string& file) {
  if (!fs::path(file).is_absolute()) return std::nullopt;
  const std::string path = fs::path(file).lexically_normal().string();
  const auto known = file_ids_.find(path);
  if (known != file_ids_.end()) return known->second;
  std::optional<std::string> contents = read_source_(path);
  if (!contents) return std::nullopt;
  const auto id = static_cast<std::int64_t>(file_ids_.size()) + 1;
  file_ids_.emplace(path, id);
  sink_.add(VisualizerTable::kSourceFiles, {id, path, std::move(*contents)});
  return id;
}

void SourceTies::add_stack_trace(std::int64_t rank, std::int64_t operation, std::string trace) {
  has_traces_ = true;
  const std::optional<Place> place = place_of(trace);
  std::optional<std::int64_t> file;
  if (place) {
    places_[{rank, operation}] = *place;
    file = source_file(place->file);
  }
  sink_.add(VisualizerTable::kStackTraces, {operation, std::move(trace), cell(file), rank});
}

void SourceTies::note_operation(std::int64_t rank, std::int64_t operation, std::string_view name) {
  if (is_deallocation(name)) deallocations_.insert({rank, operation});
}

void SourceTies::note_use(std::int64_t rank, std::int64_t tensor, std::int64_t operation, bool produces) {
  Lifetime& life = lifetimes_[{rank, tensor}];
  if (produces) {
    if (!life.producer) life.producer = operation;
    return;
  }
  std::optional<std::int64_t>& last =
      deallocations_.contains({rank, operation}) ? life.deallocated : life.last_use;
  last = std::max(last.value_or(operation), operation);
}

void SourceTies::add_place(std::int64_t rank, const std::optional<std::int64_t>& operation,
                           VisualizerRow& row) const {
  const auto found = operation ? places_.find({rank, *operation}) : places_.end();
  row.resize(row.size() + 2);
  if (found == places_.end()) return;
  row[row.size() - 2] = found->second.file;
  row.back() = found->second.line;
}

void SourceTies::finish() {
  if (!has_traces_) return;
  for (const auto& [key, life] : lifetimes_) {
    VisualizerRow row;
    row.reserve(9);
    row.emplace_back(key.second);
    for (const std::optional<std::int64_t>& operation : {life.producer, life.last_use, life.deallocated}) {
      row.push_back(cell(operation));
    }
    add_place(key.first, life.producer, row);
    add_place(key.first, life.last_use, row);
    row.emplace_back(key.first);
    sink_.add(VisualizerTable::kTensorLifetime, std::move(row));
  }
}

}  // namespace ttscope::graph
