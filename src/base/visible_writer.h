#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/writer.h"

namespace ttscope {

/// What may act on a terminal without being text.
enum class TerminalCodes {
  kNone,
  kColors,  ///< sequences that choose colours and weights, as our own reports have
};

/// Lines made fit for a terminal, whatever they hold: control characters become visible escapes as those of
/// terminal_safe(), but for line feeds, tabs and carriage returns that stand before a line feed.
std::string visible_lines(std::string_view text, TerminalCodes kept);

/// Passes lines on to another writer as visible_lines() makes them. For outputs in files' forms that go to a
/// terminal.
class VisibleWriter final : public Writer {
 public:
  explicit VisibleWriter(std::unique_ptr<Writer> to, TerminalCodes kept = TerminalCodes::kNone)
      : to_(std::move(to)), kept_(kept) {}
  bool has_failed() const override { return to_->has_failed(); }
  [[nodiscard]] Result<void> finish() override;

 private:
  void drain(std::string_view bytes) override;

  std::unique_ptr<Writer> to_;
  TerminalCodes kept_;
  std::string cut_;  ///< the first bytes of a character, a line end or a code whose rest is still to come
};

}  // namespace ttscope
