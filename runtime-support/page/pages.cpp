#include "page/pages.hpp"

#include <algorithm>
#include <charconv>

#include "auth/form.hpp"
#include "http/proxy.hpp"
#include "identity/credentials.hpp"
#include "identity/origin.hpp"
#include "page/account.hpp"
#include "page/answer.hpp"
#include "page/assets.hpp"
#include "page/block.hpp"
#include "page/form.hpp"
#include "page/form_body.hpp"
#include "page/icons.hpp"
#include "page/live.hpp"
#include "page/moves.hpp"
#include "page/rows_query.hpp"
#include "page/sign_in.hpp"

namespace svc::page {
namespace {

bool is_post(const Visit& visit) { return visit.exchange.head().method == "POST"; }

// A browser says with every form where its page is from.
bool from_own_page(const http::Head& head) {
    const std::string_view site = head.header("sec-fetch-site");
    if (!site.empty() && site != "same-origin") return false;
    return identity::origin_of_host(head.header("origin"), head.header("host"));
}

bool wants_page(const http::Head& head) {
    const std::string_view accept = head.header("accept");
    return accept.empty() ? false : accept.find("text/html") != std::string_view::npos;
}

// Seconds to wait; 0: none.
unsigned take_turn(const Services& in, const http::Exchange& exchange) {
    const auto now = identity::Clock::now();
    if (const unsigned wait = in.visitors.take(http::counted_network(exchange.remote()), now))
        return wait;
    return in.budget.take(KeyKind::browser, now);
}

// What speaks against a request before anybody knows who sends it.
bool refused(const Services& in, http::Exchange& exchange) {
    const http::Head& head = exchange.head();
    const auto refuse = [&](int status, std::string_view title, std::string_view words) {
        answer_bare_problem(in.site, in.app.name, exchange, status, title, words);
        return true;
    };
    if (const unsigned wait = take_turn(in, exchange)) {
        exchange.reply().header("Retry-After", std::to_string(wait));
        return refuse(429, "Too many requests", "Wait a minute, then try again.");
    }
    if (head.method == "GET" || head.method == "HEAD") return false;
    if (head.method != "POST") {
        exchange.reply().header("Allow", "GET, HEAD, POST");
        return refuse(405, "This does not work here", "Pages answer only GET, HEAD and POST.");
    }
    if (!from_own_page(head))
        return refuse(403, "This form came from elsewhere",
                      "For your safety only pages of this app may send forms to it. Open the page "
                      "here and try again.");
    if (!exchange.body().empty() && !auth::is_form(head))
        return refuse(415, "This is no form", "Pages take forms of browsers alone.");
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

Html buttons_of(const Visit& visit) {
    Html out;
    const Page& page = *visit.page;
    if (!page.about) return out;
    const Table& table = table_of(visit, *page.about);
    if (page.role == Page::rows) out << create_button(visit, *page.about, Block(), "primary");
    const bool changes = page.role == Page::row && !table.edit_route.empty() && !visit.missing &&
                         page.about->access.updates(visit.caller.principals);
    if (!changes) return out;
    // Somebody who may change none of its fields has nothing to do there.
    Block form;
    form.entity = page.about;
    static constexpr Part kId[] = {{Part::route, "id"}};
    form.id = kId;
    if (asked_columns(visit, form).empty()) return out;
    out << "<a class=\"button primary\"";
    out.href(row_address(table.edit_route, visit.params.empty() ? "" : visit.params[0].second))
        << ">";
    out.markup(icon("pencil")) << "Edit</a>";
    return out;
}

Html crumbs_of(const Visit& visit) {
    Html out;
    const Page& page = *visit.page;
    if (!page.about || page.role == Page::rows || page.role == Page::home) return out;
    const std::string_view route = list_route(visit, *page.about);
    if (route.empty()) return out;
    out << "<a";
    out.href(route) << ">" << table_of(visit, *page.about).plural << "</a>";
    return out;
}

// The first page of an app for somebody who sees nothing there yet.
void write_welcome(Html& out, const Visit& visit) {
    out << "<div class=\"hero\"><p>"
        << (visit.site().description.empty() ? std::string_view("Sign in to see what is yours.")
                                             : visit.site().description)
        << "</p>";
    if (!visit.signed_in()) {
        out << "<div class=\"buttons\"><a class=\"button primary\"";
        out.href(sign_in_address(visit, "/")) << ">Sign in</a>";
        if (visit.app().auth.signup == SignupPolicy::open)
            out << "<a class=\"button quiet\" href=\"/sign-up\">Sign up</a>";
        out << "</div>";
    }
    out << "</div>";
}

Entrance entrance_of(const Visit& visit, const Block& block, std::size_t number) {
    return {.door = Door::sign_in,
            .block = number,
            .signup = block.signup,
            .then = filled(visit, block.then, nullptr, Fill::address)};
}

void write_auth(Html& out, const Visit& visit, const Block& block, const Entrance& entrance) {
    out << "<section class=\"block card-alone\">";
    if (!block.title.empty()) out << "<h2>" << block.title << "</h2>";
    if (visit.signed_in())
        out << "<p>You are signed in.</p>";
    else
        write_entrance(out, visit, entrance);
    out << "</section>";
}

// Metrics that follow each other stand side by side.
Task<> write_blocks(Visit& visit, const Entrance* entrance, Html& out) {
    bool metrics = false;
    for (std::size_t i = 0; i < visit.page->body.size(); ++i) {
        const Block& block = visit.page->body[i];
        if (block.kind == Block::auth && visit.sees(block.to)) {
            const bool shown = entrance && entrance->block == i;
            write_auth(out, visit, block, shown ? *entrance : entrance_of(visit, block, i));
            continue;
        }
        Html one;
        co_await write_block(visit, block, i, one);
        if (one.empty()) continue;
        const bool metric = block.kind == Block::metric;
        if (metric && !metrics) out << "<div class=\"metrics\">";
        if (!metric && metrics) out << "</div>";
        metrics = metric;
        out << one;
    }
    if (metrics) out << "</div>";
}

Task<> show_page(Visit& visit, const Entrance* entrance) {
    Frame frame;
    co_await write_blocks(visit, entrance, frame.body);
    frame.title = visit.title.empty() ? std::string(visit.page->title) : visit.title;
    if (visit.missing && visit.page->about) {
        answer_problem(visit, 404, "Not found", "This does not exist, or is not yours to see.");
        co_return;
    }
    if (frame.body.empty() && visit.page->role == Page::home) {
        frame.title = visit.app().name;
        write_welcome(frame.body, visit);
    } else if (frame.body.empty()) {
        frame.body << "<p class=\"empty\">There is nothing here for you.</p>";
    }
    frame.live = live_tables(visit);
    frame.buttons = buttons_of(visit);
    frame.crumbs = crumbs_of(visit);
    answer_page(visit, visit.problems ? 422 : 200, frame);
}

std::optional<std::size_t> block_of(const Visit& visit) {
    const std::string_view text = visit.form.text("_block");
    std::size_t out = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
    const bool whole = error == std::errc() && end == text.data() + text.size();
    if (!whole || out >= visit.page->body.size()) return std::nullopt;
    return out;
}

// A visitor who was signed in when a form was opened does not send it as a guest: its row would be
// nobody's, and perhaps everybody could read it. The browser forgets the session that has ended.
// True: answered.
bool leave_lapsed(Visit& visit) {
    const http::Head& head = visit.exchange.head();
    if (visit.signed_in() || identity::session_cookie(head).empty()) return false;
    const std::string path = identity::session_path(head);
    visit.exchange.reply().header("Set-Cookie",
                                  identity::cookie_name(head, identity::kSessionCookie, path) +
                                      "=; Path=" + path + "; HttpOnly; SameSite=Lax; Max-Age=0" +
                                      (head.by_tls ? "; Secure" : ""));
    go_on(visit, sign_in_address(visit, visit.place()), "");
    return true;
}

// What a form of a block asks for. True: answered.
Task<bool> act(Visit& visit, std::size_t number, std::optional<Entrance>& entrance) {
    const Block& block = visit.page->body[number];
    const std::string_view what = visit.form.text("_do");
    if (block.kind == Block::form) co_return co_await save_form(visit, block, number);
    if (block.kind == Block::actions && what == "move")
        co_return co_await move_row(visit, block, number);
    if (block.kind == Block::actions && what == "delete")
        co_return co_await delete_row(visit, block, number);
    if (block.kind == Block::upload) co_return co_await change_file(visit, block, number);
    if (block.kind == Block::pay) co_return co_await pay_order(visit, block, number);
    if (block.kind == Block::chat) co_return co_await ask_assistant(visit, block, number);
    if (block.kind == Block::auth) {
        entrance = entrance_of(visit, block, number);
        const bool answered = co_await enter(visit, *entrance);
        if (visit.problems) visit.problems->block = number;
        co_return answered;
    }
    co_return false;
}

// Whether the block whose form this is asks for a file there.
bool wants_file(const Visit& visit, std::string_view input) {
    const auto number = block_of(visit);
    if (!number || !visit.sees(visit.page->body[*number].to)) return false;
    const Block& block = visit.page->body[*number];
    const auto named = [&](std::string_view column) {
        return input.starts_with("f.") && input.substr(2) == column;
    };
    if (block.kind == Block::upload) return takes_file(visit, block, input);
    if (block.kind != Block::form) return false;
    return std::ranges::any_of(asked_columns(visit, block), [&](std::size_t column) {
        return named(block.entity->columns[column].name) &&
               table_of(visit, *block.entity).fields[column].kind == FieldKind::file;
    });
}

// False: answered.
Task<bool> read_files(Visit& visit) {
    WantsFile wanted = [&visit](std::string_view input) { return wants_file(visit, input); };
    const FormBody body = co_await read_form_body(visit, std::move(wanted));
    if (body == FormBody::good) co_return true;
    // The body of a form comes once: a session that was found to have ended meanwhile leaves none.
    if (body == FormBody::malformed && leave_lapsed(visit)) co_return false;
    if (body == FormBody::too_large)
        answer_problem(visit, 413, "This is too much",
                       "What you sent is larger than this page takes. Go back and send less.");
    else
        answer_problem(visit, 400, "This form did not arrive whole", "Go back and try again.");
    co_return false;
}

Task<> answer_own(Visit& visit) {
    if (!visit.sees(visit.page->to)) {
        const bool elsewhere = !visit.signed_in();
        if (elsewhere)
            go_on(visit, sign_in_address(visit, visit.exchange.head().target), "");
        else
            answer_problem(visit, 403, "Not for you",
                           "Your account may not open this page. If you think it should, ask "
                           "whoever looks after this app.");
        co_return;
    }
    std::optional<Entrance> entrance;
    if (is_multipart(visit.exchange.head()) && visit.form.all().empty()) {
        if (!co_await read_files(visit)) co_return;
    }
    if (is_post(visit)) {
        const auto number = block_of(visit);
        if (!number || !visit.sees(visit.page->body[*number].to)) {
            answer_problem(visit, 400, "This form is not here any more",
                           "The page has changed in the meantime. Open it again.");
            co_return;
        }
        if (visit.page->body[*number].kind != Block::auth && leave_lapsed(visit)) co_return;
        if (co_await act(visit, *number, entrance)) co_return;
    }
    if (visit.exchange.head().method == "GET" && co_await back_from_card(visit)) co_return;
    co_await show_page(visit, entrance ? &*entrance : nullptr);
}

Task<bool> answer_system(Visit& visit) {
    const std::string_view path = visit.path();
    if (path == "/sign-out" && is_post(visit))
        co_await leave(visit);
    else if (path == "/sign-in")
        co_await answer_door(visit, Door::sign_in);
    else if (path == "/sign-up")
        co_await answer_door(visit, Door::sign_up);
    else if (path == "/reset")
        co_await answer_door(visit, Door::reset);
    else if (path == "/account")
        co_await answer_account(visit);
    else
        co_return false;
    co_return true;
}

// For scripts of pages that were opened before.
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

Task<> Pages::answer_visit(http::Exchange& exchange, bool as_guest, bool& again) {
    Visit visit{in_, exchange, Api(in_.router, in_.key, exchange), Caller()};
    visit.caller.key = in_.key;
    visit.query = Members::read(exchange.head().query);
    if (is_post(visit)) visit.form = Members::read(exchange.body());
    const std::string_view token = identity::session_cookie(exchange.head());
    if (!token.empty() && !as_guest) {
        const auto found = co_await in_.identifier.sessions().resolve(token);
        if (!found) {
            answer_bare_problem(in_.site, in_.app.name, exchange, 503, "Back in a moment",
                                "The app cannot reach its database right now. Try again.");
            co_return;
        }
        if (*found) visit.caller = **found;
        visit.enrol_only = *found && visit.caller.enrol_only;
        visit.caller.key = in_.key;
    }
    if (!visit.signed_in()) visit.api.forget_session();

    visit.page = exact_page(in_.site, visit.path());
    const bool bound =
        visit.enrol_only && visit.path() != "/account" && visit.path() != "/sign-out";
    if (bound) {
        go_on(visit, "/account", "");
        co_return;
    }
    if (!visit.page && co_await answer_system(visit)) co_return;
    if (!visit.page) find_page(visit);
    if (!visit.page && !wants_page(exchange.head())) {
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
