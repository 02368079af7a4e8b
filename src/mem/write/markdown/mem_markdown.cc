#include "mem/write/markdown/mem_markdown.h"

#include <fmt/format.h>

#include "mem/write/markdown/markdown_sections.h"
#include "report/document_head.h"

namespace ttscope::mem {

void write_mem_markdown(const RuntimeTrace& trace, const MemoryProfile& profile, const std::string& name,
                        Writer& out) {
  const MarkdownContext view{trace, profile, Names::kMarked};
  out.write(headline_section(view, name));
  out.write(fmt::format("\n\n{}", report::kDataNotice));
  for (const auto section :
       {configuration_section, peak_section, consumers_section, padding_section, weights_section,
        distribution_section, fixes_section, trust_section, growth_section, live_section, failure_section}) {
    const std::string text = section(view);
    if (text.empty()) continue;
    out.write("\n\n");
    out.write(text);
  }
  out.write('\n');
}

}  // namespace ttscope::mem
