#include "support/page_text.h"

#include <isa-l/igzip_lib.h>

#include <stdexcept>

namespace ttscope::testing {

std::string base64_decoded(std::string_view text) {
  constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  std::uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    if (c == '=') break;
    const std::size_t value = kAlphabet.find(c);
    if (value == std::string_view::npos) throw std::runtime_error("no base64");
    bits = bits << 6 | static_cast<std::uint32_t>(value);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes += static_cast<char>(bits >> count & 0xFF);
  }
  return bytes;
}

std::string gunzipped(std::string_view packed) {
  std::string text;
  inflate_state state;
  isal_inflate_init(&state);
  state.crc_flag = ISAL_GZIP;
  state.next_in = reinterpret_cast<std::uint8_t*>(const_cast<char*>(packed.data()));
  state.avail_in = static_cast<std::uint32_t>(packed.size());
  std::string step(1 << 16, '\0');
  do {
    state.next_out = reinterpret_cast<std::uint8_t*>(step.data());
    state.avail_out = static_cast<std::uint32_t>(step.size());
    if (isal_inflate(&state) != ISAL_DECOMP_OK) throw std::runtime_error("damaged gzip");
    if (state.avail_out == step.size() && state.block_state != ISAL_BLOCK_FINISH)
      throw std::runtime_error("cut gzip");
    text.append(step, 0, step.size() - state.avail_out);
  } while (state.block_state != ISAL_BLOCK_FINISH);
  return text;
}

std::vector<std::uint64_t> decoded_column(std::string_view planes, std::size_t value_bytes, bool delta) {
  const std::size_t count = planes.size() / value_bytes;
  const std::uint64_t mask = value_bytes == 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << 8 * value_bytes) - 1;
  std::vector<std::uint64_t> values;
  for (std::size_t i = 0; i < count; ++i) {
    std::uint64_t value = 0;
    for (std::size_t plane = 0; plane < value_bytes; ++plane) {
      value += static_cast<std::uint64_t>(static_cast<unsigned char>(planes[plane * count + i])) << 8 * plane;
    }
    if (delta && i > 0) value = (value + values.back()) & mask;
    values.push_back(value);
  }
  return values;
}

PageText::PageText(std::string html) : html_(std::move(html)) {
  constexpr std::string_view kStart = "<script type=\"application/";
  for (std::size_t at = html_.find(kStart); at != std::string::npos; at = html_.find(kStart, at + 1)) {
    const std::size_t id = html_.find(" id=\"", at) + 5;
    const std::size_t id_end = html_.find('"', id);
    const std::size_t begin = html_.find('>', id_end) + 1;
    const std::size_t end = html_.find('<', begin);
    blocks_[html_.substr(id, id_end - id)] = html_.substr(begin, end - begin);
  }
}

std::vector<std::uint64_t> PageText::column(const std::string& id) const {
  const std::string& header = json("ttscope-page");
  const std::string key = "\"" + id + "\":{\"type\":\"";
  const std::size_t at = header.find(key);
  if (at == std::string::npos) throw std::runtime_error("no column " + id);
  const std::string form = header.substr(at + key.size(), header.find('}', at) - at - key.size());
  const std::size_t value_bytes = form.starts_with("u8") ? 1 : form.starts_with("u32") ? 4 : 8;
  return decoded_column(blob(id), value_bytes, form.find("\"delta\":true") != std::string::npos);
}

std::vector<std::string> PageText::strings(const std::string& name) const {
  const std::string bytes = blob(name + ".bytes");
  std::vector<std::string> texts;
  std::size_t at = 0;
  for (const std::uint64_t length : column(name + ".len")) {
    texts.push_back(bytes.substr(at, length));
    at += length;
  }
  return texts;
}

std::map<std::string, std::string> PageText::contents() const {
  std::map<std::string, std::string> contents;
  for (const auto& [id, text] : blocks_) {
    const bool is_json = !text.empty() && text.front() == '{';
    contents[id] = is_json ? text : blob(id);
  }
  return contents;
}

}  // namespace ttscope::testing
