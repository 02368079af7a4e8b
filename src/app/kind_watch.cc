#include "app/kind_watch.h"

namespace ttscope::app {

void KindWatch::see(const std::string& path, std::string_view lines) {
  if (is_known_ || (!beginning_.path.empty() && beginning_.path != path)) return;
  beginning_.path = path;
  if (beginning_.bytes.size() < io::kBeginningBytes) {
    beginning_.bytes += lines.substr(0, io::kBeginningBytes - beginning_.bytes.size());
  }
  if (const Format* better = better_log_format(lines, log_format_)) log_format_ = better;
  is_known_ = log_format_ != nullptr && log_format_->subject == subject_;
}

const Format* KindWatch::format() const {
  if (beginning_.path.empty()) return nullptr;
  const Format* format = format_of(beginning_);
  const bool may_be_log = format == nullptr || format->may_begin_log;
  return may_be_log && log_format_ != nullptr ? log_format_ : format;
}

}  // namespace ttscope::app
