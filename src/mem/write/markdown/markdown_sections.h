#pragma once

#include <string>
#include <vector>

#include "mem/write/words/labels.h"

namespace ttscope::mem {

/// What all sections are made from.
using MarkdownContext = ProfileView;

/// The Op# column: `op_index` as in `ttscope.mem/1`; with several ranks also whose: `17 (rank 1)`.
std::string op_number(const MarkdownContext& view, std::uint32_t rank, std::uint32_t op);

/// Each returns a section without a final newline, empty when there is nothing to say.
std::string headline_section(const MarkdownContext& view, const std::string& name);
std::string configuration_section(const MarkdownContext& view);
std::string peak_section(const MarkdownContext& view);
std::string consumers_section(const MarkdownContext& view);
std::string padding_section(const MarkdownContext& view);
std::string weights_section(const MarkdownContext& view);
std::string distribution_section(const MarkdownContext& view);

std::string fixes_section(const MarkdownContext& view);
std::string trust_section(const MarkdownContext& view);
std::string growth_section(const MarkdownContext& view);
std::string live_section(const MarkdownContext& view);
std::string failure_section(const MarkdownContext& view);

/// A location for a table cell: escaped, at most 50 characters, `N/A` when unknown.
std::string location_cell(const std::string& loc);

}  // namespace ttscope::mem
