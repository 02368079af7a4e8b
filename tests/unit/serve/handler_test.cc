#include "serve/handler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace ttscope::serve {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kToken = "0123456789abcdef0123456789abcdef";
constexpr const char* kPageToken = "fedcba9876543210fedcba9876543210";

Library sample_library() {
  Library library;
  library.settings.token = kToken;
  library.settings.upload_limit_bytes = 1000;
  library.settings.library_page = std::make_shared<const std::string>("<!doctype html>the list");
  library.settings.library_policy = "default-src 'none'; script-src 'sha256-x'";
  library.settings.frame_page =
      std::make_shared<const std::string>("<title><!--ttscope:title--></title><!--ttscope:frame-->");
  library.settings.frame_policy = "default-src 'none'; frame-src 'self'; webrtc 'block'";
  library.version = 7;
  Report report;
  report.id = "bert";
  report.name = "bert";
  report.root = 1;
  report.folder = "bert";
  report.files = {{"bert_report.html", 10}, {"bert_memory.json", 20}, {"b\xC3\xA4 r.md", 1}};
  report.page = "bert_report.html";
  report.page_token = kPageToken;
  report.script_hash = "sha256-abc";
  library.reports.push_back(report);
  Report bare;
  bare.id = "bare";
  bare.files = {{"bare_memory.json", 20}};
  library.reports.push_back(bare);
  return library;
}

Request request(std::string method, std::string path, Headers more = {}) {
  Request made;
  made.method = std::move(method);
  made.target = path.rfind("raw:", 0) == 0 ? path.substr(4) : std::string("/") + kToken + path;
  made.headers = {{"Host", "127.0.0.1:8000"}};
  made.headers.insert(made.headers.end(), more.begin(), more.end());
  return made;
}

Response get(const std::string& path) { return handle(request("GET", path), sample_library()); }

Response post(const std::string& path, Headers more = {}) {
  return handle(request("POST", path, more), sample_library());
}

TEST(Handler, ThePageIsAtTheToken) {
  const Response page = get("/");
  EXPECT_EQ(page.status, 200);
  EXPECT_EQ(page.text(), "<!doctype html>the list");
  EXPECT_EQ(page.header("content-security-policy"), "default-src 'none'; script-src 'sha256-x'");
  const Response moved = get("");
  EXPECT_EQ(moved.status, 308);
  EXPECT_EQ(moved.header("Location"), std::string("/") + kToken + "/");
}

TEST(Handler, NothingIsSaidWithoutTheToken) {
  for (const char* target : {"/", "/api/library", "/0123/", "/0123456789abcdef0123456789abcdeF/",
                             "/0123456789abcdef0123456789abcdef0/", "//0123456789abcdef0123456789abcdef/",
                             "/reports/bert/", "/favicon.ico"}) {
    const Response refused = handle(request("GET", std::string("raw:") + target), sample_library());
    EXPECT_EQ(refused.status, 404) << target;
    EXPECT_FALSE(refused.file) << target;
    EXPECT_THAT(refused.text(), Not(HasSubstr(kToken)));
  }
  Library open = sample_library();
  open.settings.token.clear();
  EXPECT_EQ(handle(request("GET", "raw://"), open).status, 404) << "an empty token opens nothing";
}

TEST(Handler, EveryAnswerHasTheSecurityHeaders) {
  for (const Response& answer : {get("/"), get("/api/library"), get("/reports/bert/"), get("/nothing"),
                                 get("/reports/bert/../x"), post("/api/logs"), post("/")}) {
    EXPECT_THAT(std::string(answer.header("Content-Security-Policy")), HasSubstr("default-src 'none'"));
    EXPECT_EQ(answer.header("X-Content-Type-Options"), "nosniff");
    EXPECT_EQ(answer.header("X-Frame-Options"), "DENY");
    EXPECT_EQ(answer.header("Referrer-Policy"), "no-referrer");
    EXPECT_EQ(answer.header("Cross-Origin-Resource-Policy"), "same-origin");
    EXPECT_EQ(answer.header("Cache-Control"), "no-store");
    EXPECT_EQ(answer.header("Access-Control-Allow-Origin"), "");
  }
}

