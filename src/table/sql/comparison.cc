#include "table/sql/comparison.h"

#include <bit>
#include <cmath>
#include <string_view>

#include "base/string_pool.h"

namespace ttscope::table {
namespace {

constexpr double kTwoTo63 = 9223372036854775808.0;

template <typename T>
int order_of(const T& a, const T& b) {
  return a < b ? -1 : (b < a ? 1 : 0);
}

/// Exact, also where the real cannot hold the whole number.
int compare_whole_with_real(std::int64_t whole, double real) {
  if (real >= kTwoTo63) return -1;
  if (real < -kTwoTo63) return 1;
  const auto cut = static_cast<std::int64_t>(real);
  if (whole != cut) return order_of(whole, cut);
  return order_of(0.0, real - static_cast<double>(cut));  // what the cut took away; exact, both are near
}

enum class Class : std::uint8_t { kNull, kNumber, kText };

Class class_of(const Cell& cell) {
  switch (cell.kind()) {
    case Cell::Kind::kNull:
      return Class::kNull;
    case Cell::Kind::kText:
      return Class::kText;
    case Cell::Kind::kInteger:
    case Cell::Kind::kReal:
    case Cell::Kind::kTruth:
      break;
  }
  return Class::kNumber;
}

int compare_numbers(const Cell& a, const Cell& b) {
  const bool a_is_real = a.kind() == Cell::Kind::kReal;
  const bool b_is_real = b.kind() == Cell::Kind::kReal;
  if (a_is_real && b_is_real) return order_of(a.as_real(), b.as_real());
  if (a_is_real) return -compare_whole_with_real(b.as_integer(), a.as_real());
  if (b_is_real) return compare_whole_with_real(a.as_integer(), b.as_real());
  return order_of(a.as_integer(), b.as_integer());
}

std::uint32_t hash_bits(std::uint64_t bits) {
  bits *= 0x9e3779b97f4a7c15;
  return static_cast<std::uint32_t>(bits >> 32);
}

/// A real that is a whole number hashes as that.
std::uint32_t hash_real(double real) {
  const bool is_whole = real >= -kTwoTo63 && real < kTwoTo63 && std::trunc(real) == real;
  return hash_bits(is_whole ? static_cast<std::uint64_t>(static_cast<std::int64_t>(real))
                            : std::bit_cast<std::uint64_t>(real));
}

}  // namespace

int compare_cells(const Cell& a, const Cell& b) {
  const Class a_class = class_of(a);
  const Class b_class = class_of(b);
  if (a_class != b_class) return order_of(a_class, b_class);
  switch (a_class) {
    case Class::kNull:
      return 0;
    case Class::kNumber:
      return compare_numbers(a, b);
    case Class::kText:
      break;
  }
  const int order = a.as_text().compare(b.as_text());
  return order_of(order, 0);
}

bool passes(const Cell& cell, Comparison comparison, const Cell& value) {
  if (comparison == Comparison::kIsNull) return cell.is_null();
  if (cell.is_null()) return false;
  switch (comparison) {
    case Comparison::kEqual:
      return compare_cells(cell, value) == 0;
    case Comparison::kLess:
      return compare_cells(cell, value) < 0;
    case Comparison::kLessOrEqual:
      return compare_cells(cell, value) <= 0;
    case Comparison::kGreater:
      return compare_cells(cell, value) > 0;
    case Comparison::kGreaterOrEqual:
      return compare_cells(cell, value) >= 0;
    case Comparison::kIsNull:
    case Comparison::kIsNotNull:
      break;
  }
  return true;
}

std::uint32_t hash_cell(const Cell& cell) {
  switch (cell.kind()) {
    case Cell::Kind::kNull:
      return 0;
    case Cell::Kind::kReal:
      return hash_real(cell.as_real());
    case Cell::Kind::kText:
      return static_cast<std::uint32_t>(hash_text(cell.as_text()));
    case Cell::Kind::kInteger:
    case Cell::Kind::kTruth:
      break;
  }
  return hash_bits(static_cast<std::uint64_t>(cell.as_integer()));
}

}  // namespace ttscope::table
