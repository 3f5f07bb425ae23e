// Where svcd's settings come from: its environment and command line.
#pragma once

#include "settings/config.hpp"

namespace svc::devapi {

// Reads and checks all settings. Throws std::invalid_argument that names the setting and what it
// takes; ends the process itself for --help.
Config read_config(int argc, char** argv);

}  // namespace svc::devapi