TEST(Handler, AReportIsServedInAFrame) {
  Library library = sample_library();
  library.reports[0].name = "a</title><script>";
  const Response frame = handle(request("GET", "/reports/bert/"), library);
  EXPECT_EQ(frame.status, 200);
  EXPECT_FALSE(frame.file);
  EXPECT_THAT(std::string(frame.text()),
              AllOf(HasSubstr("sandbox=\"allow-scripts allow-downloads\""),
                    HasSubstr(std::string("src=\"/") + kPageToken + "/\""), Not(HasSubstr(kToken)),
                    Not(HasSubstr("<script>")), HasSubstr("<title>a&lt;/title&gt;")));
  EXPECT_THAT(std::string(frame.header("Content-Security-Policy")),
              AllOf(HasSubstr("frame-src 'self'"), HasSubstr("webrtc 'block'")));
  library.reports[0].page_token.clear();
  EXPECT_EQ(handle(request("GET", "/reports/bert/"), library).status, 404) << "no address, no page";
}

TEST(Handler, APageIsForItsFrameOnlyAndOpensNothingElse) {
  const auto at = [](const std::string& path, Headers more = {}) {
    return handle(request("GET", "raw:/" + std::string(kPageToken) + path, std::move(more)),
                  sample_library());
  };
  EXPECT_TRUE(at("/", {{"Sec-Fetch-Dest", "iframe"}}).file);
  for (const char* use : {"document", "empty", "script", "image", "embed", "object"}) {
    EXPECT_EQ(at("/", {{"Sec-Fetch-Dest", use}}).status, 403) << use;
  }
  for (const char* path : {"", "/api/library", "/reports/bert/", "/bert_memory.json", "//", "/api/logs"}) {
    EXPECT_EQ(at(path).status, 404) << path;
  }
  const std::string post_target = std::string("raw:/") + kPageToken + "/";
  EXPECT_EQ(handle(request("POST", post_target), sample_library()).status, 405);
}

TEST(Handler, APageAmongTheFilesIsForTheDisk) {
  const Response page = get("/reports/bert/bert_report.html");
  EXPECT_EQ(page.header("Content-Disposition"), "attachment");
  EXPECT_THAT(std::string(page.header("Content-Security-Policy")), Not(HasSubstr("allow-scripts")));
}

TEST(Handler, HeadersThatTwoReadersCouldReadDifferentlyAreRefused) {
  for (const char* name : {"Content-Length", "Origin", "Transfer-Encoding", "Sec-Fetch-Site"}) {
    EXPECT_EQ(post("/api/logs?name=x", {{name, "5"}, {name, "5"}}).status, 400) << name;
  }
}

TEST(Handler, WhoKnowsAnAddress) {
  const auto knows = [](const std::string& target) {
    return knows_an_address(request("GET", "raw:" + target), sample_library());
  };
  EXPECT_TRUE(knows(std::string("/") + kToken + "/"));
  EXPECT_TRUE(knows(std::string("/") + kPageToken + "/"));
  for (const char* target : {"/", "", "/0123/", "//", "/../", "/0123456789abcdef0123456789abcdeF/"})
    EXPECT_FALSE(knows(target)) << target;
}

