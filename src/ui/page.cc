#include "ui/page.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <utility>

#include "base/encoding.h"
#include "base/text.h"

namespace ttscope::ui {

std::string_view name_of(ColumnType type) {
  switch (type) {
    case ColumnType::kU8:
      return "u8";
    case ColumnType::kU32:
      return "u32";
    case ColumnType::kI64:
      break;
  }
  return "i64";
}

void PageBlobs::add_strings(const std::string& name, std::vector<std::string> texts) {
  const auto shared = std::make_shared<const std::vector<std::string>>(std::move(texts));
  add<std::uint32_t>(name + ".len", shared->size(), ColumnEncoding::kPlain,
                     [shared](std::size_t i) { return static_cast<std::uint32_t>((*shared)[i].size()); });
  add(name + ".bytes", [shared] { return std::accumulate(shared->begin(), shared->end(), std::string()); });
}

std::string encode_blob(const PageBlob& blob) { return base64_of(gzip_of(blob.bytes())); }

void write_columns(JsonWriter& json, std::span<const PageBlobs* const> blobs) {
  json.object("columns", [&] {
    for (const PageBlobs* some : blobs) {
      for (const PageBlob& blob : some->list()) {
        if (!blob.column) continue;
        json.object(blob.id, [&] {
          json.field("type", name_of(blob.column->type));
          json.field("count", blob.column->count);
          if (blob.column->stored == ColumnEncoding::kDelta) json.field("delta", true);
        });
      }
    }
  });
}

void write_columns(JsonWriter& json, const PageBlobs& blobs) {
  const PageBlobs* const one = &blobs;
  write_columns(json, std::span(&one, 1));
}

void write_page_block(Writer& out, std::string_view type, std::string_view id, std::string_view content) {
  out.write("<script type=\"");
  out.write(type);
  out.write("\" id=\"");
  out.write(id);
  out.write("\">");
  out.write(content);
  out.write("</script>\n");
}

std::string_view write_page_until(Writer& out, std::string_view page, std::string_view mark, std::size_t at) {
  if (at == std::string_view::npos) return page;
  out.write(page.substr(0, at));
  return page.substr(at + mark.size());
}

namespace {

const table::ColumnSpec& declared(const BlobRows& rows, std::string_view column) {
  const table::TableSpec& spec = rows.table.spec();
  return spec.columns[spec.find_column(column).value()];
}

/// The cells of one column in the rows of a page. The codec copies it for each blob that it encodes, so that
/// the scratch is used by one thread at a time.
class ColumnCells {
 public:
  ColumnCells(const BlobRows& rows, std::string_view column)
      : table_(rows.table), first_(rows.first), list_(rows.list), get_(declared(rows, column).get) {}

  table::Cell at(std::size_t i) {
    const std::size_t row = list_ == nullptr ? first_ + i : (*list_)[first_ + i];
    return get_(table_.source(), row, scratch_);
  }

