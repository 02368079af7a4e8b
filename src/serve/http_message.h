#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

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

}  // namespace ttscope::serve
