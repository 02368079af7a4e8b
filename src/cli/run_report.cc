#include "cli/run_report.h"

#include <fmt/format.h>

#include <memory>

#include "base/writer.h"
#include "output/markdown/mem_markdown.h"
#include "output/ttmem_files/ttmem_files.h"
#if __has_include("output/mem_page/mem_page.h")
#include "cli/page_options.h"
#include "output/mem_page/mem_page.h"
#define TTSCOPE_HAS_PAGE 1
#endif

namespace ttscope::cli {
namespace {

template <typename Write>
Result<void> write_file(const std::string& path, Write write) {
  Result<std::unique_ptr<Writer>> writer = open_writer(path);
  if (!writer) return failure(writer.error());
  write(**writer);
  return (*writer)->finish();
}

}  // namespace

Result<std::vector<std::string>> write_run_report(const ProfiledLog& log, const std::string& folder,
                                                  const std::string& name) {
  auto files = output::write_ttmem_files(log.trace, log.profile, {folder, name});
  if (!files) return files;
  const std::string markdown = fmt::format("{}/{}_report.md", folder, name);
  Result<void> written = write_file(
      markdown, [&](Writer& out) { output::write_mem_markdown(log.trace, log.profile, name, out); });
  if (!written) return failure(written.error());
  files->push_back(markdown);
#ifdef TTSCOPE_HAS_PAGE
  const std::string page = fmt::format("{}/{}_report.html", folder, name);
  written = write_file(
      page, [&](Writer& out) { output::write_mem_page(log.trace, log.profile, out, page_options(name)); });
  if (!written) return failure(written.error());
  files->push_back(page);
#endif
  return files;
}

}  // namespace ttscope::cli
