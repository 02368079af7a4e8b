#include "cli/menu/screen.h"

#include <poll.h>
#include <signal.h>  // NOLINT(modernize-deprecated-headers): POSIX, beyond <csignal>
#include <sys/ioctl.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "terminal/keys.h"

namespace ttscope::cli {
namespace {

/// How long the rest of an arrow key may take after its first byte, which is the Esc key's.
constexpr int kEscapeTimeoutMs = 60;
/// How often the size of the window is looked at while nothing is typed.
constexpr int kTickMs = 200;

constexpr const char* kPasteOn = "\x1b[?2004h";
constexpr const char* kPasteOff = "\x1b[?2004l\x1b[?25h";

}  // namespace

Screen::Screen(bool color, std::string& typed)
    : color_(color),
      typed_(typed),
      relay_([this](int signal_number) { signal_number_ = signal_number; }),
      mode_(STDIN_FILENO) {
  mode_.make_raw();
  put(kPasteOn);
}

Screen::~Screen() { put(kPasteOff); }

terminal::Size Screen::size() const {
  winsize window{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) != 0 || window.ws_col == 0 || window.ws_row == 0) return {};
  return {window.ws_row, window.ws_col};
}

void Screen::put(const std::string& text) {
  std::size_t written = 0;
  while (written < text.size() && !has_failed_) {
    const ssize_t size = ::write(STDOUT_FILENO, text.data() + written, text.size() - written);
    if (size > 0) {
      written += static_cast<std::size_t>(size);
    } else if (size < 0 && errno == EAGAIN) {
      pollfd room{STDOUT_FILENO, POLLOUT, 0};
      poll(&room, 1, kTickMs);
    } else if (size == 0 || errno != EINTR) {
      has_failed_ = true;
    }
  }
}

void Screen::show(const terminal::Frame& frame) {
  const terminal::Size now = size();
  put(terminal::erase_text(shown_, now.columns) + terminal::draw_text(frame, color_));
  shown_ = frame;
  drawn_size_ = now;
}

void Screen::leave(const std::vector<terminal::Line>& lines) {
  std::string text = terminal::erase_text(shown_, size().columns);
  for (const terminal::Line& line : lines) text += terminal::line_text(line, color_) + "\r\n";
  put(text);
  shown_ = {};
}

bool Screen::take_key(bool nothing_follows, terminal::Key& key) {
  if (typed_.empty()) return false;
  terminal::DecodedKey decoded = terminal::decode_key(typed_, nothing_follows);
  if (decoded.size_bytes == 0) return false;
  typed_.erase(0, decoded.size_bytes);
  key = std::move(decoded.key);
  return true;
}

bool Screen::read_more(int patience_ms, Event& event) {
  mode_.make_raw();  // after being stopped and continued
  pollfd typed{mode_.is_raw() ? STDIN_FILENO : -1, POLLIN, 0};
  if (poll(&typed, 1, patience_ms) <= 0) return false;
  std::array<char, 1024> bytes;
  const ssize_t size = ::read(STDIN_FILENO, bytes.data(), bytes.size());
  if (size > 0) {
    typed_.append(bytes.data(), static_cast<std::size_t>(size));
    return true;
  }
  if (size == 0 || (errno != EINTR && errno != EAGAIN)) event = Event::kEndOfInput;
  return size == 0 || event == Event::kEndOfInput;
}

Screen::Event Screen::next(terminal::Key& key) {
  while (true) {
    if (signal_number_ != 0) return Event::kSignal;
    if (has_failed_) return Event::kEndOfInput;
    if (take_key(false, key)) {
      if (key.is_control('z')) {
        suspend();
        return Event::kRedraw;
      }
      return key.is_control('l') ? Event::kRedraw : Event::kKey;
    }
    Event event = Event::kKey;
    const bool is_cut = !typed_.empty();
    const bool has_read = read_more(is_cut ? kEscapeTimeoutMs : kTickMs, event);
    if (event == Event::kEndOfInput) return event;
    if (!has_read && is_cut && take_key(true, key)) return Event::kKey;
    const terminal::Size now = size();
    if (now.rows != drawn_size_.rows || now.columns != drawn_size_.columns) return Event::kRedraw;
  }
}

void Screen::suspend() {
  leave({});
  put(kPasteOff);
  mode_.restore();
  ::kill(0, SIGTSTP);
  // Here again after SIGCONT.
  mode_.make_raw();
  put(kPasteOn);
}

}  // namespace ttscope::cli
