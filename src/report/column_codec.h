#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/json_writer.h"

namespace ttscope::report {

enum class ColumnType : std::uint8_t { kU8, kU32, kI64 };
std::string_view name_of(ColumnType type);

/// Whether a column stores differences to the value before: smaller where neighbours are near each other.
enum class Stored : std::uint8_t { kPlain, kDelta };

/// What the page header says of a column.
struct ColumnForm {
  ColumnType type = ColumnType::kU32;
  Stored stored = Stored::kPlain;
  std::size_t count = 0;
};

/// The values at(0) ... at(count - 1) as little-endian bytes, split into planes: all lowest bytes first.
template <typename T, typename At>
std::string column_planes(std::size_t count, Stored stored, At at) {
  using Bits = std::make_unsigned_t<T>;
  std::string planes(count * sizeof(T), '\0');
  char* const to = planes.data();
  const Bits keep = stored == Stored::kDelta ? static_cast<Bits>(-1) : Bits{0};
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
  std::optional<ColumnForm> column;
  std::function<std::string()> bytes;
};

/// JSON inside a blob: the packed bytes cannot be taken for HTML, so `<` stays short.
inline constexpr JsonStyle kBlobStyle{.ascii = true};

/// The blobs of a page in their order.
class PageBlobs {
 public:
  /// `at(i)` gives value i; it is called later, from any thread.
  template <typename T, typename At>
  void add(std::string id, std::size_t count, Stored stored, At at) {
    static_assert(std::is_same_v<T, std::uint8_t> || std::is_same_v<T, std::uint32_t> ||
                  std::is_same_v<T, std::int64_t>);
    const ColumnType type = sizeof(T) == 1   ? ColumnType::kU8
                            : sizeof(T) == 4 ? ColumnType::kU32
                                             : ColumnType::kI64;
    blobs_.push_back({std::move(id), ColumnForm{type, stored, count},
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

}  // namespace ttscope::report
