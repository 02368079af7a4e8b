#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "app/formats.h"
#include "base/result.h"
#include "io/beginning.h"

namespace ttscope::app {

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

}  // namespace ttscope::app
