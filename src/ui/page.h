#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/json_writer.h"
#include "base/writer.h"
#include "table/table.h"

/// Blobs of pages from declared columns: rows of a table in the page's column codec. The bytes are made
/// later, from any thread; what the table reads must live until then.

namespace ttscope::ui {

enum class ColumnType : std::uint8_t { kU8, kU32, kI64 };

std::string_view name_of(ColumnType type);

/// Whether a column stores differences to the value before: smaller where neighbors are near each other.
enum class ColumnEncoding : std::uint8_t { kPlain, kDelta };

/// What the page header says of a column.
struct ColumnFormat {
  ColumnType type = ColumnType::kU32;
  ColumnEncoding stored = ColumnEncoding::kPlain;
  std::size_t count = 0;
};

/// The values at(0) ... at(count - 1) as little-endian bytes, split into planes: all lowest bytes first.
template <typename T, typename At>
std::string column_planes(std::size_t count, ColumnEncoding stored, At at) {
  using Bits = std::make_unsigned_t<T>;
  std::string planes(count * sizeof(T), '\0');
  char* const to = planes.data();
  const Bits keep = stored == ColumnEncoding::kDelta ? static_cast<Bits>(-1) : Bits{0};
  Bits before = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const Bits value = static_cast<Bits>(at(i));
    const Bits bits = static_cast<Bits>(value - (before & keep));
    before = value;
    for (std::size_t plane = 0; plane < sizeof(T); ++plane) {
      to[plane * count + i] = static_cast<char>(bits >> (8 * plane) & 0xFF);
    }
  }
  return planes;
}

/// One piece of data of the page. Its bytes are made when it is encoded, on any thread.
struct PageBlob {
  std::string id;
  std::optional<ColumnFormat> column;
  std::function<std::string()> bytes;
};

/// JSON inside a blob: the packed bytes cannot be taken for HTML, so `<` stays short.
inline constexpr JsonStyle kBlobStyle{.ascii = true};

/// The blobs of a page in their order.
class PageBlobs {
 public:
  /// `at(i)` gives value i; it is called later, from any thread.
  template <typename T, typename At>
  void add(std::string id, std::size_t count, ColumnEncoding stored, At at) {
    static_assert(std::is_same_v<T, std::uint8_t> || std::is_same_v<T, std::uint32_t> ||
                  std::is_same_v<T, std::int64_t>);
    const ColumnType type = sizeof(T) == 1   ? ColumnType::kU8
                            : sizeof(T) == 4 ? ColumnType::kU32
                                             : ColumnType::kI64;
    blobs_.push_back({std::move(id), ColumnFormat{type, stored, count},
                      [count, stored, at = std::move(at)] { return column_planes<T>(count, stored, at); }});
  }
  void add(std::string id, std::function<std::string()> bytes) {
    blobs_.push_back({std::move(id), std::nullopt, std::move(bytes)});
  }
  /// `NAME.len` and `NAME.bytes`.
  void add_strings(const std::string& name, std::vector<std::string> texts);

  const std::vector<PageBlob>& list() const { return blobs_; }

 private:
  std::vector<PageBlob> blobs_;
};

/// The blob as it stands in the page: base64 of gzip.
std::string encode_blob(const PageBlob& blob);

/// The field `columns` of a page's header: how the columns among the blobs are stored.
void write_columns(JsonWriter& json, std::span<const PageBlobs* const> blobs);
void write_columns(JsonWriter& json, const PageBlobs& blobs);

/// The marks in a built page where a report puts its own text.
inline constexpr std::string_view kTitlePlaceholder = "<!--ttscope:title-->";
inline constexpr std::string_view kHeadPlaceholder = "<!--ttscope:head-->";

/// A data block of a page: a script element that no browser runs.
void write_page_block(Writer& out, std::string_view type, std::string_view id, std::string_view content);

/// Writes the page up to a mark, which stands at `at`, and returns what stands behind it.
std::string_view write_page_until(Writer& out, std::string_view page, std::string_view mark, std::size_t at);

/// Rows of a table that a page shows, in its order.
struct BlobRows {
  table::Table table;
  std::size_t first = 0;
  std::size_t count = 0;
  /// Where it is there: the rows themselves, [first, first + count) are places in it.
  std::shared_ptr<const std::vector<std::uint32_t>> list = nullptr;
};

BlobRows all_rows(table::Table table);
BlobRows listed_rows(table::Table table, std::vector<std::uint32_t> rows);

/// How figures and truths are stored.
struct BlobFormat {
  ColumnType type = ColumnType::kU32;
  ColumnEncoding stored = ColumnEncoding::kPlain;
  std::int64_t null_value =
      0;             ///< of null and of what does not fit; cut to the type: -1 is its highest value
  double scale = 1;  ///< reals are stored in units of 1 / scale, rounded; in these below 0 is 0
};

/// A blob and the declared column that it holds.
struct BlobColumn {
  std::string_view id;      ///< texts without codes are `ID.len` and `ID.bytes`
  std::string_view column;  ///< must be declared
  BlobFormat form = {};
  /// Of a column of texts of which there are few: a byte each, the place of the text here. Null and texts
  /// that are not here are 0. Literals.
  std::vector<std::string_view> codes = {};
};

/// `prefix` stands before each id.
void add_columns(PageBlobs& blobs, const BlobRows& rows, std::string_view prefix,
                 const std::vector<BlobColumn>& columns);

/// Up to eight columns of truths as the bits of a byte, the first one lowest.
void add_flags(PageBlobs& blobs, std::string id, const BlobRows& rows,
               const std::vector<std::string_view>& columns);

}  // namespace ttscope::ui
