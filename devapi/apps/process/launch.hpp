// The start of one app server: its binary, its settings, its user, its folders.
#pragma once

#include <string>
#include <vector>

#include "apps/database/database.hpp"
#include "apps/site.hpp"
#include "common/child.hpp"

namespace svc::devapi {

struct Launch {
    std::string binary;
    std::vector<std::string> environment;  // NAME=value; all that the process gets
    std::string socket_stem;               // each process listens on <stem>-<random>.sock
    std::string log;
    std::string user;        // unix user to become; empty: stays
    std::string name = {};   // that others see of it; empty: the binary's path
    std::string group = {};  // unix group that may connect beside the user; empty: none

    // True if a new start would give the same server.
    bool operator==(const Launch&) const = default;
};

// Makes the folders that it names. `site`: where the app answers; by default the address of dev.
// Throws std::runtime_error that says what to fix.
Launch make_launch(const AppsConfig& config, const ProjectRef& project, Env env,
                   const AppDatabase& database, const std::string& binary, const Site& site = {});

// The unix user of that name or number; svcd's own user if svcd cannot change it.
UnixUser unix_account(const std::string& user);

}  // namespace svc::devapi
