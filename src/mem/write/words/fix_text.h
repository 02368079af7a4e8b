#pragma once

#include <string>

#include "mem/write/words/labels.h"

namespace ttscope::mem {

/// What to do, in plain words, the same in every output. Only `evidence` holds text of the log.
struct FixText {
  std::string what;    ///< `store the 14 weight matrices in bfp8`
  std::string effect;  ///< `the DRAM peak becomes 48.10 MB per bank, not enough alone`
  std::string
      evidence;  ///< the largest tensors that it is about: `model.embed_tokens.weight 128256x4096 bf16`
};
FixText fix_text(const ProfileView& view, const Fix& fix);

}  // namespace ttscope::mem
