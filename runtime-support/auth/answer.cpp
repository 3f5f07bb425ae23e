#include "auth/answer.hpp"

#include "base/json_text.hpp"
#include "identity/credentials.hpp"

namespace svc::auth {
namespace {

bool wants_json(const http::Head& head) {
    const std::string_view accept = head.header("accept");
    return accept.find("application/json") != std::string_view::npos &&
           accept.find("text/html") == std::string_view::npos;
}

}  // namespace

void append_user(std::string& out, const User& user) {
    out += R"({"id":)";
    base::append_json(out, user.id);
    out += R"(,"email":)";
    base::append_json(out, user.email);
    out += R"(,"name":)";
    base::append_json(out, user.name);
    out += user.is_admin ? R"(,"isAdmin":true,"role":)" : R"(,"isAdmin":false,"role":)";
    base::append_json(out, user.role);
    out += R"(,"orgId":)";
    if (user.org_id)
        base::append_json(out, *user.org_id);
    else
        out += "null";
    out += '}';
}

void answer_ok(http::Exchange& exchange) { exchange.reply().body = R"({"ok":true})"; }

void answer_signed_in(const Call& call, const User& user, std::string_view token,
                      std::string_view more) {
    set_cookie(call, token, call.in.app.auth.session_max);
    call.exchange.reply().header("Cache-Control", "no-store");
    std::string& body = call.exchange.reply().body;
    body = R"({"ok":true,"token":)";
    base::append_json(body, token);
    body += R"(,"user":)";
    append_user(body, user);
    body += more;
    body += '}';
}

void add_cookie(const Call& call, std::string_view name, std::string_view value,
                std::string_view path, std::int64_t seconds) {
    const http::Head& head = call.exchange.head();
    std::string cookie = identity::cookie_name(head, name, path) + '=';
    cookie += value;
    cookie += "; Path=" + std::string(path) +
              "; HttpOnly; SameSite=Lax; Max-Age=" + std::to_string(seconds);
    if (head.by_tls) cookie += "; Secure";
    call.exchange.reply().header("Set-Cookie", cookie);
}

void set_cookie(const Call& call, std::string_view token, unsigned max_age) {
    add_cookie(call, identity::kSessionCookie, token, identity::session_path(call.exchange.head()),
               max_age);
}

bool redirect_to_app(const Call& call, std::string_view query) {
    const std::string& origin = call.in.settings.origin;
    return !origin.empty() && redirect_to(call, origin + "/?" + std::string(query));
}

bool redirect_to(const Call& call, std::string_view place) {
    if (wants_json(call.exchange.head())) return false;
    send_to(call, place);
    return true;
}

void send_to(const Call& call, std::string_view place) {
    http::Reply& reply = call.exchange.reply();
    reply.status = 302;
    reply.header("Location", place);
    reply.header("Cache-Control", "no-store");
    reply.header("Referrer-Policy", "no-referrer");  // this page's address has the token
    reply.body.clear();
}

}  // namespace svc::auth
