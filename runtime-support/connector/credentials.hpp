// The credentials that a call sends to the other service, and how they are hidden from everybody
// else.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "connector/connectors.hpp"
#include "identity/secret/project_secret.hpp"
#include "outgoing/calls.hpp"

namespace svc::connector {

// The services that calls use. Outlives them.
struct CallContext {
    asio::io_context& io;
    db::Pool& system;           // stores the project's secrets
    const std::string& secret;  // that they are sealed with: Settings::secret
    const outgoing::AllowedHosts& allowed;
    outgoing::Calls& calls;
    const bool outside;  // false: no call is made (Settings::outside)
};

struct Credentials {
    bool connected = false;           // false: nothing may be sent
    std::string problem;              // why not, for who operates the app
    std::string value;                // empty: none is needed
    std::vector<std::string> masked;  // what no answer, error or record may show
};
Task<identity::Result<Credentials>> find_credentials(const CallContext& in, const Auth& auth,
                                                     const std::string& url);
// True if its secret is set and may be sent to the address.
Task<identity::Result<bool>> is_connected(const CallContext& in, const Auth& auth,
                                          const std::string& url);

// Adds the credentials. False if they contain a line break.
bool add_credentials(outgoing::Fetch& fetch, const Auth& auth, const Credentials& credentials);

}  // namespace svc::connector
