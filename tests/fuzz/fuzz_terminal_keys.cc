// What a terminal sends, in pieces of any size: every byte is used up, the pieces do not change the keys, and
// prompts that get the keys draw no more than the terminal has room for.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "fuzz/fuzz_target.h"
#include "terminal/keys.h"
#include "terminal/prompts.h"

namespace {

using namespace ttscope::terminal;
using ttscope::fuzz::require;

/// Drawing takes most of the time; it is done at the end at any rate.
constexpr std::size_t kKeysADrawing = 16;

void check_pieces(std::string_view bytes) {
  const DecodedKey whole = decode_key(bytes, true);
  require(whole.size_bytes > 0 && whole.size_bytes <= bytes.size(), "every byte is used up");
  for (std::size_t size = 1; size < bytes.size() && size < 40; ++size) {
    const DecodedKey start = decode_key(bytes.substr(0, size), false);
    if (start.size_bytes == 0) continue;
    require(start.size_bytes == whole.size_bytes && start.key.code == whole.key.code &&
                start.key.text == whole.key.text,
            "pieces do not change keys");
    return;
  }
}

void check_frame(const Frame& frame, Size size) {
  require(frame.lines.size() <= size.rows && frame.cursor_row < frame.lines.size(), "rows fit");
  for (const Line& line : frame.lines) require(line_columns(line) < size.columns, "columns fit");
}

}  // namespace

TTSCOPE_FUZZ_TARGET(terminal_keys) {
  if (text.size() < 2) return;
  const auto rows = static_cast<unsigned char>(text[0]);
  const auto columns = static_cast<unsigned char>(text[1]);
  const Size terminal_size = {1 + rows % 30U, 2 + columns % 90U};
  std::string_view bytes = text.substr(2);
  ListSpec spec;
  spec.question = "Which of these?";
  spec.filters = rows % 2 == 0;
  spec.items = {{"first", "1 MB"}, {"zwei 模型", "2 MB"}, {"q", ""}, {"", "4 MB"}};
  ListState list;
  LineState line;
  while (!bytes.empty()) {
    check_pieces(bytes);
    const DecodedKey decoded = decode_key(bytes, true);
    bytes.remove_prefix(decoded.size_bytes);
    const ListStep step = press(spec, list, decoded.key, 3);
    list = step.state;
    if (step.outcome == KeyOutcome::kDone)
      require(chosen_item(spec, list) < spec.items.size(), "an item is chosen");
    line = press(std::move(line), decoded.key).state;
    require(line.cursor <= line.text.size(), "the cursor is in the text");
    if (bytes.size() % kKeysADrawing != 0) continue;
    check_frame(render(spec, list, terminal_size), terminal_size);
    check_frame(render(LineSpec{"Path?", "hint"}, line, terminal_size), terminal_size);
  }
}
