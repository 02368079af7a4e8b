#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

/// What stands before a message in a line of a log. Readers and the copying of lines must agree about it.
//
/// The pieces of what tools write in front of every line of a log, one function a family. Each takes its
/// piece off the beginning of the line and leaves the line as it is where there is none.
//
/// The file that docker's default log driver (json-file) keeps of a container's output:
///   {"log":"text\n","stream":"stdout","time":"2025-10-14T04:33:23.904873512Z"}

namespace ttscope::mem {

/// Takes what tools write in front of every line off the beginning: times, labels of processes, line numbers
/// (prefix_pieces.h), in any order and color. Returns what tells the processes of a log apart: `1,0` of
/// `[1,0]<stdout>: `, `rank0` of `[rank0]: `, `pid=12` of `(Worker pid=12) `; empty if nothing does. The
/// runtime's own prefix stays.
std::string_view take_rank_tag(std::string_view& line);

/// Where the message begins when the runtime logger's prefix stands at column 0; npos otherwise:
///   ESC[32m<type, 23 wide>ESC[0m | ESC[1m<color><level, 8 wide>ESC[0m | message
/// or the same without colors.
std::size_t runtime_message_start(std::string_view line);

/// Takes what ends a color (`ESC[0m`, `ESC[0;0m`) off the beginning of a line.
void take_reset(std::string_view& line);

/// Without what ends colors and lines of terminals (`ESC[0m`, `ESC[K`) at the end.
std::string_view without_trailing_color(std::string_view line);

/// True for a line that a logger wrote: such a line ends a module dump that has no end mark.
bool has_logger_prefix(std::string_view line);

/// Removes `ESC [ ... m` sequences, and `K`, which erases.
std::string without_colors(std::string_view text);

/// Whether a text begins with a pattern: `0` is any digit, everything else itself.
bool has_shape(std::string_view line, std::string_view shape);

/// `2025-10-14T04:33:23.9048735Z ` of GitHub Actions, docker and kubectl, with `stdout F ` of a container
/// runtime and `00O ` of GitLab behind it; the same in brackets (Jenkins), with `{task.py:12} INFO - ` behind
/// it (Airflow); `section_start:1700000000:step<CR>` of GitLab; `12:43:46 `, `Nov 18 00:06:49 `,
/// `1700000000.123456 ` and `2026-11-18 00:06:49 ` of ts.
bool take_time_piece(std::string_view& line);

/// What says of which process a line is, or nothing of interest: `[rank0]: `, `[1,0]<stdout>: `,
/// `[host=name] `, `[pod/name/container] `, `(Worker pid=12, ip=10.0.0.1) `, `trainer-1  | `, `0: ` of srun,
/// `host prog[12]: ` of syslog and the journal, `[SERVER] `.
/// `tag` is what tells the processes apart, empty for labels that do not.
bool take_label_piece(std::string_view& line, std::string_view& tag);

/// `12:` and `run.log:12:` of grep -n (`-` around the number where it is a line of context), `    12<tab>` of
/// cat -n.
bool take_number_piece(std::string_view& line);

/// `E       ` of pytest, `INFO 10-23 04:15:50 ` of vLLM, `job<tab>step<tab>` of gh before a time.
bool take_report_piece(std::string_view& line);

/// `> ` of a quotation; one inside of another has several. It stands before all other pieces: behind them it
/// is text, as where a line was broken inside of `->`.
bool take_quotation(std::string_view& line);

/// Whether a line begins as one of the runtime, of a logger or of a module dump does. A piece that may be
/// text of its own is taken for a prefix only before such a line.
bool begins_like_log_line(std::string_view line);

/// The labels that vLLM and Ray write before the lines of a process: `Worker_TP0 pid=12`.

/// The numbers by which a label tells the rank of its process: 0 of `Worker_TP0`, `EngineCore_DP0` and
/// `VllmWorker rank=0`, 1 and 0 of `Worker_DP1_TP0`; none where it is the name of a task (`step_3`).
std::vector<int> ranks_in_label(std::string_view label);

/// `pid=12` of `Worker_TP0 pid=12`: a process has many names, and one number. Any other tag is itself.
std::string_view process_of(std::string_view tag);

/// `Worker_TP0` of `Worker_TP0 pid=12`: what tells the rank says enough. Any other tag is itself.
std::string_view name_of_tag(std::string_view tag);

/// Whether a line is one of such a file.
bool is_docker_line(std::string_view line);

/// Whether it was written to standard error.
bool is_docker_error(std::string_view line);

/// Appends the text of such a line to `text`, without its escapes. Returns true when the text ends a line;
/// docker splits lines of more than 16 KiB, whose other pieces do not. A line that is none is taken as it is.
bool append_docker_text(std::string_view line, std::string& text);

}  // namespace ttscope::mem
