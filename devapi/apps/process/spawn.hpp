// Starts an app server as its launch says, and knows again one that an earlier svcd started.
#pragma once

#include <sys/types.h>

#include <string>

#include "apps/process/launch.hpp"

namespace svc::devapi {

// Starts `<binary> --control <socket>` in a session of its own, so that it outlives svcd, with
// the log as its output and no descriptor of svcd. What goes wrong after the fork is in the log;
// the process then ends with 127. Throws std::system_error.
pid_t spawn_server(const Launch& launch, const std::string& socket);

// Lets launch.group connect to a socket that launch.user has made.
void let_in_group(const std::string& socket, const Launch& launch);

// True when this process is a server of the same app, of whatever version and settings.
bool serves_same_app(pid_t pid, const Launch& launch);
// True if this process is what spawn_server() would start for `launch`. False if the process cannot
// be read.
bool was_started_as(pid_t pid, const Launch& launch);

}  // namespace svc::devapi
