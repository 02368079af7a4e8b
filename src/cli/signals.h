#pragma once

namespace ttscope::cli {

/// Takes over the signals that end a program, before any other thread starts: SIGINT, SIGTERM and SIGHUP
/// remove unfinished outputs and exit with 128 + their number; SIGPIPE only makes the write fail; SIGBUS,
/// which a mapped file that shrinks raises, ends with a message and exit code 1.
void install_signal_handling();

/// Whether a write has failed because its reader went away.
bool pipe_was_closed();

}  // namespace ttscope::cli
