#include "app/run_report.h"

#include <fmt/format.h>

#include "base/writer.h"
#include "mem/fit.h"
#include "mem/write/markdown/mem_markdown.h"
#include "mem/write/page/mem_page.h"
#include "mem/write/ttmem_files/ttmem_files.h"

namespace ttscope::app {

std::string page_path(const std::string& folder, const std::string& name) {
  return fmt::format("{}/{}_report.html", folder, name);
}

Result<std::vector<std::string>> write_run_report(const mem::Profile& log, const std::string& folder,
                                                  const mem::MemPageOptions& page_options) {
  const std::string& name = page_options.name;
  auto files = mem::write_ttmem_files(log.trace, log.memory, {folder, name});
  if (!files) return files;
  const std::string markdown = fmt::format("{}/{}_report.md", folder, name);
  Result<void> written =
      write_file(markdown, [&](Writer& out) { mem::write_mem_markdown(log.trace, log.memory, name, out); });
  if (!written) return failure(written.error());
  files->push_back(markdown);
  const std::string page = page_path(folder, name);
  mem::MemPageOptions with_fit = page_options;
  with_fit.fit = mem::fit_for_page(log);
  written = write_file(page, [&](Writer& out) { mem::write_mem_page(log, out, with_fit); });
  if (!written) return failure(written.error());
  files->push_back(page);
  return files;
}

}  // namespace ttscope::app
