#include "ops/cors.hpp"

#include "identity/key/origin.hpp"

namespace svc::ops {
namespace {

constexpr std::string_view kMethods = "GET, HEAD, POST, PATCH, DELETE";
constexpr std::string_view kHeaders =
    "authorization, content-type, idempotency-key, if-match, if-none-match, last-event-id, "
    "x-svc-app-session, x-svc-data-api, x-svc-env, x-svc-feed, x-svc-files, "
    "range, if-range, tus-resumable, upload-length, upload-metadata, upload-offset, "
    "upload-checksum, x-http-method-override";
constexpr std::string_view kExposed =
    "etag, idempotency-replayed, retry-after, x-svc-row-count, x-svc-truncated, "
    "x-svc-cursor, x-svc-next-cursor, x-svc-links-truncated, x-svc-count, x-svc-estimated, "
    "accept-ranges, content-disposition, content-range, location, tus-resumable, tus-version, "
    "tus-extension, tus-max-size, tus-checksum-algorithm, upload-expires, upload-length, "
    "upload-metadata, upload-offset";
constexpr std::string_view kMaxAge = "600";

// Echoes an allowed origin. Vary in either case, or a cache might hand one origin's answer to
// another.
bool echo_origin(http::Reply& reply, std::string_view origin, bool allowed, bool by_name) {
    reply.header("Vary", "Origin");
    if (!allowed) return false;
    reply.header("Access-Control-Allow-Origin", origin);
    // Only who is named may use the cookie of a browser; "*" means keys and tokens that a page
    // holds itself.
    if (by_name) reply.header("Access-Control-Allow-Credentials", "true");
    return true;
}

}  // namespace

void answer_origin(http::Exchange& exchange, const identity::KeyStore& keys, const AppKey* key) {
    const std::string_view origin = exchange.head().header("origin");
    if (origin.empty()) return;
    const bool allowed = key ? identity::usable_from(*key, origin) : keys.any_bound_to(origin);
    const bool by_name =
        key ? identity::origin_named(origin, key->origins) : keys.any_names(origin);
    if (echo_origin(exchange.reply(), origin, allowed, by_name))
        exchange.reply().header("Access-Control-Expose-Headers", kExposed);
}

void answer_preflight(http::Exchange& exchange, const identity::KeyStore& keys) {
    http::Reply& reply = exchange.reply();
    reply.status = 204;
    const std::string_view origin = exchange.head().header("origin");
    if (origin.empty()) {
        reply.header("Allow", "GET, HEAD, POST, PATCH, DELETE, OPTIONS");
        return;
    }
    if (!echo_origin(reply, origin, keys.any_bound_to(origin), keys.any_names(origin))) return;
    reply.header("Access-Control-Allow-Methods", kMethods);
    reply.header("Access-Control-Allow-Headers", kHeaders);
    reply.header("Access-Control-Max-Age", kMaxAge);
}

}  // namespace svc::ops
