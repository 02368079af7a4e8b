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
enum class ReportTable : std::uint8_t {
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
inline constexpr std::size_t kReportTableCount = 21;

/// A value of a row, as SQLite has them.
struct ReportCell {
  enum class Kind : std::uint8_t { kNull, kInteger, kReal, kText };

  ReportCell() = default;
  ReportCell(std::int64_t number) : kind(Kind::kInteger), integer(number) {}
  ReportCell(double number) : kind(Kind::kReal), real(number) {}
  ReportCell(std::string content) : kind(Kind::kText), text(std::move(content)) {}

  Kind kind = Kind::kNull;
  std::int64_t integer = 0;
  double real = 0;
  std::string text;
};
/// A number that may be absent.
inline ReportCell cell(const std::optional<std::int64_t>& number) {
  return number ? ReportCell(*number) : ReportCell();
}

using ReportRow = std::vector<ReportCell>;

struct ReportTables {
  std::array<std::vector<ReportRow>, kReportTableCount> rows;
  /// Texts of side files, written once beside the database; empty: the reports have none.
  std::string cluster_descriptor;
  std::string mesh_coordinate_mapping;
  std::vector<std::string> warnings;  ///< files that were skipped, and why

  std::vector<ReportRow>& operator[](ReportTable table) { return rows[static_cast<std::size_t>(table)]; }
  const std::vector<ReportRow>& operator[](ReportTable table) const {
    return rows[static_cast<std::size_t>(table)];
  }
};

}  // namespace ttscope::graph
