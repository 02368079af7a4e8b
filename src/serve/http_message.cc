#include "serve/http_message.h"

#include <algorithm>

namespace ttscope::serve {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool is_name(std::string_view one, std::string_view other) {
  return std::equal(one.begin(), one.end(), other.begin(), other.end(),
                    [](char a, char b) { return lower(a) == lower(b); });
}

std::string_view first_of(const Headers& headers, std::string_view name) {
  const auto found =
      std::find_if(headers.begin(), headers.end(), [&](const auto& one) { return is_name(one.first, name); });
  return found == headers.end() ? std::string_view() : std::string_view(found->second);
}

}  // namespace

std::size_t Request::count(std::string_view name) const {
  return static_cast<std::size_t>(std::count_if(headers.begin(), headers.end(),
                                                [&](const auto& one) { return is_name(one.first, name); }));
}

std::string_view Request::header(std::string_view name) const { return first_of(headers, name); }

std::string_view Response::header(std::string_view name) const { return first_of(headers, name); }

}  // namespace ttscope::serve
