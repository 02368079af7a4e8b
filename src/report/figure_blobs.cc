#include "report/figure_blobs.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "base/text_escape.h"

namespace ttscope::report {
namespace {

/// One column of the rows that a page shows.
class BlobCells {
 public:
  BlobCells(table::Table table, std::size_t column, BlobColumn form, BlobRows rows)
      : table_(std::move(table)), column_(column), form_(std::move(form)), rows_(std::move(rows)) {}

  std::size_t size() const { return rows_ == nullptr ? table_.rows() : rows_->size(); }
  table::Cell cell(std::size_t i, std::string& scratch) const {
    return table_.cell(rows_ == nullptr ? i : (*rows_)[i], column_, scratch);
  }
  std::int64_t stored(std::size_t i) const {
    std::string scratch;
    const table::Cell value = cell(i, scratch);
    switch (value.kind()) {
      case table::Cell::Kind::kNull:
        return form_.null;
      case table::Cell::Kind::kText:
        return code_of(value.as_text());
      case table::Cell::Kind::kInteger:
      case table::Cell::Kind::kTruth:
        return form_.scale == 1 ? checked(value.as_integer())
                                : scaled(static_cast<double>(value.as_integer()));
      case table::Cell::Kind::kReal:
        break;
    }
    return scaled(value.as_real());
  }

 private:
  std::int64_t code_of(std::string_view text) const {
    const auto found = std::find(form_.codes.begin(), form_.codes.end(), text);
    return found == form_.codes.end() ? form_.null : found - form_.codes.begin();
  }
  /// Page code computes with doubles, which are exact up to 9e15.
  std::int64_t scaled(double number) const {
    constexpr double kMostExact = 9e15;
    if (std::abs(number) > kMostExact / form_.scale) return form_.null;
    if (form_.type != ColumnType::kI64 && number < 0) return form_.null;
    return checked(std::max<std::int64_t>(0, std::llround(number * form_.scale)));
  }
  std::int64_t checked(std::int64_t number) const {
    if (form_.type == ColumnType::kU8 && (number < 0 || number > 0xff)) return form_.null;
    if (form_.type == ColumnType::kU32 && (number < 0 || number > std::int64_t{kNone})) return form_.null;
    return number;
  }

  table::Table table_;
  std::size_t column_;
  BlobColumn form_;
  BlobRows rows_;
};

void add_texts(const BlobCells& cells, const std::string& id, PageBlobs& blobs) {
  std::vector<std::string> texts;
  texts.reserve(cells.size());
  std::string scratch;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const table::Cell cell = cells.cell(i, scratch);
    texts.push_back(cell.is_null() ? std::string() : utf8_repaired(cell.as_text()));
  }
  blobs.add_strings(id, std::move(texts));
}

template <typename T>
void add_figures(const BlobColumn& column, std::shared_ptr<const BlobCells> cells, PageBlobs& blobs) {
  const std::size_t count = cells->size();
  blobs.add<T>(std::string(column.blob), count, column.stored,
               [cells = std::move(cells)](std::size_t i) { return static_cast<T>(cells->stored(i)); });
}

}  // namespace

void add_figure_blobs(const table::Table& table, const std::vector<BlobColumn>& columns, const BlobRows& rows,
                      PageBlobs& blobs) {
  for (const BlobColumn& column : columns) {
    const auto place = table.spec().find_column(column.column);
    if (!place) continue;
    auto cells = std::make_shared<const BlobCells>(table, *place, column, rows);
    if (table.spec().columns[*place].type == table::Type::kText && column.codes.empty()) {
      add_texts(*cells, std::string(column.blob), blobs);
    } else if (column.type == ColumnType::kU8) {
      add_figures<std::uint8_t>(column, std::move(cells), blobs);
    } else if (column.type == ColumnType::kU32) {
      add_figures<std::uint32_t>(column, std::move(cells), blobs);
    } else {
      add_figures<std::int64_t>(column, std::move(cells), blobs);
    }
  }
}

}  // namespace ttscope::report
