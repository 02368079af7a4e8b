#pragma once

#include <list>
#include <memory>

#include <tt_metal/host_api.hpp>

namespace tt::tt_metal {

/// The devices of this process, in the order in which they were created.
std::list<std::unique_ptr<IDevice>>& open_devices();

}  // namespace tt::tt_metal
