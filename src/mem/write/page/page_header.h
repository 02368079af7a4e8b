#pragma once

#include <map>
#include <string>
#include <vector>

#include "mem/write/page/mem_page.h"
#include "mem/write/page/rank_columns.h"

namespace ttscope::mem {

/// What the page header is written from.
struct PageContent {
  const RuntimeTrace& trace;
  const MemoryProfile& profile;
  const MemPageOptions& options;
  const std::vector<RankPoints>& points;
  const PageTables& tables;
  const PageTexts& texts;
  std::vector<const report::PageBlobs*> blobs;
};

/// The block `ttscope-page`.
std::string page_header(const PageContent& content);

/// Sections that stay empty and why, those of the options included.
std::map<std::string, std::string> absent_sections(const PageContent& content);

}  // namespace ttscope::mem
