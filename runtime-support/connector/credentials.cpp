#include "connector/credentials.hpp"

#include "base/base64url.hpp"
#include "base/url_host.hpp"
#include "run/call/http_step.hpp"

namespace svc::connector {

Task<identity::Result<Credentials>> find_credentials(const CallContext& in, const Auth& auth,
                                                     const std::string& url) {
    Credentials out;
    if (auth.type == Auth::Type::none) {
        out.connected = true;
        co_return out;
    }
    const std::string host = base::host_of(url);
    const auto bound = co_await identity::project_secret(in.system, in.secret, auth.secret, host);
    if (!bound) co_return bound.error();
    if (!*bound || (**bound).empty()) {
        out.problem =
            "The project has no secret " + auth.secret + " that may be sent to " + host + ".";
        co_return out;
    }
    out.connected = true;
    out.value = **bound;
    out.masked.push_back(out.value);
    if (auth.type == Auth::Type::basic)
        out.masked.push_back(base::base64url(auth.user + ":" + out.value));
    co_return out;
}

Task<identity::Result<bool>> is_connected(const CallContext& in, const Auth& auth,
                                          const std::string& url) {
    const auto found = co_await find_credentials(in, auth, url);
    if (!found) co_return found.error();
    co_return found->connected;
}

bool add_credentials(outgoing::Fetch& fetch, const Auth& auth, const Credentials& credentials) {
    switch (auth.type) {
        case Auth::Type::none:
            return true;
        case Auth::Type::bearer:
            return run::add_header(fetch, "Authorization", "Bearer " + credentials.value);
        case Auth::Type::header:
            return run::add_header(fetch, auth.name, credentials.value);
        case Auth::Type::basic:
            fetch.user = auth.user;
            fetch.password = credentials.value;
            return true;
    }
    return false;
}

}  // namespace svc::connector
