#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ttscope::graph {

/// The tables of a ttnn-visualizer report database, schema 3.3 (docs/formats/report_db.md).
enum class VisualizerTable : std::uint8_t {
  kDevices,
  kOperations,
  kOperationArguments,
  kTensors,
  kDeviceTensors,
  kBuffers,
  kCapturedGraph,
  kNodes,
  kEdges,
  kReportMetadata,
  kErrors,
  kSourceFiles,
  kStackTraces,
  kInputTensors,
  kOutputTensors,
  kTensorLifetime,
  kTensorConsumers,
  kTensorProducers,
  kLocalComparisons,
  kGlobalComparisons,
  kBufferChunks,
};
inline constexpr std::size_t kVisualizerTableCount = 21;

/// A value of a row, as SQLite has them.
struct VisualizerCell {
  enum class Kind : std::uint8_t { kNull, kInteger, kReal, kText };

  VisualizerCell() = default;
  // NOLINTBEGIN(google-explicit-constructor): rows are written as lists of values
  VisualizerCell(std::int64_t number) : kind(Kind::kInteger), integer(number) {}
  VisualizerCell(double number) : kind(Kind::kReal), real(number) {}
  VisualizerCell(std::string content) : kind(Kind::kText), text(std::move(content)) {}
  // NOLINTEND(google-explicit-constructor)

  Kind kind = Kind::kNull;
  std::int64_t integer = 0;
  double real = 0;
  std::string text;
};
/// A number that may be absent.
inline VisualizerCell cell(const std::optional<std::int64_t>& number) {
  return number ? VisualizerCell(*number) : VisualizerCell();
}

using VisualizerRow = std::vector<VisualizerCell>;

struct VisualizerTables {
  std::array<std::vector<VisualizerRow>, kVisualizerTableCount> rows;
  /// Texts of side files, written once beside the database; empty: the reports have none.
  std::string cluster_descriptor;
  std::string mesh_coordinate_mapping;
  std::vector<std::string> skipped;  ///< reports of another version than 1, which cannot be imported

  std::vector<VisualizerRow>& operator[](VisualizerTable table) {
    return rows[static_cast<std::size_t>(table)];
  }
  const std::vector<VisualizerRow>& operator[](VisualizerTable table) const {
    return rows[static_cast<std::size_t>(table)];
  }
};

}  // namespace ttscope::graph
