#include "report/table_blobs.h"

#include <utility>

namespace ttscope::report {
namespace {

/// The cells of one column in a range of rows. The codec copies it for each blob that it encodes, so that the
/// scratch is used by one thread at a time.
class ColumnCells {
 public:
  ColumnCells(const RowRange& rows, std::string_view column)
      : table_(rows.table), first_(rows.first), get_(getter_of(rows.table, column)) {}

  table::Cell at(std::size_t i) { return get_(table_.source(), first_ + i, scratch_); }

 private:
  static table::Getter getter_of(const table::Table& table, std::string_view column) {
    return table.spec().columns[table.spec().find_column(column).value()].get;
  }

  table::Table table_;  // keeps the source alive
  std::size_t first_;
  table::Getter get_;
  std::string scratch_;
};

template <typename T>
void add_numbers(PageBlobs& blobs, std::string id, const ColumnCells& cells, std::size_t count,
                 const BlobForm& form) {
  blobs.add<T>(std::move(id), count, form.stored,
               [cells = cells, null_value = form.null_value](std::size_t i) mutable {
                 const table::Cell cell = cells.at(i);
                 // A figure that the blob cannot hold is none; it must not come back as another one.
                 const bool has_room = !cell.is_null() && std::in_range<T>(cell.as_integer());
                 return static_cast<T>(has_room ? cell.as_integer() : null_value);
               });
}

/// Names are literals: nearly all texts are known by their pointers.
std::uint8_t code_of(std::string_view text, const std::vector<std::string_view>& names) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i].data() == text.data() && names[i].size() == text.size()) return static_cast<std::uint8_t>(i);
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == text) return static_cast<std::uint8_t>(i);
  }
  return 0;
}

}  // namespace

void add_column(PageBlobs& blobs, std::string id, const RowRange& rows, std::string_view column,
                const BlobForm& form) {
  const ColumnCells cells(rows, column);
  switch (form.type) {
    case ColumnType::kU8:
      return add_numbers<std::uint8_t>(blobs, std::move(id), cells, rows.count, form);
    case ColumnType::kU32:
      return add_numbers<std::uint32_t>(blobs, std::move(id), cells, rows.count, form);
    case ColumnType::kI64:
      return add_numbers<std::int64_t>(blobs, std::move(id), cells, rows.count, form);
  }
}

void add_codes(PageBlobs& blobs, std::string id, const RowRange& rows, std::string_view column,
               std::vector<std::string_view> names) {
  blobs.add<std::uint8_t>(
      std::move(id), rows.count, Stored::kPlain,
      [cells = ColumnCells(rows, column), names = std::move(names)](std::size_t i) mutable {
        const table::Cell cell = cells.at(i);
        return cell.is_null() ? std::uint8_t{0} : code_of(cell.as_text(), names);
      });
}

void add_flags(PageBlobs& blobs, std::string id, const RowRange& rows,
               const std::vector<std::string_view>& columns) {
  std::vector<ColumnCells> bits;
  for (const std::string_view column : columns) bits.emplace_back(rows, column);
  blobs.add<std::uint8_t>(std::move(id), rows.count, Stored::kPlain,
                          [bits = std::move(bits)](std::size_t i) mutable {
                            unsigned flags = 0;
                            for (std::size_t bit = 0; bit < bits.size(); ++bit) {
                              const table::Cell cell = bits[bit].at(i);
                              if (!cell.is_null() && cell.as_truth()) flags |= 1U << bit;
                            }
                            return static_cast<std::uint8_t>(flags);
                          });
}

}  // namespace ttscope::report
