// A request of any kind: an answer with the security headers comes, and no file but a listed one. The input
// is the request's first lines.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "fuzz/fuzz_target.h"
#include "serve/handler.h"

namespace {

using namespace ttscope::serve;
using ttscope::fuzz::require;
using ttscope::fuzz::take_until;

Library sample() {
  Library library;
  library.settings.token = "t";
  library.settings.upload_limit_bytes = 1000;
  library.settings.library_policy = "default-src 'none'";
  library.settings.frame_policy = "default-src 'none'";
  library.version = 3;
  Report report;
  report.id = "r";
  report.folder = "r";
  report.page_token = "p";
  report.page = "r_report.html";
  report.files = {{"r_report.html", 1}, {"r_memory.json", 2}};
  library.reports.push_back(report);
  return library;
}

}  // namespace

TTSCOPE_FUZZ_TARGET(serve_request) {
  static const Library library = sample();
  Request request;
  request.method = take_until(text, "\n");
  request.target = take_until(text, "\n");
  while (!text.empty()) {
    const std::string_view line = take_until(text, "\n");
    const std::size_t colon = line.find(':');
    request.headers.emplace_back(line.substr(0, colon),
                                 colon == std::string_view::npos ? "" : line.substr(colon + 1));
  }
  const Response answer = handle(request, library);
  require(answer.header("Content-Security-Policy").find("default-src 'none'") == 0, "nothing is allowed");
  require(answer.header("Location").find_first_of("\r\n") == std::string_view::npos, "a header is one line");
  if (answer.file)
    require(answer.file->folder == "r" &&
                (answer.file->name == "r_report.html" || answer.file->name == "r_memory.json"),
            "only listed files are sent");
  if (answer.next == Next::kTakeUpload)
    require(answer.upload_bytes > 0 && answer.upload_bytes <= 1000, "uploads are small");
}
