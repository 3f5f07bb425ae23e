// Sends the mails of svc.mail in the background. Any number of servers of an app may do it: one
// server at a time tries a mail, and another one continues if it was killed.
#pragma once

#include <string>

#include "db/pool.hpp"
#include "feed/hub/commit_signal.hpp"
#include "ops/settings.hpp"

namespace svc::ops {

// Until `io` or `system` goes. Polls at each signal of `written`, and every ten seconds; a mail
// that could not be sent is tried again after 30 s, a minute, … an hour, for two days. What is
// refused for good ends at once.
Task<> send_mails(asio::io_context& io, db::Pool& system, const Settings& settings,
                  std::string app_name, feed::CommitSignal& written);

}  // namespace svc::ops
