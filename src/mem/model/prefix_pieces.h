#pragma once

#include <string_view>

/// The pieces of what tools write in front of every line of a log, one function a family. Each takes its
/// piece off the beginning of the line and leaves the line as it is where there is none.
namespace ttscope::mem {

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

}  // namespace ttscope::mem