TEST(Handler, AReportIsServedFromItsFolderInASandbox) {
  const Response page = handle(request("GET", std::string("raw:/") + kPageToken + "/"), sample_library());
  ASSERT_TRUE(page.file);
  EXPECT_EQ(page.file->root, 1U);
  EXPECT_EQ(page.file->folder, "bert");
  EXPECT_EQ(page.file->name, "bert_report.html");
  EXPECT_THAT(std::string(page.header("Content-Security-Policy")),
              AllOf(HasSubstr("script-src 'sha256-abc'"), HasSubstr("sandbox allow-scripts"),
                    HasSubstr("webrtc 'block'"), HasSubstr("frame-ancestors 'self'"),
                    Not(HasSubstr("allow-same-origin")), Not(HasSubstr("connect-src"))));
  EXPECT_EQ(get("/reports/bert").header("Location"), std::string("/") + kToken + "/reports/bert/");
  EXPECT_EQ(get("/reports/bare/").status, 404) << "it has no page";
}

TEST(Handler, FilesAreServedByTheirListedNamesOnly) {
  EXPECT_EQ(get("/reports/bert/bert_memory.json").file->name, "bert_memory.json");
  EXPECT_EQ(get("/reports/bert/b%C3%A4%20r.md").file->name, "b\xC3\xA4 r.md");
  EXPECT_THAT(std::string(get("/reports/bert/bert_memory.json").header("Content-Security-Policy")),
              HasSubstr("sandbox"));
  for (const char* path :
       {"/reports/bert/source.json", "/reports/bert/bare_memory.json", "/reports/bert/x/y",
        "/reports//bert_memory.json", "/reports/BERT/", "/reports/bert/bert_memory.json/"}) {
    EXPECT_EQ(get(path).status, 404) << path;
  }
}

TEST(Handler, PathsThatLeadElsewhereAreRefused) {
  for (const char* path :
       {"/reports/bert/../../../etc/passwd", "/reports/bert/%2e%2e/x", "/reports/bert/..%2f..%2fetc%2fpasswd",
        "/reports/bert/%2E%2E%2Fx", "/reports/bert/..%5cx", "/reports/bert/..\\x", "/reports/./bert/",
        "/reports/bert/%00", "/reports/bert/a%00.json", "/reports/bert/%", "/reports/bert/%4",
        "/reports/bert/%zz", "/reports/bert/%2fetc%2fpasswd", "/reports/bert/%0d%0aSet-Cookie:x", "/..",
        "/%2e"}) {
    const Response refused = get(path);
    EXPECT_EQ(refused.status, 400) << path;
    EXPECT_FALSE(refused.file) << path;
  }
  // Decoded once: what is still encoded afterwards is a name that no report has.
  EXPECT_EQ(get("/reports/bert/%252e%252e%252fx").status, 404);
  for (const char* target : {"raw:", "raw:*", "raw:http://evil.example/", "raw:127.0.0.1:80"}) {
    EXPECT_EQ(handle(request("GET", target), sample_library()).status, 400) << target;
  }
}

TEST(Handler, OnlyGetAndTheUpload) {
  for (const char* method :
       {"HEAD", "PUT", "DELETE", "OPTIONS", "TRACE", "CONNECT", "PATCH", "get", "PROPFIND", ""}) {
    const Response refused = handle(request(method, "/"), sample_library());
    EXPECT_EQ(refused.status, 405) << method;
    EXPECT_EQ(refused.header("Allow"), "GET") << method;
  }
  for (const char* path : {"/", "", "/api/library", "/api/changes?after=1", "/reports/bert/"}) {
    EXPECT_EQ(post(path).status, 405) << path;
  }
  const Response wrong = get("/api/logs?name=x");
  EXPECT_EQ(wrong.status, 405);
  EXPECT_EQ(wrong.header("Allow"), "POST");
}

TEST(Handler, OtherHostNamesAreRefused) {
  Request asked = request("GET", "/");
  for (const char* host :
       {"evil.example", "evil.example:8000", "localhost.evil.example", "127.0.0.1.evil.example", "",
        "127.0.0.2", "192.168.0.7:8000", "localhost:80:80", "[::1", "[::1]x", "localhost:http", ":8000",
        "localhost@evil.example", "0.0.0.0:8000"}) {
    asked.headers = {{"Host", host}};
    EXPECT_EQ(handle(asked, sample_library()).status, 421) << host;
  }
  for (const char* host :
       {"localhost", "LOCALHOST:9000", "127.0.0.1", "127.0.0.1:1", "[::1]", "[::1]:8000"}) {
    asked.headers = {{"host", host}};
    EXPECT_EQ(handle(asked, sample_library()).status, 200) << host;
  }
  asked.headers = {};
  EXPECT_EQ(handle(asked, sample_library()).status, 400);
  asked.headers = {{"Host", "localhost"}, {"Host", "localhost"}};
  EXPECT_EQ(handle(asked, sample_library()).status, 400);
}

