#pragma once

#include <sys/types.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "io/input_files.h"

namespace ttscope::app {

/// What a profile is about. Each subject is a folder of src/ and a command of the same name.
enum class Subject : std::uint8_t { kMem, kPhases, kGraph, kPerf, kTimeline };

inline constexpr std::size_t kSubjectCount = 5;
inline constexpr std::array<Subject, kSubjectCount> kSubjects = {
    Subject::kMem, Subject::kPhases, Subject::kGraph, Subject::kPerf, Subject::kTimeline};

/// Its command: `mem`, `phases`, `graph`, `perf` or `timeline`.
std::string_view name_of(Subject subject);

/// What a file of some format begins with.
struct FirstBytes {
  std::array<std::string_view, 6> any_of{};  ///< unused ones are empty
  std::size_t at = 0;                        ///< where they are; from the start, also behind blanks
  std::string_view and_holds{};              ///< and this is somewhere in the beginning
};

/// A kind of file or folder, and the subject that reads it; none: known only to be named.
struct Format : io::Format {
  std::optional<Subject> subject{};
  FirstBytes first_bytes{};  ///< else `is_beginning` or `is_part` tells it
};

/// All formats: those of the subjects (`src/<subject>/formats.cc`) and those that no command reads; of
/// several that fit, the first counts.
const std::vector<Format>& formats();
/// Null where there is none.
const Format* find_format(std::string_view key);

/// The format that a beginning tells; null, or one that may begin a log: it may be a log.
const Format* format_of(const io::Beginning& beginning);
/// The log format of a part of a text that stands before `than` in the list; null: none does.
const Format* preferred_log_format(std::string_view text, const Format* than);

/// Where standard input stands, so that it can be read from there again: its position is shared with every
/// copy that is read. Nothing for other paths, and for a pipe, which has none.
class SavedPosition {
 public:
  explicit SavedPosition(const std::string& path);

  /// Whether what has been read can be read again.
  bool is_kept() const { return position_ >= 0; }
  void restore() const;

 private:
  off_t position_;
};

/// How far a log is searched for its telling lines.
enum class LogSearch : std::uint8_t {
  kBeginning,  ///< not at all: what may begin a log may be one
  kFirstLine,  ///< up to the first of them
  kFurther,  ///< 64 MB behind the first for one that says more: a run of a large model prints summaries after
             ///< its first steps
  kWhole,
};

/// What a path is.
struct Detected {
  std::string path;                ///< `-`: standard input
  const Format* format = nullptr;  ///< null: none of the list
  io::PathKind path_kind = io::PathKind::kFile;
  std::string warning{};    ///< its beginning is cut or damaged
  bool may_be_log = false;  ///< its telling lines may come later

  bool is(std::string_view key) const { return format != nullptr && format->key == key; }
  /// Not packed, so that readers of logs would see the log in it.
  bool is_archive() const { return is("tar") || is("zip"); }
  /// A command reads it as it is.
  bool is_profile() const { return format != nullptr && format->subject && format->advice.empty(); }
};

/// Tells what a path is by its content. Standard input stands where it was. An error: it is missing or cannot
/// be read.
Result<Detected> detect(const std::string& path, LogSearch search = LogSearch::kFurther);

/// What it is and what to do with it (`advice`, where it is not that of the format; `{}` stands for the
/// path); or why it is nothing that a command reads.
std::string kind_text(const Detected& found, std::string_view advice = {});

/// What a command reads.
struct Wanted {
  Subject subject = Subject::kMem;
  std::string_view format{};  ///< only this one of the subject; empty: all of them
  std::string_view advice{};  ///< what to do with the others
  bool only_logs = false;     ///< no folders
  bool is_growing = false;    ///< still written: what may begin a log may become one
};

/// kind_text() of what a command does not read; empty where it does, or where it is empty, a stream or not
/// known, so that the command's own complaint says more.
std::string wrong_kind(const Detected& found, const Wanted& wanted);
/// The same before reading, of the first of these that is of another kind, by beginnings alone where these
/// suffice: a log may be large, and its reader would find nothing in a file of another kind beside it and say
/// nothing. Standard input is left alone.
std::string wrong_kind_among(const std::vector<std::string>& paths, const Wanted& wanted);

/// Tells what a stream is while its reader reads it, for a complaint afterwards. Keeps the beginning and
/// looks at the rest only until it is known that the stream is of the subject that reads it.
class KindDetector {
 public:
  explicit KindDetector(Subject subject) : subject_(subject) {}

  /// The next whole lines of the stream at `path`. Those of a second stream are not looked at.
  void see(const std::string& path, std::string_view lines);

  /// What was seen; without a path: nothing.
  Detected detected() const;

 private:
  Subject subject_;
  io::Beginning beginning_{};
  const Format* log_format_ = nullptr;  ///< of the lines
  bool is_known_ = false;               ///< it is of the subject
};

}  // namespace ttscope::app
