#pragma once

#include <cstdint>
#include <vector>

#include "mem/write/page/page_tables.h"
#include "report/column_codec.h"

namespace ttscope::mem {

/// The large texts of a page, which it unpacks on demand: ops, modules and arguments. What is beyond a limit
/// is left out, so that no log makes a page that cannot be opened. The references outlive the blobs.
class PageTexts {
 public:
  struct Limits {
    std::size_t op_text_bytes = std::size_t{64} << 20;
    std::size_t module_bytes = std::size_t{64} << 20;
  };
  static constexpr std::uint32_t kTextsPerChunk = 256;

  PageTexts(const RuntimeTrace& trace, const MemoryProfile& profile, const PageTables& tables,
            const Limits& limits);

  std::uint32_t kept_texts() const { return kept_texts_; }
  bool keeps_module(std::size_t module) const { return keeps_module_[module]; }
  std::size_t modules_left_out() const;

  void add_to(report::PageBlobs& blobs) const;

 private:
  void choose_texts(std::size_t limit_bytes);
  void choose_modules(std::size_t limit_bytes);
  std::string text_chunk(std::uint32_t first) const;
  std::string arguments() const;

  const RuntimeTrace& trace_;
  const MemoryProfile& profile_;
  const PageTables& tables_;
  std::uint32_t kept_texts_ = 0;
  std::vector<bool> keeps_module_;
};

}  // namespace ttscope::mem
