#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace ttscope::testing {

std::string base64_decoded(std::string_view text);
/// One gzip member; throws when it is damaged.
std::string gunzipped(std::string_view packed);

/// A column read by the description of the format alone: planes put together, differences added up.
std::vector<std::uint64_t> decoded_column(std::string_view planes, std::size_t value_bytes, bool delta);

/// The blocks of a report page as they stand in it, by id.
class PageText {
 public:
  explicit PageText(std::string html);

  const std::string& html() const { return html_; }
  bool has(const std::string& id) const { return blocks_.count(id) != 0; }
  /// The inside of a JSON block.
  const std::string& json(const std::string& id) const { return blocks_.at(id); }
  /// The bytes of a blob.
  std::string blob(const std::string& id) const { return gunzipped(base64_decoded(blocks_.at(id))); }
  /// A column; its form is read from the page header.
  std::vector<std::uint64_t> column(const std::string& id) const;
  /// Every block by id, blobs unpacked: what the page says, however it was packed.
  std::map<std::string, std::string> contents() const;
  /// All strings of NAME.len and NAME.bytes.
  std::vector<std::string> strings(const std::string& name) const;

 private:
  std::string html_;
  std::map<std::string, std::string> blocks_;
};

}  // namespace ttscope::testing
