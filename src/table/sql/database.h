#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "table/sql/scan.h"
#include "table/table.h"

namespace ttscope::table {

/// SQL over the tables of one or several profiles, in process: each table is a virtual table that reads the
/// profiles where they are. Tables of one name are one table, with the column `profile` in front. It can only
/// read: no attaching, no files, no extensions. Beside what SQLite has there are median(x) and
/// percentile(x, p). Not thread safe.
///
///   Result<Database> database = Database::open({{"run", tables}});
///   Result<std::unique_ptr<RowSource>> rows = database->run("select op, count(*) from ops group by op");
///   write_csv(**rows, out);
class Database {
 public:
  struct Options {
    /// Looked at while a query runs; once true, the query ends with the error `interrupted`. May be set by a
    /// signal handler. Null: none. It must outlive the database.
    const std::atomic<bool>* cancelled = nullptr;
    /// What sorting and grouping may take, all databases of the process together; the last that was opened
    /// says. A query that needs more ends with an error. 0: half of usable_memory_bytes().
    std::int64_t most_bytes = 0;
  };

  /// Views that do not fit these tables (a table or a column is missing) are left out, since each is made for
  /// some kinds of profiles.
  static Result<Database> open(const std::vector<NamedTables>& profiles, const std::vector<View>& views,
                               Options options);
  static Result<Database> open(const std::vector<NamedTables>& profiles,
                               const std::vector<View>& views = {}) {
    return open(profiles, views, Options{});
  }
  Database(Database&&) noexcept;
  Database& operator=(Database&&) noexcept;
  ~Database();

  /// Starts a query, which is one statement; rows are computed as they are read. Columns of truths stay
  /// truths where a query just names them; blobs are given as texts: x'00FF'. The rows must not outlive the
  /// database.
  Result<std::unique_ptr<RowSource>> run(const std::string& sql);

  /// What there is, for document.h.
  const std::vector<TableSpec>& tables() const;
  const std::vector<View>& views() const;

 private:
  struct State;
  explicit Database(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace ttscope::table
