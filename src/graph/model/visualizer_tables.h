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

/// Takes the rows of a database one by one, each table's in their order. A database is many times as large as
/// the reports it is made of, so that rows go where they belong as soon as they are known.
class VisualizerSink {
 public:
  VisualizerSink() = default;
  virtual ~VisualizerSink() = default;
  VisualizerSink(const VisualizerSink&) = delete;
  VisualizerSink& operator=(const VisualizerSink&) = delete;

  virtual void add(VisualizerTable table, VisualizerRow row) = 0;
};

/// Rows kept in memory.
class VisualizerRows final : public VisualizerSink {
 public:
  void add(VisualizerTable table, VisualizerRow row) override {
    rows_[static_cast<std::size_t>(table)].push_back(std::move(row));
  }
  const std::vector<VisualizerRow>& operator[](VisualizerTable table) const {
    return rows_[static_cast<std::size_t>(table)];
  }

 private:
  std::array<std::vector<VisualizerRow>, kVisualizerTableCount> rows_;
};

/// What there is to say of reports beside the rows of their database.
struct VisualizerImport {
  /// Texts of side files, written once beside the database; empty: the reports have none.
  std::string cluster_descriptor;
  std::string mesh_coordinate_mapping;
  std::vector<std::string> skipped;  ///< reports of another version than 1, which cannot be imported
  std::uint64_t run_rows = 0;     ///< rows that tell of a run: those beside `devices` and `report_metadata`
  std::uint64_t allocations = 0;  ///< buffers that the reports allocate
  std::uint64_t placed = 0;       ///< those of them that have an address
  std::uint64_t described_devices = 0;
};

}  // namespace ttscope::graph
