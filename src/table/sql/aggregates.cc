#include "table/sql/aggregates.h"

#include <sqlite3.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <new>
#include <utility>
#include <vector>

namespace ttscope::table {
namespace {

/// Memory that counts as SQLite's own, for Database::Options::most_bytes.
template <typename T>
struct CountedAllocator {
  using value_type = T;
  CountedAllocator() = default;
  template <typename Other>
  explicit CountedAllocator(const CountedAllocator<Other>&) {}
  T* allocate(std::size_t count) {
    void* bytes = sqlite3_malloc64(count * sizeof(T));
    if (bytes == nullptr) throw std::bad_alloc();
    return static_cast<T*>(bytes);
  }
  void deallocate(T* values, std::size_t) { sqlite3_free(values); }
  bool operator==(const CountedAllocator&) const { return true; }
};
using Values = std::vector<double, CountedAllocator<double>>;

struct Collected {
  Values values;
  double percent = 50;
  bool has_percent = false;
};

/// SQLite keeps one of these for each group, zeroed at first.
struct Group {
  Collected* collected;
};

Group* group_of(sqlite3_context* context, bool create) {
  return static_cast<Group*>(sqlite3_aggregate_context(context, create ? sizeof(Group) : 0));
}

bool is_number(sqlite3_value* value) {
  const int type = sqlite3_value_numeric_type(value);
  return type == SQLITE_INTEGER || type == SQLITE_FLOAT;
}

/// False after an error.
bool take_percent(sqlite3_context* context, Collected& collected, sqlite3_value* value) {
  const double percent = is_number(value) ? sqlite3_value_double(value) : -1;
  if (!(percent >= 0 && percent <= 100)) {
    sqlite3_result_error(context, "the second argument of percentile() is a number from 0 to 100", -1);
    return false;
  }
  if (collected.has_percent && collected.percent != percent) {
    sqlite3_result_error(context, "the second argument of percentile() is the same for all rows", -1);
    return false;
  }
  collected.percent = percent;
  collected.has_percent = true;
  return true;
}

void collect(sqlite3_context* context, int count, sqlite3_value** values) {
  Group* group = group_of(context, true);
  if (group == nullptr) return sqlite3_result_error_nomem(context);
  try {
    if (group->collected == nullptr) group->collected = std::make_unique<Collected>().release();
    if (count > 1 && !take_percent(context, *group->collected, values[1])) return;
    if (sqlite3_value_type(values[0]) == SQLITE_NULL) return;
    if (!is_number(values[0])) {
      return sqlite3_result_error(context, "median() and percentile() are of numbers", -1);
    }
    group->collected->values.push_back(sqlite3_value_double(values[0]));
  } catch (const std::bad_alloc&) {
    sqlite3_result_error_nomem(context);
  }
}

double percentile_of(Values& values, double percent) {
  const double at = percent / 100 * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const auto lower = values.begin() + static_cast<std::ptrdiff_t>(below);
  std::nth_element(values.begin(), lower, values.end());
  const double share = at - std::floor(at);
  if (share == 0) return *lower;
  const double upper = *std::min_element(lower + 1, values.end());
  return *lower * (1 - share) + upper * share;
}

void give_percentile(sqlite3_context* context) {
  Group* group = group_of(context, false);
  if (group == nullptr || group->collected == nullptr) return sqlite3_result_null(context);
  const std::unique_ptr<Collected> collected(std::exchange(group->collected, nullptr));
  if (collected->values.empty()) return sqlite3_result_null(context);
  sqlite3_result_double(context, percentile_of(collected->values, collected->percent));
}

}  // namespace

int add_aggregates(sqlite3* connection) {
  constexpr int kFlags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
  const int code = sqlite3_create_function_v2(connection, "median", 1, kFlags, nullptr, nullptr, collect,
                                              give_percentile, nullptr);
  if (code != SQLITE_OK) return code;
  return sqlite3_create_function_v2(connection, "percentile", 2, kFlags, nullptr, nullptr, collect,
                                    give_percentile, nullptr);
}

}  // namespace ttscope::table
