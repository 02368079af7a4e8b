#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "perf/analyze/report_rows.h"
#include "perf/model/ops_report.h"
#include "perf/model/report_columns.h"

namespace ttscope::perf {

/// What the rows of a report say, one after the other, before anybody writes it. What is given must outlive
/// it. Texts are as recorded; kNoFigure is a number that is not known.
class RowValues {
 public:
  explicit RowValues(const CaptureRows& part) : part_(part) {}

  void go_to(const ReportRow& row);

  const ReportRow& row() const { return *row_; }
  /// Null where the row has none: not an op of the host, or not executed.
  const HostOp* op() const { return op_; }
  const OpInfo* info() const { return info_; }
  const Execution* execution() const { return execution_; }
  bool is_signpost() const { return row_->kind == ReportRowKind::kSignpost; }

  /// What stands in a column of texts; empty where the row has none.
  std::string_view text(ReportColumn column) const;
  /// What stands in a column of numbers; kNoFigure where the row has none.
  std::int64_t number(ReportColumn column) const;
  std::optional<std::uint64_t> call_count() const;
  /// None where nothing is said of it.
  std::optional<bool> cache_hit() const;
  std::int64_t figure(Figure figure) const {
    return execution_ == nullptr ? kNoFigure : execution_->figures[figure];
  }

 private:
  std::pair<std::string_view, std::string_view> signpost_cells() const;
  std::string_view op_code() const;
  std::string_view op_type() const;
  std::string_view attributes() const;
  std::string_view location() const;  ///< where a compiler says that the model asks for the op
  std::string_view arch() const;
  std::int64_t device() const;  ///< among the devices of all hosts
  std::int64_t host_start_ns() const;
  std::int64_t host_end_ns() const;
  std::int64_t host_duration_ns() const;
  std::int64_t trace() const;
  std::int64_t replay_session() const;

  const CaptureRows& part_;
  const ReportRow* row_ = nullptr;
  const HostOp* op_ = nullptr;
  const OpInfo* info_ = nullptr;
  const Execution* execution_ = nullptr;
};

/// By row: what its busiest core sent or took by the NoC trace; empty: there is none.
std::vector<float> noc_core_bytes(const std::vector<CaptureRows>& parts);

/// The report that captures make, as if it had been written (write_ops_csv) and read again (read_ops_report):
/// same rows, kinds, texts and problems, without the text between. Only OpRow::line stays 0, since there is
/// no file. Nothing found: no execution has a duration, so that a file of it would be no report.
Result<OpsReport> make_ops_report(const std::vector<CaptureRows>& parts, const ColumnOptions& form,
                                  const std::string& name);

}  // namespace ttscope::perf
