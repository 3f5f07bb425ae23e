#include "page/pages.hpp"

#include <algorithm>

#include "auth/form.hpp"
#include "auth/page.hpp"
#include "http/request/proxy.hpp"
#include "identity/credentials.hpp"
#include "identity/key/origin.hpp"
#include "page/account/account.hpp"
#include "page/action/moves.hpp"
#include "page/answer.hpp"
#include "page/asset/assets.hpp"
#include "page/form/form_body.hpp"
#include "page/sent_form.hpp"
#include "page/show.hpp"

namespace svc::page {
namespace {

bool is_post(const Visit& visit) { return visit.exchange.head().method == "POST"; }

// A browser says with every form where its page is from.
bool from_own_page(const http::Head& head) {
    const std::string_view site = head.header("sec-fetch-site");
    if (!site.empty() && site != "same-origin") return false;
    return identity::origin_of_host(head.header("origin"), head.header("host"));
}

// Counts it against its network and the app. Gives seconds to wait; 0: none.
unsigned count_request(const Services& in, const http::Exchange& exchange) {
    const auto now = identity::Clock::now();
    if (const unsigned wait = in.visitors.take(http::counted_network(exchange.remote()), now))
        return wait;
    return in.budget.take(KeyKind::browser, now);
}

// Refuses a request for reasons that do not depend on who sends it.
bool refused(const Services& in, http::Exchange& exchange) {
    const http::Head& head = exchange.head();
    const auto refuse = [&](int status, std::string_view title, std::string_view words) {
        answer_bare_problem(in.site, in.app.name, exchange, status, title, words);
        return true;
    };
    if (const unsigned wait = count_request(in, exchange)) {
        exchange.reply().header("Retry-After", std::to_string(wait));
        return refuse(429, "Too many requests", "Wait a minute, then try again.");
    }
    if (head.method == "GET" || head.method == "HEAD") return false;
    if (head.method != "POST") {
        exchange.reply().header("Allow", "GET, HEAD, POST");
        return refuse(405, "This does not work here", "Pages answer only GET, HEAD and POST.");
    }
    if (!from_own_page(head))
        return refuse(403, "This form was sent from another site",
                      "For your safety only pages of this app may send forms to it. Open the page "
                      "here and try again.");
    if (!exchange.body().empty() && !auth::is_form(head))
        return refuse(415, "This request is not a form",
                      "A page accepts only forms that a browser sends.");
    return false;
}

const Page* exact_page(const Site& site, std::string_view path) {
    for (const Page& page : site.pages)
        if (page.route == path) return &page;
    return nullptr;
}

// Named pieces count before parameters, from left to right: /order/new before /order/:id.
bool more_named(std::string_view a, std::string_view b) {
    const auto shape = [](std::string_view route) {
        std::string out;
        while (!route.empty()) {
            route.remove_prefix(1);
            out += route.starts_with(':') ? 'p' : 'n';
            route.remove_prefix(std::min(route.find('/'), route.size()));
        }
        return out;
    };
    return shape(a) < shape(b);
}

void find_page(Visit& visit) {
    for (const Page& page : visit.site().pages) {
        auto params = match_route(page.route, visit.path());
        if (!params || (visit.page && !more_named(page.route, visit.page->route))) continue;
        visit.page = &page;
        visit.params = std::move(*params);
    }
}

Task<> answer_own(Visit& visit) {
    if (!visit.sees(visit.page->to)) {
        if (!visit.signed_in())
            go_on(visit, sign_in_address(visit, visit.exchange.head().target), "");
        else
            answer_problem(visit, 403, "Not for you",
                           "Your account may not open this page. If you think it should, ask "
                           "whoever looks after this app.");
        co_return;
    }
    std::optional<SignInState> state;
    if (is_multipart(visit.exchange.head()) && visit.form.all().empty()) {
        if (co_await read_files(visit) == Progress::answered) co_return;
    }
    if (is_post(visit)) {
        const auto number = block_of(visit);
        if (!number || !visit.sees(visit.page->body[*number].to)) {
            answer_problem(visit, 400, "This page no longer has that form",
                           "The page has changed in the meantime. Open it again.");
            co_return;
        }
        if (visit.page->body[*number].kind != Block::auth &&
            leave_lapsed(visit) == Progress::answered)
            co_return;
        if (co_await act(visit, *number, state) == Progress::answered) co_return;
    }
    if (visit.exchange.head().method == "GET" &&
        co_await back_from_card(visit) == Progress::answered)
        co_return;
    co_await show_page(visit, state ? &*state : nullptr);
}

Task<Progress> answer_system(Visit& visit) {
    const std::string_view path = visit.path();
    if (path == "/sign-out" && is_post(visit))
        co_await leave(visit);
    else if (path == "/sign-in")
        co_await answer_sign_in_page(visit, SignInKind::sign_in);
    else if (path == "/sign-up")
        co_await answer_sign_in_page(visit, SignInKind::sign_up);
    else if (path == "/reset")
        co_await answer_sign_in_page(visit, SignInKind::reset);
    else if (path == "/account")
        co_await answer_account(visit);
    else
        co_return Progress::goes_on;
    co_return Progress::answered;
}

// Answers scripts of pages that were opened before.
bool answer_build(const App& app, http::Exchange& exchange) {
    if (exchange.head().path != "/assets/build") return false;
    http::Reply& reply = exchange.reply();
    reply.content_type = "text/plain; charset=utf-8";
    reply.header("Cache-Control", "no-store");
    reply.header("Cross-Origin-Resource-Policy", "same-origin");
    reply.body = build_mark(app);
    return true;
}

constexpr std::uint64_t kFormBody = 256 * 1024;

}  // namespace

std::uint64_t body_limit(const App& app, const http::Head& head) {
    return is_multipart(head) ? most_of_form(app) : kFormBody;
}

bool streams_body(const http::Head& head) { return is_multipart(head); }

Task<> Pages::answer(http::Exchange& exchange) {
    if (answer_asset(in_.site, exchange) || answer_build(in_.app, exchange)) co_return;
    if (refused(in_, exchange)) co_return;
    if (const auto script = co_await scripts_.find(exchange.head().path)) {
        send_asset(exchange.reply(), kScriptType, *script);
        co_return;
    }
    bool again = false;
    co_await answer_visit(exchange, false, again);
    if (!again) co_return;
    // The session had ended, which this process did not know yet.
    exchange.reply().clear();
    co_await answer_visit(exchange, true, again);
}

// Finds who the visit is.
Task<Progress> Pages::find_caller(Visit& visit, bool as_guest) {
    visit.caller.key = in_.key;
    const std::string_view token = identity::session_cookie(visit.exchange.head());
    if (token.empty() || as_guest) co_return Progress::goes_on;
    const auto found = co_await in_.identifier.sessions().resolve(token);
    if (!found) {
        answer_bare_problem(in_.site, in_.app.name, visit.exchange, 503, "Back in a moment",
                            "The app cannot reach its database right now. Try again.");
        co_return Progress::answered;
    }
    if (*found) visit.caller = **found;
    visit.enrol_only = *found && visit.caller.enrol_only;
    visit.caller.key = in_.key;
    co_return Progress::goes_on;
}

Task<> Pages::answer_visit(http::Exchange& exchange, bool as_guest, bool& again) {
    Visit visit{in_, exchange, Api(in_.router, in_.key, exchange), Caller()};
    visit.query = Members::read(exchange.head().query);
    if (is_post(visit)) visit.form = Members::read(exchange.body());
    if (co_await find_caller(visit, as_guest) == Progress::answered) co_return;
    if (!visit.signed_in()) visit.api.forget_session();

    visit.page = exact_page(in_.site, visit.path());
    const bool bound =
        visit.enrol_only && visit.path() != "/account" && visit.path() != "/sign-out";
    if (bound) {
        go_on(visit, "/account", "");
        co_return;
    }
    if (!visit.page && co_await answer_system(visit) == Progress::answered) co_return;
    if (!visit.page) find_page(visit);
    if (!visit.page && !auth::in_browser(exchange.head())) {
        identity::refuse(exchange.reply(),
                         identity::refusal(Code::not_found, "This address has no page or route."));
        co_return;
    }
    if (!visit.page)
        answer_problem(visit, 404, "Not found", "There is no page at this address.");
    else
        co_await answer_own(visit);
    if (!visit.scripts.empty()) co_await scripts_.keep();
    again = visit.api.session_ended() && visit.signed_in();
    if (again) in_.identifier.sessions().forget(visit.caller.session_hash);
}

}  // namespace svc::page
