// One route of an app server, as its folder gives it to the router. It has every condition that is
// checked before the handler.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>

#include "http/exchange.hpp"
#include "http/request/params.hpp"
#include "identity/caller.hpp"
#include "identity/result.hpp"
#include "svc/app.hpp"

namespace svc::route {

using Done = identity::Result<void>;

// The credentials that the gate checks first.
enum class Entry : std::uint8_t {
    open,  // nothing: a link that a browser follows, without key, marker and budget
    key,   // an app key
    data   // and the marker of the data API
};

// A request that its route let in.
struct Request {
    http::Exchange& exchange;
    std::shared_ptr<const AppKey> key;  // null if the route is open
    std::string_view id;                // the segment at <id>, or the whole rest at <path>
};

// Writes the answer, or gives the refusal. Called on the io thread; the request outlives its task.
using Handler = std::function<Task<Done>(Request&)>;

inline constexpr std::size_t kUsualBody = 1024 * 1024;  // bytes

struct Endpoint {
    std::optional<Method> method = std::nullopt;  // none: every method
    // Below /__svc. `<id>` stands for one segment, `<path>` at its end for one or more, slashes
    // included. Outlives the router.
    std::string_view path = {};
    Entry entry = Entry::data;
    Handler handler = {};
    http::ParamNames params = {};  // of the query string
    bool foreign_params = false;   // others too: somebody else makes the address
    // Its GET may have the key as access_token and the session as app_session in the query, because
    // EventSource cannot set headers. No other route may, because addresses are written to logs and
    // histories.
    bool credentials_in_query = false;
    bool slashes = false;  // %2F is allowed in the id
    std::size_t body_limit = kUsualBody;
    bool streams = false;  // the handler reads the body, and holds the limit itself
    // Other services store its address, so the route also works without /__svc. The segment after
    // the fixed part of `path` is the project, because no key says whose it is.
    bool kept_address = false;
    // The answer of the path to OPTIONS beside CORS. Empty: none.
    std::function<void(http::Reply&)> options = {};
};

}  // namespace svc::route