 private:
  table::Table table_;  // keeps the source alive
  std::size_t first_;
  std::shared_ptr<const std::vector<std::uint32_t>> list_;
  table::Getter get_;
  std::string scratch_;
};

/// A figure that the blob cannot hold is none; it must not come back as another one.
template <typename T>
T whole_number(std::int64_t number, const BlobFormat& form) {
  return static_cast<T>(std::in_range<T>(number) ? number : form.null_value);
}

/// Page code computes with doubles, which are exact up to 9e15.
template <typename T>
T scaled_number(double number, const BlobFormat& form) {
  constexpr double kMaxExactInteger = 9e15;
  const bool has_room =
      std::abs(number) <= kMaxExactInteger / form.scale && (std::is_signed_v<T> || number >= 0);
  if (!has_room) return static_cast<T>(form.null_value);
  return whole_number<T>(std::max<std::int64_t>(0, std::llround(number * form.scale)), form);
}

template <typename T>
T number_of(const table::Cell& cell, const BlobFormat& form) {
  using Kind = table::Cell::Kind;
  const Kind kind = cell.kind();
  if (kind == Kind::kNull || kind == Kind::kText) return static_cast<T>(form.null_value);
  if (kind == Kind::kReal) return scaled_number<T>(cell.as_real(), form);
  if (form.scale != 1) return scaled_number<T>(static_cast<double>(cell.as_integer()), form);
  return whole_number<T>(cell.as_integer(), form);
}

template <typename T>
void add_numbers(PageBlobs& blobs, std::string id, const BlobRows& rows, const BlobColumn& column) {
  blobs.add<T>(std::move(id), rows.count, column.form.stored,
               [cells = ColumnCells(rows, column.column), form = column.form](std::size_t i) mutable {
                 return number_of<T>(cells.at(i), form);
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

void add_codes(PageBlobs& blobs, std::string id, const BlobRows& rows, const BlobColumn& column) {
  blobs.add<std::uint8_t>(
      std::move(id), rows.count, column.form.stored,
      [cells = ColumnCells(rows, column.column), names = column.codes](std::size_t i) mutable {
        const table::Cell cell = cells.at(i);
        return cell.is_null() ? std::uint8_t{0} : code_of(cell.as_text(), names);
      });
}

void add_texts(PageBlobs& blobs, const std::string& id, const BlobRows& rows, const BlobColumn& column) {
  std::vector<std::string> texts;
  texts.reserve(rows.count);
  ColumnCells cells(rows, column.column);
  for (std::size_t i = 0; i < rows.count; ++i) {
    const table::Cell cell = cells.at(i);
    texts.push_back(cell.is_null() ? std::string() : utf8_repaired(cell.as_text()));
  }
  blobs.add_strings(id, std::move(texts));
}

void add_column(PageBlobs& blobs, std::string id, const BlobRows& rows, const BlobColumn& column) {
  if (!column.codes.empty()) return add_codes(blobs, std::move(id), rows, column);
  if (declared(rows, column.column).type == table::Type::kText) return add_texts(blobs, id, rows, column);
  switch (column.form.type) {
    case ColumnType::kU8:
      return add_numbers<std::uint8_t>(blobs, std::move(id), rows, column);
    case ColumnType::kU32:
      return add_numbers<std::uint32_t>(blobs, std::move(id), rows, column);
    case ColumnType::kI64:
      return add_numbers<std::int64_t>(blobs, std::move(id), rows, column);
  }
}

}  // namespace

BlobRows all_rows(table::Table table) {
  const std::size_t count = table.rows();
  return {std::move(table), 0, count};
}

BlobRows listed_rows(table::Table table, std::vector<std::uint32_t> rows) {
  const std::size_t count = rows.size();
  return {std::move(table), 0, count, std::make_shared<const std::vector<std::uint32_t>>(std::move(rows))};
}

void add_columns(PageBlobs& blobs, const BlobRows& rows, std::string_view prefix,
                 const std::vector<BlobColumn>& columns) {
  for (const BlobColumn& column : columns) {
    add_column(blobs, std::string(prefix).append(column.id), rows, column);
  }
}

void add_flags(PageBlobs& blobs, std::string id, const BlobRows& rows,
               const std::vector<std::string_view>& columns) {
  std::vector<ColumnCells> bits;
  bits.reserve(columns.size());
  for (const std::string_view column : columns) bits.emplace_back(rows, column);
  blobs.add<std::uint8_t>(std::move(id), rows.count, ColumnEncoding::kPlain,
                          [bits = std::move(bits)](std::size_t i) mutable {
                            unsigned flags = 0;
                            for (std::size_t bit = 0; bit < bits.size(); ++bit) {
                              const table::Cell cell = bits[bit].at(i);
                              if (!cell.is_null() && cell.as_truth()) flags |= 1U << bit;
                            }
                            return static_cast<std::uint8_t>(flags);
                          });
}

}  // namespace ttscope::ui