TEST(Handler, AServerForOthersAnswersUnderItsNamesAndAddresses) {
  Library library = sample_library();
  library.settings.any_address = true;
  library.settings.host_names = {"box.example", ""};
  Request asked = request("GET", "/");
  for (const auto& [host, status] : std::vector<std::pair<std::string, int>>{{"192.168.0.7:8000", 200},
                                                                             {"[fe80::1]:8000", 200},
                                                                             {"box.example:8000", 200},
                                                                             {"evil.example", 421},
                                                                             {"", 421}}) {
    asked.headers = {{"Host", host}};
    EXPECT_EQ(handle(asked, library).status, status) << host;
  }
}

TEST(Handler, ChangesWaitUntilThereAreSome) {
  EXPECT_EQ(get("/api/changes?after=7").next, Next::kWaitForChange);
  EXPECT_EQ(get("/api/changes?after=6").next, Next::kSend);
  EXPECT_EQ(get("/api/changes?after=8").next, Next::kSend) << "the server was started again";
  Request late = request("GET", "/api/changes?after=7");
  late.waited = true;
  EXPECT_EQ(handle(late, sample_library()).next, Next::kSend);
  for (const char* path :
       {"/api/changes", "/api/changes?after=", "/api/changes?after=x", "/api/changes?after=-1",
        "/api/changes?after=7x", "/api/changes?after=99999999999999999999999"}) {
    EXPECT_EQ(get(path).status, 400) << path;
  }
}

TEST(Handler, AnUploadIsTakenWithNameAndSize) {
  const Response taken = post("/api/logs?name=my%20run.log", {{"Content-Length", "1000"}});
  EXPECT_EQ(taken.next, Next::kTakeUpload);
  EXPECT_EQ(taken.upload_name, "my run.log");
  EXPECT_EQ(taken.upload_bytes, 1000U);
  EXPECT_EQ(
      post("/api/logs?name=x",
           {{"Content-Length", "5"}, {"Origin", "http://127.0.0.1:8000"}, {"Sec-Fetch-Site", "same-origin"}})
          .next,
      Next::kTakeUpload);
}

TEST(Handler, UploadsThatAreRefused) {
  const std::vector<std::pair<Headers, int>> cases = {
      {{{"Content-Length", "1001"}}, 413},
      {{{"Content-Length", "99999999999999999999999999"}}, 400},
      {{{"Content-Length", "-5"}}, 400},
      {{{"Content-Length", "0"}}, 400},
      {{}, 411},
      {{{"Content-Length", "5"}, {"Transfer-Encoding", "chunked"}}, 411},
      {{{"Content-Length", "5"}, {"Origin", "http://evil.example"}}, 403},
      {{{"Content-Length", "5"}, {"Origin", "null"}}, 403},
      {{{"Content-Length", "5"}, {"Origin", "http://127.0.0.1:9000"}}, 403},
      {{{"Content-Length", "5"}, {"Sec-Fetch-Site", "cross-site"}}, 403},
  };
  for (const auto& [headers, status] : cases) {
    const Response refused = post("/api/logs?name=x", headers);
    EXPECT_EQ(refused.status, status);
    EXPECT_EQ(refused.next, Next::kSend);
    EXPECT_THAT(std::string(refused.text()), HasSubstr("\"error\":"));
  }
  EXPECT_EQ(post("/api/logs", {{"Content-Length", "5"}}).status, 400);
  Library closed = sample_library();
  closed.settings.upload_limit_bytes = 0;
  EXPECT_EQ(handle(request("POST", "/api/logs?name=x", {{"Content-Length", "5"}}), closed).status, 403);
}

