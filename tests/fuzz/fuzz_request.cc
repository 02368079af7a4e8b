// A request of any kind: an answer with the security headers comes, and no file but a listed one. The input
// is the request's first lines.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "serve/handler.h"

namespace {

using namespace ttscope::serve;

void require(bool holds) {
  if (!holds) std::abort();
}

std::string_view next_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return line;
}

Library sample() {
  Library library;
  library.settings.token = "t";
  library.settings.upload_limit_bytes = 1000;
  library.settings.library_policy = "default-src 'none'";
  library.version = 3;
  Report report;
  report.id = "r";
  report.folder = "r";
  report.page = "r_report.html";
  report.files = {{"r_report.html", 1}, {"r_memory.json", 2}};
  library.reports.push_back(report);
  return library;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Library library = sample();
  std::string_view text(reinterpret_cast<const char*>(data), size);
  Request request;
  request.method = next_line(text);
  request.target = next_line(text);
  while (!text.empty()) {
    const std::string_view line = next_line(text);
    const std::size_t colon = line.find(':');
    request.headers.emplace_back(line.substr(0, colon),
                                 colon == std::string_view::npos ? "" : line.substr(colon + 1));
  }
  const Response answer = handle(request, library);
  require(answer.header("Content-Security-Policy").find("default-src 'none'") == 0);
  require(answer.header("Location").find_first_of("\r\n") == std::string_view::npos);
  if (answer.file)
    require(answer.file->folder == "r" &&
            (answer.file->name == "r_report.html" || answer.file->name == "r_memory.json"));
  if (answer.next == Next::kTakeUpload) require(answer.upload_bytes > 0 && answer.upload_bytes <= 1000);
  return 0;
}
