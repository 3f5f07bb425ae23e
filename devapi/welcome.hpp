// What svcd does once as it starts, before it answers: the first account, an address that is
// released, warnings about settings that do not fit together.
#pragma once

#include "platform/store.hpp"
#include "settings/config.hpp"

namespace svc::devapi {

void warn_of_settings(const Config& config);
// Makes the first account as the settings say, or prints the link that makes it. Throws
// std::invalid_argument for an address that is none.
void welcome(const Config& config, Store& store);
// Takes the address of the settings from the account that has it and has not proved it, and prints
// whether there was one.
void release_claimed(const Config& config, Store& store);

}  // namespace svc::devapi