TEST(Handler, TwoReportsAreCompared) {
  Library library = sample_library();
  library.settings.can_compare = true;
  for (Report& report : library.reports) report.inputs = {{0, report.id, "x_memory.json"}};
  const auto asked = [&](const std::string& query, Headers more = {}) {
    return handle(request("POST", "/api/diffs" + query, std::move(more)), library);
  };
  const Response taken = asked("?before=bert&after=bare");
  EXPECT_EQ(taken.next, Next::kCompare);
  EXPECT_EQ(taken.before_id, "bert");
  EXPECT_EQ(taken.after_id, "bare");
  EXPECT_EQ(asked("?before=bert&after=bare", {{"Content-Length", "0"}}).next, Next::kCompare);
  EXPECT_EQ(asked("?before=bert&after=bare", {{"Content-Length", "2"}}).status, 400) << "it has no body";
  EXPECT_EQ(asked("?before=bert&after=bare", {{"Transfer-Encoding", "chunked"}}).status, 400);
  EXPECT_EQ(asked("?before=bert").status, 400);
  EXPECT_EQ(asked("?before=bert&after=bert").status, 400);
  EXPECT_EQ(asked("?before=bert&after=gone").status, 404);
  EXPECT_EQ(asked("?before=bert&after=bare", {{"Origin", "http://evil.example"}}).status, 403);
  EXPECT_EQ(handle(request("GET", "/api/diffs?before=bert&after=bare"), library).status, 405);
  library.reports[1].inputs.clear();
  EXPECT_EQ(asked("?before=bert&after=bare").status, 409);
  library.settings.can_compare = false;
  EXPECT_EQ(asked("?before=bert&after=bare").status, 403);
}

TEST(Handler, TheListNamesReportsAndJobs) {
  Library library = sample_library();
  library.reports[0].summary.dram = {500, 1000, 12};
  library.reports[0].summary.outcome = "crashed";
  library.reports[0].summary.curve = {0, 250, 500};
  library.jobs = {{3, "a</script>.log", JobState::kFailed, "no\nop lines"}};
  const std::string text(handle(request("GET", "/api/library"), library).text());
  EXPECT_THAT(text, HasSubstr(R"("version":7)"));
  EXPECT_THAT(
      text,
      HasSubstr(R"("dram":{"peak_bytes_per_bank":500,"capacity_bytes_per_bank":1000,"banks":12},"l1":null)"));
  EXPECT_THAT(text, HasSubstr(R"("outcome":"crashed","fit":null)"));
  EXPECT_THAT(text, HasSubstr(R"("curve_permille_of_peak":[0,500,1000])"));
  EXPECT_THAT(text, HasSubstr(R"("state":"failed","message":"no\nop lines")"));
  EXPECT_THAT(text, Not(HasSubstr("</script")));
}

/// Whatever is sent, an answer comes, and no file but a listed one.
TEST(Handler, AnyTargetIsAnswered) {
  const std::string letters =
      "/%.2eF0\\?&=\x01\xFF"
      "bert_reports";
  std::uint32_t state = 12345;
  const Library library = sample_library();
  for (int round = 0; round < 20000; ++round) {
    std::string path = "/reports/bert/";
    for (int i = 0; i < 12; ++i) {
      state = state * 1664525U + 1013904223U;
      path += letters[(state >> 16) % letters.size()];
    }
    const Response answer = handle(request("GET", path), library);
    if (!answer.file) continue;
    const auto& files = library.reports[0].files;
    EXPECT_TRUE(std::any_of(files.begin(), files.end(),
                            [&](const ReportFile& file) { return file.name == answer.file->name; }));
  }
}

}  // namespace
}  // namespace ttscope::serve
