#include "serve/request_checks.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <sys/random.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstring>

namespace ttscope::serve {
namespace {

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::optional<std::string> decoded(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i];
      continue;
    }
    if (i + 2 >= text.size()) return std::nullopt;
    const int high = hex_digit(text[i + 1]);
    const int low = hex_digit(text[i + 2]);
    if (high < 0 || low < 0) return std::nullopt;
    out += static_cast<char>(high * 16 + low);
    i += 2;
  }
  return out;
}

bool is_plain_segment(std::string_view segment) {
  if (segment == "." || segment == "..") return false;
  return std::none_of(segment.begin(), segment.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 || byte == 0x7F || c == '/' || c == '\\';
  });
}

std::string lower_case(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

/// `localhost:8000` gives `localhost`, `[::1]:80` gives `::1`; nothing when it is neither.
std::optional<std::string> host_name(std::string_view host) {
  std::string_view name = host;
  std::string_view port;
  if (!host.empty() && host.front() == '[') {
    const std::size_t end = host.find(']');
    if (end == std::string_view::npos) return std::nullopt;
    name = host.substr(1, end - 1);
    port = host.substr(end + 1);
  } else if (const std::size_t colon = host.find(':'); colon != std::string_view::npos) {
    name = host.substr(0, colon);
    port = host.substr(colon);
  }
  const bool is_port = port.empty() || (port.front() == ':' && port.size() <= 6 &&
                                        port.find_first_not_of("0123456789", 1) == std::string_view::npos);
  if (name.empty() || !is_port) return std::nullopt;
  return lower_case(name);
}

bool is_numeric_address(const std::string& name) {
  std::array<unsigned char, 16> address{};
  return inet_pton(AF_INET, name.c_str(), address.data()) == 1 ||
         inet_pton(AF_INET6, name.c_str(), address.data()) == 1;
}

}  // namespace

std::optional<Target> parse_target(std::string_view target) {
  if (target.empty() || target.front() != '/') return std::nullopt;
  Target parsed;
  const std::size_t question = target.find('?');
  std::string_view path = target.substr(1, question == std::string_view::npos ? question : question - 1);
  if (question != std::string_view::npos) parsed.query = target.substr(question + 1);
  while (true) {
    const std::size_t slash = path.find('/');
    std::optional<std::string> segment = decoded(path.substr(0, slash));
    if (!segment || !is_plain_segment(*segment)) return std::nullopt;
    parsed.segments.push_back(std::move(*segment));
    if (slash == std::string_view::npos) return parsed;
    path.remove_prefix(slash + 1);
  }
}

std::optional<std::string> query_value(std::string_view query, std::string_view key) {
  while (!query.empty()) {
    const std::size_t end = query.find('&');
    const std::string_view part = query.substr(0, end);
    const std::size_t equals = part.find('=');
    if (part.substr(0, equals) == key) {
      return equals == std::string_view::npos ? std::string() : decoded(part.substr(equals + 1));
    }
    if (end == std::string_view::npos) break;
    query.remove_prefix(end + 1);
  }
  return std::nullopt;
}

std::string url_encoded(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0 || std::strchr("-._~", c) != nullptr) {
      out += c;
    } else {
      out += fmt::format("%{:02X}", byte);
    }
  }
  return out;
}

bool is_host_allowed(std::string_view host, const ServeSettings& settings) {
  const std::optional<std::string> name = host_name(host);
  if (!name) return false;
  if (*name == "localhost" || *name == "127.0.0.1" || *name == "::1") return true;
  if (std::find(settings.host_names.begin(), settings.host_names.end(), *name) != settings.host_names.end()) {
    return true;
  }
  return settings.any_address && is_numeric_address(*name);
}

bool is_origin_allowed(const Request& request) {
  const std::string_view site = request.header("Sec-Fetch-Site");
  if (!site.empty() && site != "same-origin" && site != "none") return false;
  const std::string_view origin = request.header("Origin");
  return request.count("Origin") == 0 || lower_case(origin) == "http://" + lower_case(request.header("Host"));
}

bool is_token(std::string_view given, std::string_view token) {
  if (token.empty() || given.size() != token.size()) return false;
  unsigned difference = 0;
  for (std::size_t i = 0; i < token.size(); ++i) {
    difference |=
        static_cast<unsigned>(static_cast<unsigned char>(given[i]) ^ static_cast<unsigned char>(token[i]));
  }
  return difference == 0;
}

Result<std::string> new_token() {
  std::array<unsigned char, 16> bytes{};
  if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) {
    return failure(bad_input(fmt::format("no random numbers for the address: {}", std::strerror(errno))));
  }
  std::string token;
  for (const unsigned char byte : bytes) token += fmt::format("{:02x}", byte);
  return token;
}

std::string script_hash_of(std::string_view page_start) {
  constexpr std::string_view kBefore = "script-src '";
  constexpr std::string_view kMethod = "sha256-";
  constexpr std::size_t kDigestLetters = 44;
  const std::size_t found = page_start.find(kBefore);
  if (found == std::string_view::npos) return {};
  const std::string_view hash = page_start.substr(found + kBefore.size(), kMethod.size() + kDigestLetters);
  if (hash.size() != kMethod.size() + kDigestLetters || hash.substr(0, kMethod.size()) != kMethod) return {};
  const bool is_base64 = std::all_of(hash.begin() + kMethod.size(), hash.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '+' || c == '/' || c == '=';
  });
  return is_base64 ? std::string(hash) : std::string();
}

}  // namespace ttscope::serve
