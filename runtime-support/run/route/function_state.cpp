#include "run/route/function_state.hpp"

#include "base/hex.hpp"
#include "base/json_text.hpp"
#include "base/sha256.hpp"

namespace svc::run {
namespace {

void append_quoted(std::string& out, std::string_view name, std::string_view text) {
    out += name;
    base::append_json(out, text);
}

std::string actor_of(const Caller& caller) {
    if (!caller.user) return "null";
    const User& user = *caller.user;
    std::string out;
    append_quoted(out, R"({"id":)", user.id);
    append_quoted(out, R"(,"persona":)", caller.persona);
    append_quoted(out, R"(,"email":)", user.email);
    out += user.is_admin ? R"(,"isAdmin":true,"org":)" : R"(,"isAdmin":false,"org":)";
    if (caller.org_id)
        base::append_json(out, *caller.org_id);
    else
        out += "null";
    return out + "}";
}

// The signature of one call of a caller. If it is sent again, its own calls have the same keys.
std::string sign_of(const data::write::IdempotencyKey& key, const Caller& caller) {
    constexpr std::string_view kEnd("\0", 1);
    constexpr std::size_t kDigits = 32;
    base::Sha256 hash;
    hash.add(caller.user ? std::string_view(caller.user->id) : std::string_view()).add(kEnd);
    hash.add(caller.names).add(kEnd).add(key.key).add(kEnd).add(key.request);
    return base::hex(base::bytes_of(hash.end())).substr(0, kDigits);
}

}  // namespace

std::string first_state(std::string_view params, const Caller& caller,
                        const std::optional<data::write::IdempotencyKey>& key) {
    std::string out = R"({"input":)" + std::string(params) + R"(,"actor":)" + actor_of(caller);
    append_quoted(out, R"(,"caller":{"id":)", caller.user ? caller.user->id : std::string());
    append_quoted(out, R"(,"principals":)", caller.names);
    out += R"(,"claims":)" + (caller.claims.empty() ? "{}" : caller.claims);
    out += '}';
    if (key) append_quoted(out, R"(,"sign":)", sign_of(*key, caller));
    return out + "}";
}

}  // namespace svc::run
