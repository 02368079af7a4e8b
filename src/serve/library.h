#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace ttscope::serve {

using Headers = std::vector<std::pair<std::string, std::string>>;

/// A request as it was sent: nothing in it is decoded or checked.
struct Request {
  std::string method;
  std::string target;  ///< path and query
  Headers headers;
  bool waited = false;  ///< it has waited for a change as long as it may

  /// How often the header is there; names have no case.
  std::size_t count(std::string_view name) const;
  /// The first of that name; empty when there is none.
  std::string_view header(std::string_view name) const;
};

/// A file below a served folder, by names that a scan of the folder found.
struct FileReference {
  std::size_t root = 0;  ///< in the list of served places
  std::string folder{};  ///< one name, or empty: in the root itself
  std::string name{};

  bool operator==(const FileReference&) const = default;
};

/// What is to be done with an answer.
enum class Next : std::uint8_t {
  kSend,           ///< as it is
  kWaitForChange,  ///< ask again when the library has changed, or with Request::waited
  kTakeUpload,     ///< take the body and profile it as a log
  kCompare,        ///< compare two reports
};

/// Large texts are shared among answers, so that many clients cost no more memory than one.
using Text = std::shared_ptr<const std::string>;

struct Response {
  int status = 200;
  Headers headers{};
  Text body{};                          ///< null: nothing
  std::optional<FileReference> file{};  ///< sent instead of the body
  Next next = Next::kSend;
  std::string upload_name{};       ///< with kTakeUpload: how the log is called
  std::uint64_t upload_bytes = 0;  ///< with kTakeUpload: its announced size
  std::string before_id{};         ///< with kCompare: of the reports
  std::string after_id{};

  std::string_view header(std::string_view name) const;
  std::string_view text() const { return body ? std::string_view(*body) : std::string_view(); }
};

/// The peak of one memory.
struct MemoryPeak {
  std::int64_t peak_bytes_per_bank = -1;  ///< -1: not known
  std::int64_t capacity_bytes_per_bank = 0;
  std::int64_t banks = 0;
};

/// What the list of reports shows of one.
struct ReportSummary {
  bool known = false;
  std::string name{};     ///< as the report calls itself; empty: it does not
  std::string outcome{};  ///< how the run ended, as in the verdict of `ttscope.mem/1`; empty: not known
  std::string fit{};      ///< the same
  std::int64_t ops = -1;  ///< executed; -1: not known
  MemoryPeak dram{};
  MemoryPeak l1{};
  double wall_us = -1;                ///< of a report of device time; -1: not known
  std::vector<std::int64_t> curve{};  ///< highest DRAM bytes per bank in equal parts of the run
};

struct ReportFile {
  std::string name;
  std::uint64_t size_bytes = 0;
};

/// One report of the library: the files of a folder whose names begin alike.
struct Report {
  std::string id{};  ///< in addresses: letters, digits and `-._~` only; unique
  std::string name{};
  std::size_t root = 0;     ///< in the list of served places
  std::string folder{};     ///< below the root; empty: the root itself
  std::string prefix{};     ///< how its files begin
  std::int64_t time_s = 0;  ///< of its newest file, since 1970
  std::uint64_t size_bytes = 0;
  std::vector<ReportFile> files{};
  std::string page{};         ///< name of the report page; empty: there is none
  std::string script_hash{};  ///< of the page's only script (`sha256-...`); empty: not ours
  std::string source_log{};   ///< path of the log it was made from; empty: not known
  std::string page_token{};   ///< address of the page in its frame: it opens nothing else
  /// What a comparison reads of it, and what lies beside that; empty: nothing of it is there.
  std::vector<FileReference> inputs{};
  ReportSummary summary{};
};

enum class JobState : std::uint8_t { kWaiting, kRunning, kDone, kFailed };

/// A log that is being profiled, or two reports that are being compared, or were.
struct Job {
  std::uint64_t id = 0;
  std::string name{};
  JobState state = JobState::kWaiting;
  std::string message{};  ///< why it failed
};

/// A timeline that is too large for a page: the page asks for the parts that it shows.
struct ServedTimeline {
  Text page{};
  std::string policy{};  ///< Content-Security-Policy of that page
  /// Answers the requests of the page as JSON, by the last part of the address and the query; thread safe.
  std::function<Result<std::string>(std::string_view what, std::string_view query)> answer{};
};

/// What does not change while a server runs.
struct ServeSettings {
  std::string token{};
  std::vector<std::string> host_names{};  ///< accepted in `Host` beside loopback; lower case
  bool any_address = false;               ///< accept every numeric address in `Host`
  std::uint64_t upload_limit_bytes = 0;   ///< 0: no upload
  bool can_compare = false;               ///< there is a folder for comparisons
  std::string tool_version{};
  Text library_page{};
  std::string library_policy{};  ///< Content-Security-Policy of that page
  Text frame_page{};             ///< stands around the page of a report
  std::string frame_policy{};
  std::shared_ptr<const ServedTimeline> timeline{};  ///< null: none is served
};

/// Everything that answers are made from, at one moment.
struct Library {
  ServeSettings settings{};
  std::uint64_t version = 0;  ///< grows with every change
  std::vector<Report> reports{};
  std::vector<Job> jobs{};
  Text json{};  ///< library_json() of the above
};

std::string library_json(const Library& library);
std::string job_json(const Job& job);

}  // namespace ttscope::serve
