#include "serve/handler.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/json_writer.h"
#include "base/text.h"
#include "serve/request_checks.h"

namespace ttscope::serve {
namespace {

/// Beside its script, what a report page may do.
constexpr std::string_view kFrameRights = " allow-downloads";

/// For everything that is no page: nothing may run, load or be framed.
constexpr std::string_view kNothingPolicy =
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox";

Text text_of(std::string_view text) { return std::make_shared<const std::string>(text); }

enum class Framing { kNobody, kSelf };  ///< who may show an answer in a frame

void add_security_headers(Response& response, std::string_view policy, Framing framing = Framing::kNobody) {
  response.headers.insert(response.headers.end(),
                          {{"Content-Security-Policy", std::string(policy)},
                           {"X-Content-Type-Options", "nosniff"},
                           {"X-Frame-Options", framing == Framing::kSelf ? "SAMEORIGIN" : "DENY"},
                           {"X-DNS-Prefetch-Control", "off"},
                           // What no policy of contents covers: WebRTC, connections in
                           // advance, look-ups of names.
                           {"Connection-Allowlist", "(response-origin)"},
                           {"Referrer-Policy", "no-referrer"},
                           {"Cross-Origin-Opener-Policy", "same-origin"},
                           {"Cross-Origin-Resource-Policy", "same-origin"},
                           {"Cache-Control", "no-store"}});
}

Response answer(int status, std::string_view type, Text body) {
  Response response;
  response.status = status;
  response.headers = {{"Content-Type", std::string(type)}};
  response.body = std::move(body);
  add_security_headers(response, kNothingPolicy);
  return response;
}

Response not_found() {
  return plain_answer(404, "Nothing here. Open the address that ttscope printed, with its long token.\n");
}

Response wrong_method(std::string_view allowed) {
  Response response = plain_answer(405, fmt::format("Only {} is answered here.\n", allowed));
  response.headers.emplace_back("Allow", allowed);
  return response;
}

/// Where a path without its closing slash belongs; only the path, so that the host stays what the user typed.
Response moved(const std::string& path) {
  Response response = plain_answer(308, "Moved.\n");
  response.headers.emplace_back("Location", path);
  return response;
}

Response library_page(const Library& library) {
  Response response;
  response.headers = {{"Content-Type", "text/html; charset=utf-8"}};
  response.body = library.settings.library_page;
  add_security_headers(response, library.settings.library_policy);
  return response;
}

Response library_data(const Library& library) {
  return answer(200, "application/json; charset=utf-8",
                library.json ? library.json : text_of(library_json(library)));
}

/// Answers at once when the library differs from what the page knows, which is also the case after a restart.
Response changes(const Request& request, const Target& target, const Library& library) {
  const std::optional<std::string> after = query_value(target.query, "after");
  std::uint64_t version = 0;
  if (!after || after->empty()) return error_answer(400, "after=VERSION is missing");
  const auto [end, error] = std::from_chars(after->data(), after->data() + after->size(), version);
  if (error != std::errc() || end != after->data() + after->size()) {
    return error_answer(400, "after is not a version number");
  }
  Response response = library_data(library);
  if (version == library.version && !request.waited) response.next = Next::kWaitForChange;
  return response;
}

std::string_view type_of(std::string_view name) {
  const auto ends = [&](std::string_view end) {
    return name.size() >= end.size() && name.substr(name.size() - end.size()) == end;
  };
  if (ends(".html")) return "text/html; charset=utf-8";
  if (ends(".json")) return "application/json; charset=utf-8";
  if (ends(".md") || ends(".log") || ends(".txt")) return "text/plain; charset=utf-8";
  return "application/octet-stream";
}

/// A report page is a file that anybody may have put there: it gets an origin of its own (sandbox), so that
/// its script can neither read the library nor upload, and no network. Where it may go is for the page around
/// it to say (frame-src).
std::string page_policy(const Report& report) {
  return fmt::format(
      "default-src 'none'; script-src '{}'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
      "form-action 'none'; frame-ancestors 'self'; webrtc 'block'; sandbox allow-scripts{}",
      report.script_hash.empty() ? "unsafe-inline" : report.script_hash, kFrameRights);
}

/// Only the frame shows a page, and it is no file to look at: a browser that opens it in a window of its own
/// would let it go anywhere.
Response page_answer(const Request& request, const Target& target, const Report& report) {
  if (request.method != "GET") return wrong_method("GET");
  if (target.segments.size() != 2 || !target.segments[1].empty()) return not_found();
  const std::string_view use = request.header("Sec-Fetch-Dest");
  if (!use.empty() && use != "iframe")
    return plain_answer(403, "This page is shown in its frame only; open the report from the library.\n");
  Response response;
  response.headers = {{"Content-Type", "text/html; charset=utf-8"}};
  add_security_headers(response, page_policy(report), Framing::kSelf);
  response.file = FileReference{report.root, report.folder, report.page};
  return response;
}

std::string with_mark(std::string page, std::string_view mark, std::string_view text) {
  if (const std::size_t at = page.find(mark); at != std::string::npos) page.replace(at, mark.size(), text);
  return page;
}

/// The page around a report. The token in its address stays here; the frame is at one that leads nowhere
/// else.
Response frame_of(const Report& report, const ServeSettings& settings) {
  const std::string name = markup_text(report.name);
  const std::string frame = fmt::format(
      "<nav id=\"bar\"><a href=\"../../\">All reports</a> <b>{}</b></nav>\n<iframe id=\"report\" "
      "title=\"Report\" sandbox=\"allow-scripts{}\" src=\"/{}/\"></iframe>",
      name, kFrameRights, report.page_token);
  Response response;
  response.headers = {{"Content-Type", "text/html; charset=utf-8"}};
  std::string page = settings.frame_page ? *settings.frame_page : std::string();
  page = with_mark(std::move(page), "<!--ttscope:title-->", name);
  response.body = text_of(with_mark(std::move(page), "<!--ttscope:frame-->", frame));
  add_security_headers(response, settings.frame_policy);
  return response;
}

/// A file of a report. A page is for the disk: what it shows is for its frame.
Response file_of(const Report& report, const std::string& name) {
  Response response;
  response.headers = {{"Content-Type", std::string(type_of(name))}};
  if (name.ends_with(".html")) response.headers.emplace_back("Content-Disposition", "attachment");
  add_security_headers(response, kNothingPolicy);
  response.file = FileReference{report.root, report.folder, name};
  return response;
}

/// Segments behind the token: `timeline`, and what its page asks for or nothing.
Response timeline_answer(const Target& target, const Library& library) {
  const ServeSettings& settings = library.settings;
  const std::vector<std::string>& segments = target.segments;
  if (!settings.timeline || segments.size() > 3) return not_found();
  if (segments.size() == 2) return moved(fmt::format("/{}/timeline/", settings.token));
  if (segments[2].empty()) {
    Response response;
    response.headers = {{"Content-Type", "text/html; charset=utf-8"}};
    response.body = settings.timeline->page;
    add_security_headers(response, settings.timeline->policy);
    return response;
  }
  const Result<std::string> found = settings.timeline->answer(segments[2], target.query);
  if (found) return answer(200, "application/json; charset=utf-8", text_of(*found));
  return error_answer(found.error().code == ErrorCode::kNothingFound ? 404 : 400, found.error().message);
}

/// Segments behind the token: `reports`, the report, and the file or nothing.
Response report_answer(const Target& target, const Library& library) {
  const std::vector<std::string>& segments = target.segments;
  if (segments.size() < 3 || segments.size() > 4) return not_found();
  const auto report = std::find_if(library.reports.begin(), library.reports.end(),
                                   [&](const Report& one) { return one.id == segments[2]; });
  if (report == library.reports.end()) return not_found();
  if (segments.size() == 3) {
    return moved(fmt::format("/{}/reports/{}/", library.settings.token, url_encoded(report->id)));
  }
  if (segments[3].empty()) {
    if (!report->page.empty() && !report->page_token.empty()) return frame_of(*report, library.settings);
    return plain_answer(404, "This report has no page; its files are listed in the library.\n");
  }
  const auto file = std::find_if(report->files.begin(), report->files.end(),
                                 [&](const ReportFile& one) { return one.name == segments[3]; });
  return file == report->files.end() ? not_found() : file_of(*report, file->name);
}

Response upload(const Request& request, const Target& target, const Library& library) {
  const std::uint64_t limit = library.settings.upload_limit_bytes;
  if (limit == 0) return error_answer(403, "uploads are switched off");
  if (!is_origin_allowed(request)) return error_answer(403, "uploads come from the library page only");
  const std::optional<std::string> name = query_value(target.query, "name");
  if (!name || name->empty()) return error_answer(400, "name=FILE is missing");
  const std::string_view length = request.header("Content-Length");
  if (length.empty() || request.count("Transfer-Encoding") != 0)
    return error_answer(411, "Content-Length is missing");
  std::uint64_t size_bytes = 0;
  const auto [end, error] = std::from_chars(length.data(), length.data() + length.size(), size_bytes);
  if (error != std::errc() || end != length.data() + length.size())
    return error_answer(400, "bad Content-Length");
  if (size_bytes == 0) return error_answer(400, "the log is empty");
  if (size_bytes > limit) {
    return error_answer(413, fmt::format("the log has {} bytes, at most {} are taken", size_bytes, limit));
  }
  Response response = error_answer(500, "the upload was not taken");
  response.next = Next::kTakeUpload;
  response.upload_name = *name;
  response.upload_bytes = size_bytes;
  return response;
}

/// Two reports to compare; the page that comes of it is a report of its own.
Response comparison(const Request& request, const Target& target, const Library& library) {
  if (has_body(request)) return error_answer(400, "a comparison has no body");
  if (!library.settings.can_compare)
    return error_answer(403, "there is no folder that comparisons could go to");
  if (!is_origin_allowed(request))
    return error_answer(403, "comparisons are asked for by the library page only");
  Response response = error_answer(500, "the comparison was not taken");
  response.next = Next::kCompare;
  for (const auto& [key, id] :
       {std::pair("before", &response.before_id), std::pair("after", &response.after_id)}) {
    const std::optional<std::string> asked = query_value(target.query, key);
    if (!asked) return error_answer(400, fmt::format("{}=ID is missing", key));
    const auto report = std::find_if(library.reports.begin(), library.reports.end(),
                                     [&](const Report& one) { return one.id == *asked; });
    if (report == library.reports.end()) return error_answer(404, fmt::format("no report {}", *asked));
    if (report->inputs.empty()) {
      return error_answer(409,
                          fmt::format("{}: neither its log nor its JSON files are here; compare the inputs "
                                      "with `ttscope diff`",
                                      report->name));
    }
    *id = *asked;
  }
  if (response.before_id == response.after_id) return error_answer(400, "a report and itself are the same");
  return response;
}

Response api_answer(const Request& request, const Target& target, const Library& library) {
  const std::string& name = target.segments[2];
  if (target.segments.size() != 3) return not_found();
  if (name == "logs")
    return request.method == "POST" ? upload(request, target, library) : wrong_method("POST");
  if (name == "diffs")
    return request.method == "POST" ? comparison(request, target, library) : wrong_method("POST");
  if (request.method != "GET") return wrong_method("GET");
  if (name == "library") return library_data(library);
  if (name == "changes") return changes(request, target, library);
  return not_found();
}

}  // namespace

Response plain_answer(int status, std::string_view text) {
  return answer(status, "text/plain; charset=utf-8", text_of(text));
}

Response error_answer(int status, std::string_view text) {
  StringWriter out;
  JsonWriter json(out);
  json.object([&] { json.field("error", text); });
  const bool done = out.finish().has_value();
  return answer(status, "application/json; charset=utf-8", text_of(done ? out.text() : std::string()));
}

Response job_answer(const Job& job) {
  return answer(202, "application/json; charset=utf-8", text_of(job_json(job)));
}

bool knows_an_address(const Request& request, const Library& library) {
  const std::optional<Target> target = parse_target(request.target);
  if (!target) return false;
  const std::string& token = target->segments[0];
  return is_token(token, library.settings.token) ||
         std::any_of(library.reports.begin(), library.reports.end(),
                     [&](const Report& report) { return is_token(token, report.page_token); });
}

bool has_body(const Request& request) {
  return request.count("Transfer-Encoding") != 0 || request.count("Content-Length") > 1 ||
         (request.count("Content-Length") == 1 && request.header("Content-Length") != "0");
}

Response handle(const Request& request, const Library& library) {
  if (request.count("Host") != 1) return plain_answer(400, "One Host header is needed.\n");
  for (const std::string_view single : {"Content-Length", "Transfer-Encoding", "Origin", "Sec-Fetch-Site"}) {
    if (request.count(single) > 1) return plain_answer(400, fmt::format("One {} header, please.\n", single));
  }
  if (!is_host_allowed(request.header("Host"), library.settings)) {
    return plain_answer(421, "This server does not answer under that name.\n");
  }
  if (request.method != "GET" && request.method != "POST") return wrong_method("GET");
  const std::optional<Target> target = parse_target(request.target);
  if (!target) return plain_answer(400, "This is not a plain path.\n");
  const std::vector<std::string>& segments = target->segments;
  for (const Report& report : library.reports) {
    if (is_token(segments[0], report.page_token)) return page_answer(request, *target, report);
  }
  if (!is_token(segments[0], library.settings.token)) return not_found();
  const bool is_api = segments.size() >= 3 && segments[1] == "api";
  if (is_api) return api_answer(request, *target, library);
  if (request.method != "GET") return wrong_method("GET");
  if (segments.size() == 1) return moved(fmt::format("/{}/", library.settings.token));
  if (segments.size() == 2 && segments[1].empty()) return library_page(library);
  if (segments[1] == "timeline") return timeline_answer(*target, library);
  if (segments[1] == "reports") return report_answer(*target, library);
  return not_found();
}

}  // namespace ttscope::serve
