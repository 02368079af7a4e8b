// The pass that `ttscope graph` is measured against: simdjson's On-Demand parser over a list of nodes in
// blocks of 1 MB, reading counter and node_type of each node and keeping nothing. For generated captures: it
// knows how nodes begin.
#include <simdjson.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

#include "base/files.h"

namespace {

constexpr std::size_t kBlockBytes = std::size_t{1} << 20;
constexpr std::string_view kFirstKey = "\"arguments\":";

struct Totals {
  std::uint64_t nodes = 0;
  std::uint64_t counters = 0;
  std::uint64_t type_bytes = 0;
};

simdjson::error_code read_block(simdjson::ondemand::parser& parser, std::string& block, Totals& totals) {
  simdjson::ondemand::document document;
  simdjson::ondemand::array nodes;
  if (const auto error = parser.iterate(block.data(), block.size(), block.capacity()).get(document))
    return error;
  if (const auto error = document.get_array().get(nodes)) return error;
  for (auto element : nodes) {
    simdjson::ondemand::object node;
    std::uint64_t counter = 0;
    std::string_view type;
    if (const auto error = element.get_object().get(node)) return error;
    if (const auto error = node.find_field("counter").get_uint64().get(counter)) return error;
    if (const auto error = node.find_field("node_type").get_string().get(type)) return error;
    ++totals.nodes;
    totals.counters += counter;
    totals.type_bytes += type.size();
  }
  return simdjson::SUCCESS;
}

/// The comma before the last node that begins in the block; the end of the list for the last block.
std::size_t find_cut(std::string_view text, std::size_t at, std::size_t end) {
  if (end - at <= kBlockBytes) return end;
  const std::size_t key = text.rfind(kFirstKey, at + kBlockBytes);
  const std::size_t brace = text.rfind('{', key);
  const std::size_t comma = text.rfind(',', brace);
  return comma == std::string_view::npos || comma <= at ? end : comma;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: ttscope-plain-pass CAPTURE\n", stderr);
    return 2;
  }
  const auto file = ttscope::MappedFile::open(argv[1]);
  if (!file) {
    std::fprintf(stderr, "%s\n", file.error().message.c_str());
    return 1;
  }
  const std::string_view text = (*file)->bytes();
  const std::size_t end = text.rfind(']');
  simdjson::ondemand::parser parser;
  std::string block;
  Totals totals;
  const std::size_t list = text.starts_with('{') ? text.find("\"graph\"") : 0;
  for (std::size_t at = text.find('[', list) + 1; end != std::string_view::npos && at < end;) {
    const std::size_t cut = find_cut(text, at, end);
    block.clear();
    block.reserve(cut - at + 2 + simdjson::SIMDJSON_PADDING);
    block += '[';
    block += text.substr(at, cut - at);
    block += ']';
    if (const auto error = read_block(parser, block, totals)) {
      std::fprintf(stderr, "%s near byte %zu\n", simdjson::error_message(error), at);
      return 1;
    }
    at = cut + 1;
  }
  std::printf("%llu nodes\n", static_cast<unsigned long long>(totals.nodes));
  return totals.counters > 0 && totals.type_bytes > 0 ? 0 : 1;
}
