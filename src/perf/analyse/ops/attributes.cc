#include "perf/analyse/ops/attributes.h"

#include <algorithm>
#include <charconv>

namespace ttscope::perf {
namespace {

std::optional<std::string_view> rest_behind(std::string_view attributes, std::string_view key) {
  const std::size_t at = attributes.find(key);
  if (at == std::string_view::npos) return std::nullopt;
  return attributes.substr(at + key.size());
}

/// The `'true'` of `'enable_split_reader': 'true'`. A missing one counts as set, as in the known table.
bool flag_of(std::string_view attributes, std::string_view key) {
  const std::optional<std::string_view> value = text_behind(attributes, std::string(key) + "': '", '\'');
  return !value || *value == "true";
}

std::string number_or_x(std::string_view attributes, std::string_view key) {
  const std::optional<std::int64_t> number = number_behind(attributes, key);
  return number ? std::to_string(*number) : "x";
}

}  // namespace

std::optional<std::int64_t> number_behind(std::string_view attributes, std::string_view key) {
  const std::optional<std::string_view> rest = rest_behind(attributes, key);
  if (!rest) return std::nullopt;
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(rest->data(), rest->data() + rest->size(), number);
  return error == std::errc() ? std::optional(number) : std::nullopt;
}

std::optional<std::string_view> text_behind(std::string_view attributes, std::string_view key, char end) {
  const std::optional<std::string_view> rest = rest_behind(attributes, key);
  if (!rest) return std::nullopt;
  return rest->substr(0, rest->find(end));
}

std::string parts_behind(std::string_view attributes, std::string_view key, std::size_t parts) {
  const std::optional<std::string_view> rest = rest_behind(attributes, key);
  if (!rest) return "x";
  std::size_t end = 0;
  for (std::size_t i = 0; i < parts && end != std::string_view::npos; ++i)
    end = rest->find(';', end + (i > 0));
  std::string text(rest->substr(0, end));
  std::replace(text.begin(), text.end(), ';', ',');
  return text;
}

std::optional<KernelWindow> window_of(std::string_view attributes) {
  const std::optional<std::string_view> text = text_behind(attributes, "window_hw=(", ')');
  if (!text) return std::nullopt;
  const std::size_t middle = text->find(';');
  if (middle == std::string_view::npos) return std::nullopt;
  const std::optional<std::int64_t> height = number_behind(*text, "");
  const std::optional<std::int64_t> width = number_behind(text->substr(middle + 1), "");
  if (!height || !width || *height < 0 || *width < 0) return std::nullopt;
  return KernelWindow{*height, *width};
}

std::string halo_config(std::string_view attributes) {
  std::string layout = "x";
  if (const auto text = text_behind(attributes, "memory_layout=", ';')) {
    const std::size_t colons = text->find("::");
    if (colons != std::string_view::npos) layout = text->substr(colons + 2);
  }
  return "w=" + parts_behind(attributes, "window_hw=", 2) +
         " s=" + parts_behind(attributes, "stride_hw=", 2) + " p=" + parts_behind(attributes, "padding=", 4) +
         " d=" + parts_behind(attributes, "dilation_hw=", 2) + " | " + layout;
}

std::string conv_config(std::string_view attributes) {
  std::string config = "[ABH=" + number_or_x(attributes, "per_core_out_matrix_height_ntile=") + "|" +
                       number_or_x(attributes, "act_block_h_ntiles=");
  if (flag_of(attributes, "enable_act_double_buffer")) config += " ADB";
  if (flag_of(attributes, "enable_split_reader")) config += " SR";
  return config + "]";
}

}  // namespace ttscope::perf
