// Actions that no token may do: the person confirms with a password.
#pragma once

#include <string>

#include "cli/account/builder_session.hpp"
#include "cli/context.hpp"

namespace CLI {
class App;
}

namespace svc::cli {

// --email, --password, --code
void take_sign_in(CLI::App* command, SignIn& sign_in);

// Nothing is asked where the token that is used is a session already. Nothing: refused, which has
// been said.
std::optional<nlohmann::json> send_confirmed(CliContext& context, const SignIn& sign_in,
                                             const std::string& what, const Request& request);

}  // namespace svc::cli
