#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "table/row_source.h"
#include "table/sql/query_error.h"

struct sqlite3;
struct sqlite3_stmt;

namespace ttscope::table {

struct FinalizeStatement {
  void operator()(sqlite3_stmt* statement) const;
};
using Statement = std::unique_ptr<sqlite3_stmt, FinalizeStatement>;

/// The rows of a running statement.
class QueryRows final : public RowSource {
 public:
  /// `names` is for errors and outlives the rows, as do the statement's connection and `cancelled`, which may
  /// be null.
  QueryRows(Statement statement, const QueryNames& names, const std::atomic<bool>* cancelled);

  const std::vector<std::string>& column_names() const override { return names_; }
  [[nodiscard]] Result<bool> next() override;
  Cell cell(std::size_t column) override;

 private:
  Statement statement_;
  const QueryNames& known_;
  const std::atomic<bool>* cancelled_;
  std::vector<std::string> names_;
  std::vector<bool> is_truth_;  ///< columns that are declared so
  std::string scratch_;
};

}  // namespace ttscope::table
