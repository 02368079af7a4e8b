#include "cli/visualize.h"

#include <fmt/format.h>

#include <filesystem>

#include "app/run_report.h"
#include "base/text_escape.h"
#include "base/writer.h"
#include "cli/exit_code.h"
#include "cli/page_options.h"
#include "cli/terminal.h"
#include "mem/load.h"
#include "mem/read/ttmem_files/ttmem_reader.h"

namespace ttscope::cli {
namespace {

namespace fs = std::filesystem;

/// Writes the page and returns its path.
Result<std::string> write_page(const std::string& folder, const std::string& name) {
  const Result<mem::Profile> run = mem::load_run(folder, {.run_name = name});
  if (!run) return failure(run.error());
  const std::string path = app::page_path(folder, name);
  const Result<void> written =
      write_file(path, [&](Writer& out) { mem::write_mem_page(*run, out, page_options(name)); });
  if (!written) return failure(written.error());
  return path;
}

}  // namespace

int visualize_run(const std::string& folder, const std::string& name) {
  std::error_code ignored;
  if (!fs::is_directory(folder, ignored)) {
    say(fmt::format("Error: Run directory not found: {}\n", terminal_safe(folder)));
    return kFailed;
  }
  const Result<std::string> chosen = name.empty() ? mem::find_run_name(folder) : Result<std::string>(name);
  if (!chosen) return fail(chosen.error());
  const Result<std::string> page = write_page(folder, *chosen);
  if (!page) return fail(page.error());
  const std::string whole = fs::absolute(*page, ignored).lexically_normal().string();
  return answer(fmt::format("Generated: {}\nfile://{}\n", terminal_safe(*page), terminal_safe(whole)));
}

}  // namespace ttscope::cli
