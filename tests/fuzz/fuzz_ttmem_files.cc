// The four files of a run through reader, analysis and report page. The input holds them one behind the
// other, each ended by a line of `=`: memory, operations, registry, modules; a part that is missing is a
// missing file.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

#include "base/writer.h"
#include "mem/analyse/recorded_profile.h"
#include "mem/read/ttmem_files/ttmem_reader.h"
#include "mem/write/page/mem_page.h"
#include "mem/write/page/recorded_absence.h"
#include "support/invariants.h"

namespace {

using ttscope::mem::PaddedText;

void require(bool holds, const char* rule) {
  if (holds) return;
  std::fprintf(stderr, "broken: %s\n", rule);
  std::abort();
}

std::optional<PaddedText> next_part(std::string_view& text) {
  constexpr std::string_view kEnd = "\n=\n";
  if (text.empty()) return std::nullopt;
  const std::size_t end = text.find(kEnd);
  const std::string part(text.substr(0, end));
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + kEnd.size());
  return PaddedText(part);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  ttscope::mem::TtmemTexts texts;
  texts.name = "run";
  texts.memory = next_part(text);
  texts.operations = next_part(text);
  texts.registry = next_part(text);
  texts.modules = next_part(text);
  const auto run = ttscope::mem::read_ttmem_texts(std::move(texts));
  if (!run) {
    require(!run.error().message.empty(), "an error says something");
    return 0;
  }
  const auto profile = ttscope::mem::profile_recorded_run(*run);
  const std::string broken = ttscope::testing::broken_invariant(run->trace, profile);
  require(broken.empty(), broken.c_str());
  ttscope::StringWriter page;
  ttscope::mem::MemPageOptions options;
  options.absent = ttscope::mem::recorded_absence(*run);
  options.threads = 1;
  ttscope::mem::write_mem_page(run->trace, profile, page, options);
  require(page.finish().has_value() && !page.text().empty(), "there is a page");
  return 0;
}
