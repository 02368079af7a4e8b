#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "cli/signals.h"
#include "launch/child.h"
#include "terminal/frame.h"
#include "terminal/keys.h"

namespace ttscope::cli {

/// Standard input and output as a terminal, for the time of one question: raw mode, bracketed paste, and a
/// frame that is drawn anew in its place. The destructor leaves the terminal as it was, also when a signal
/// has come: the signal is reported, not obeyed.
class Screen {
 public:
  enum class Event { kKey, kRedraw, kEndOfInput, kSignal };

  /// `typed`: bytes that were read and not used, kept from one question to the next.
  Screen(bool color, std::string& typed);
  ~Screen();
  Screen(const Screen&) = delete;
  Screen& operator=(const Screen&) = delete;

  terminal::Size size() const;
  void show(const terminal::Frame& frame);
  /// Replaces the frame by lines that stay.
  void leave(const std::vector<terminal::Line>& lines);

  /// Whether more was typed than has been asked for.
  bool has_typed() const { return !typed_.empty(); }
  /// Waits; the key is only set for kKey.
  Event next(terminal::Key& key);
  int signal_number() const { return signal_number_; }

 private:
  /// One read with a wait of at most this long. False: nothing came.
  bool read_more(int patience_ms, Event& event);
  bool take_key(bool nothing_follows, terminal::Key& key);
  void suspend();
  void put(const std::string& text);

  bool color_;
  std::string& typed_;
  terminal::Frame shown_;
  terminal::Size drawn_size_;
  bool has_failed_ = false;
  std::atomic<int> signal_number_{0};
  SignalRelay relay_;
  launch::TerminalMode mode_;  ///< behind the relay: a signal must not end the program before it is restored
};

}  // namespace ttscope::cli
