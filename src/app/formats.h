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

/// Files that people give to ttscope although it does not read them: told by their beginnings, so that they
/// can be named.

namespace ttscope::app {

/// What a profile is about. Each subject is a folder of src/ and a command of the same name.
enum class Subject : std::uint8_t { kMem, kPhases, kGraph, kPerf, kTimeline };

inline constexpr std::size_t kSubjectCount = 5;
inline constexpr std::array<Subject, kSubjectCount> kSubjects = {
    Subject::kMem, Subject::kPhases, Subject::kGraph, Subject::kPerf, Subject::kTimeline};

/// Its command: `mem`, `phases`, `graph`, `perf` or `timeline`.
std::string_view name_of(Subject subject);

/// A kind of file or folder, and the subject that reads it; none: known only to be named.
struct Format : io::Format {
  std::optional<Subject> subject;
};

/// All formats: those of the subjects (`src/<subject>/formats.cc`) and those that no command reads; of
/// several that fit, the first counts.
const std::vector<Format>& formats();
/// Null where there is none.
const Format* find_format(std::string_view key);

/// The format that a beginning tells; null, or one that may begin a log: it may be a log.
const Format* format_of(const io::Beginning& beginning);
/// The log format of a part of a text that stands before `than` in the list; null: none does.
const Format* better_log_format(std::string_view text, const Format* than);

bool is_empty_file(const io::Beginning& beginning);
/// A zip archive, which spreadsheets (.xlsx) are too.
bool is_zip(const io::Beginning& beginning);
/// Not packed, so that a log in it looks like one.
bool is_tar(const io::Beginning& beginning);
/// Packed by lz4, 7-Zip, RAR, lzip or compress.
bool is_other_archive(const io::Beginning& beginning);
bool is_spreadsheet(const io::Beginning& beginning);
bool is_other_database(const io::Beginning& beginning);
/// A page that ttscope wrote.
bool is_own_page(const io::Beginning& beginning);
bool is_other_page(const io::Beginning& beginning);
/// A JSON document that ttscope wrote: its schema is `ttscope.mem/1` or the like.
bool is_own_document(const io::Beginning& beginning);
/// What `ttscope timeline -o` writes for Perfetto, and any trace for Chrome.
bool is_own_perfetto_trace(const io::Beginning& beginning);
bool is_chrome_trace(const io::Beginning& beginning);
/// A list of flat objects, a line each, as `ttscope export` and `ttscope sql` write it.
bool is_json_rows(const io::Beginning& beginning);
/// .mlir: a module as text.
bool is_mlir_module(const io::Beginning& beginning);
/// One of the sections of a configuration of tt-train begins a line.
bool is_training_config(const io::Beginning& beginning);
bool is_other_json(const io::Beginning& beginning);
/// A table that Tracy's csvexport writes, and nothing of the profiler's.
bool is_tracy_table(const io::Beginning& beginning);
bool is_elf(const io::Beginning& beginning);
bool is_picture(const io::Beginning& beginning);

/// Where standard input stands, so that it can be read from there again: its position is shared with every
/// copy that is read. Nothing for other paths, and for a pipe, which has none.
class KeptPosition {
 public:
  explicit KeptPosition(const std::string& path);

  /// Whether what has been read can be read again.
  bool is_kept() const { return position_ >= 0; }
  void restore() const;

 private:
  off_t position_;
};

/// What a path is.
struct Identified {
  const Format* format = nullptr;  ///< null: none of the list
  io::PathKind path_kind = io::PathKind::kFile;
  std::string warning{};  ///< its beginning is cut or damaged
};

/// How far a log is searched behind its first telling line for one that says more. Several steps of a large
/// model: a run that prints summaries prints them after its first.
inline constexpr std::uint64_t kLookedFurtherBytes = std::uint64_t{64} << 20;

/// Tells what a path is by its content. A log is searched for its telling lines as far as necessary. Standard
/// input stands where it was. An error: it is missing or cannot be read.
Result<Identified> identify(const std::string& path,
                            std::uint64_t looked_further_bytes = kLookedFurtherBytes);

/// What a file is and which command reads it, for commands of `subject` that could do nothing with it; empty
/// where it is of that subject, empty, a stream or not known, so that the command's own complaint says more.
/// Standard input is looked at from where it stands.
std::string wrong_kind_message(const std::string& path, Subject subject);
/// The same where the format is known.
std::string wrong_kind_message(const std::string& path, const Format* format, Subject subject);

/// The one format of a subject that a command takes, and what to do with the others of that subject; `{}`
/// stands for the path.
struct OnlyFormat {
  std::string_view key{};  ///< empty: it takes all of them
  std::string_view advice{};
};

/// The same for such a command.
std::string wrong_format_message(const std::string& path, Subject subject, const OnlyFormat& only);

/// Whether the beginning of a file tells a format that a command reads. Logs, whose telling lines may come
/// late, are not told by it.
bool is_profile_by_beginning(const std::string& path);

/// Whether a file is called like those of a memory report: `mem` then reads it as that, and its own complaint
/// says more than what the content looks like.
bool is_named_as_report(const std::string& path);

/// A file without a byte in it.
bool is_empty_input(const std::string& path);

/// What an archive is that is not packed, in which readers of logs would see the log; empty: it is none, or a
/// stream. Standard input is looked at from where it stands, and stands there again.
std::string archive_message(const std::string& path);
/// The same where the format is known.
std::string archive_message(const std::string& path, const Format* format);

/// The same as wrong_kind_message() before reading, by the beginnings of files and folders alone where these
/// suffice: a log may be large, and its reader would find nothing in a file of another kind beside it and say
/// nothing.
std::string other_kind_message(const std::vector<std::string>& paths, Subject subject);
/// The same for commands that read nothing of `mem` but logs: the folder of a memory report is told too.
std::string not_a_log_message(const std::string& path);
/// The same for a file that is still written: what may begin a log is none yet.
std::string never_log_message(const std::string& path);

/// The same for whoever reads any profile: why this is none.
std::string not_a_profile_message(const std::string& path, const Identified& found);

/// Tells what a stream is while its reader reads it, for a complaint afterwards. Keeps the beginning and
/// looks at the rest only until it is known that the stream is of the subject that reads it.
class KindWatch {
 public:
  explicit KindWatch(Subject subject) : subject_(subject) {}

  /// The next whole lines of the stream at `path`. Those of a second stream are not looked at.
  void see(const std::string& path, std::string_view lines);

  /// The stream that was seen; empty: none.
  const std::string& path() const { return beginning_.path; }
  /// Null: none of the list.
  const Format* format() const;

 private:
  Subject subject_;
  io::Beginning beginning_{};
  const Format* log_format_ = nullptr;  ///< of the lines
  bool is_known_ = false;               ///< it is of the subject
};

}  // namespace ttscope::app
