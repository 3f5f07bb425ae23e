#include "page/answer.hpp"

#include <algorithm>

#include "base/ascii.hpp"
#include "base/crypto.hpp"
#include "page/asset/assets.hpp"
#include "page/html/icons.hpp"

namespace svc::page {
namespace {

constexpr std::size_t kTitle = 200;
// A browser shows a page once it has read it up to here: shown in pieces, a page would move as they
// come.
constexpr std::string_view kEnd = "<span id=\"page-end\" hidden></span></body></html>";

std::string_view done_words(std::string_view done) {
    constexpr std::pair<std::string_view, std::string_view> kWords[] = {
        {"saved", "Your changes are saved."},
        {"created", "Created."},
        {"deleted", "Deleted."},
        {"moved", "Done."},
        {"in", "You are signed in."},
        {"verified", "Your address is confirmed."},
        {"joined", "You are a member of the organisation now."},
        {"out", "You are signed out."},
        {"mailed", "A mail is on its way."},
        {"uploaded", "The file is uploaded."},
        {"removed", "The file is removed."},
        {"paid", "Paid. Thank you."},
        {"settled", "The payment is recorded."},
        {"due", "Your order is noted. See below how to pay."},
        {"org", "You work for another organisation now."},
        {"factor", "Your second factor is on."},
        {"nofactor", "Your second factor is off."},
        {"passkey", "The passkey is added."},
        {"nopasskey", "The passkey is removed."}};
    for (const auto& [word, words] : kWords)
        if (word == done) return words;
    return {};
}

// What has just been done: as a form says, or a link of a mail, which leads to the first page.
std::string_view done_here(const Visit& visit) {
    if (const std::string_view words = done_words(visit.query.text("done")); !words.empty())
        return words;
    if (visit.query.has("magic") && visit.signed_in()) return done_words("in");
    if (visit.query.has("verified")) return done_words("verified");
    return visit.query.has("org") && visit.path() == "/" ? done_words("joined")
                                                         : std::string_view();
}

// `build`: by which the page's script knows that the app has changed; empty: it has none.
void write_head(Html& out, const Site& site, std::string_view app, std::string_view build,
                const std::string& title) {
    out << "<!doctype html>\n<html";
    out.attribute("lang", site.language.empty() ? "en" : site.language);
    if (!build.empty()) out.attribute("data-build", build);
    out << "><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
           "content=\"width=device-width, initial-scale=1\"><meta name=\"color-scheme\" "
           "content=\"light dark\"><title>"
        << shortened(title, kTitle);
    if (title != app) out << " · " << app;
    out << "</title><link rel=\"stylesheet\"";
    out.attribute("href", asset_path(site, kStylesheet))
        << "><link rel=\"icon\" type=\"image/svg+xml\"";
    out.attribute("href", asset_path(site, kIcon))
        << "><link rel=\"expect\" href=\"#page-end\" blocking=\"render\">";
}

// 128 bits that no page has twice: who can write into a page, but not read it, writes no script.
std::string fresh_nonce() { return base::base64(base::random_bytes(16)); }

// The scripts that the blocks of this answer need. Modules run in this order, after the page is
// read.
void write_scripts(Html& out, const Visit& visit, std::string_view nonce) {
    for (const std::string_view path : visit.scripts) {
        out << "<script type=\"module\"";
        out.attribute("nonce", nonce).attribute("src", path) << "></script>";
    }
}

bool is_here(const Visit& visit, const Page& page) {
    if (!visit.page) return false;
    return &page == visit.page || (page.about && page.about == visit.page->about);
}

void write_menu(Html& out, const Visit& visit) {
    out << "<ul class=\"menu\">";
    for (const Page& page : visit.site().pages) {
        if (!page.in_menu || !visit.sees(page.to)) continue;
        out << "<li><a";
        if (is_here(visit, page)) out << " aria-current=\"page\"";
        out.href(page.route) << ">";
        out.markup(icon(page.icon.empty() ? "circle" : page.icon))
            << "<span>" << page.label << "</span></a></li>";
    }
    out << "</ul>";
}

void write_visitor(Html& out, const Visit& visit) {
    out << "<div class=\"person\">";
    if (!visit.signed_in()) {
        out << "<a class=\"button quiet wide\"";
        out.href(sign_in_address(visit, visit.place())) << ">Sign in</a>";
        if (visit.app().auth.signup == SignupPolicy::open)
            out << "<a class=\"button primary wide\" href=\"/sign-up\">Sign up</a>";
        out << "</div>";
        return;
    }
    const User& user = *visit.caller.user;
    out << "<a class=\"who\" href=\"/account\">";
    out.markup(icon("user")) << "<span><strong>" << (user.name.empty() ? user.email : user.name)
                             << "</strong>";
    if (!user.name.empty()) out << "<small>" << user.email << "</small>";
    out << "</span></a><form method=\"post\" action=\"/sign-out\"><button class=\"icon-button\" "
           "aria-label=\"Sign out\" title=\"Sign out\">";
    out.markup(icon("log-out")) << "</button></form></div>";
}

void write_frame(Html& out, const Visit& visit, const Frame& frame) {
    out << "</head><body><a class=\"skip\" href=\"#content\">Skip to content</a><div "
           "class=\"shell\"><header class=\"side\">"
           "<input type=\"checkbox\" id=\"menu\" class=\"menu-switch\" aria-label=\"Menu\">"
           "<div class=\"brand\"><a href=\"/\">"
        << visit.app().name
        << "</a><label for=\"menu\" class=\"menu-button\" aria-hidden=\"true\">";
    out.markup(icon("menu")) << "</label></div><nav aria-label=\"Pages\">";
    write_menu(out, visit);
    write_visitor(out, visit);
    out << "</nav></header><main id=\"content\"";
    if (!frame.live.empty()) out.attribute("data-live", frame.live);
    out << ">";
    if (const std::string_view done = done_here(visit); !done.empty()) {
        out << "<p class=\"notice green\" role=\"status\">";
        out.markup(icon("check")) << done << "</p>";
    }
    if (!frame.crumbs.empty())
        out << "<nav class=\"crumbs\" aria-label=\"Place\">" << frame.crumbs << "</nav>";
    out << "<div class=\"heading\"><h1>" << frame.title << "</h1>";
    if (!frame.buttons.empty()) out << "<div class=\"buttons\">" << frame.buttons << "</div>";
    out << "</div>" << frame.body << "</main></div>";
    out.markup(kEnd);
}

void write_card(Html& out, const Visit& visit, const Frame& frame) {
    out << "</head><body><main id=\"content\" class=\"alone\"><a class=\"brand\" href=\"/\">"
        << visit.app().name << "</a>";
    const std::string_view done = done_words(visit.query.text("done"));
    if (!done.empty()) out << "<p class=\"notice green\" role=\"status\">" << done << "</p>";
    out << "<section class=\"card-alone\"><h1>" << frame.title << "</h1>" << frame.body
        << "</section></main>";
    out.markup(kEnd);
}

void send(http::Reply& reply, int status, Html& out, std::string_view nonce,
          std::string_view forms_to) {
    reply.status = status;
    reply.content_type = "text/html; charset=utf-8";
    reply.body = out.take();
    secure(reply, nonce, forms_to);
}

// A browser follows the answer of a form only to this app (form-action), and a script sees no other
// host either. So the way to another site is a link.
void offer_way(Visit& visit, const std::string& to, std::string_view done) {
    constexpr std::size_t kScheme = 8;  // "https://"
    const std::string host = to.substr(kScheme, to.find_first_of("/?#", kScheme) - kScheme);
    const std::string_view words = done_words(done);
    Frame frame{.title = "To another site", .narrow = true};
    frame.body << "<p>" << (words.empty() ? std::string_view("Done.") : words)
               << "</p><a class=\"button primary\"";
    frame.body.href(to) << ">Go on to " << shortened(host, kTitle) << "</a>";
    answer_page(visit, 200, frame);
}

}  // namespace

std::string_view build_mark(const App& app) { return app.contract.substr(0, 16); }

// Scripts are those with the answer's nonce, and what they import: never 'self', where files that
// people upload answer as well. Forms tell their origin only where pages tell it to their own host:
// no-referrer would make it null.
void secure(http::Reply& reply, std::string_view nonce, std::string_view forms_to) {
    const std::string scripts = nonce.empty() ? "'none'" : "'nonce-" + std::string(nonce) + "'";
    std::string forms = "'self'";
    if (!forms_to.empty()) forms.append(" ").append(forms_to);
    reply.header("Cache-Control", "no-store");
    reply.header("Content-Security-Policy",
                 "default-src 'none'; style-src 'self'; img-src 'self'; script-src " + scripts +
                     "; connect-src 'self'; base-uri 'none'; form-action " + forms +
                     "; frame-ancestors 'none'; require-trusted-types-for 'script'; "
                     "trusted-types 'none'");
    reply.header("X-Frame-Options", "DENY");
    reply.header("Referrer-Policy", "same-origin");
    reply.header("Cross-Origin-Opener-Policy", "same-origin");
}

void go_on(Visit& visit, const std::string& address, std::string_view done) {
    const bool leaves = address.starts_with("https://");
    if (leaves && visit.exchange.head().method == "POST") return offer_way(visit, address, done);
    std::string to = leaves || is_local(address) ? address : visit.place();
    if (!done.empty() && to.starts_with('/')) {
        const std::size_t hash = std::min(to.find('#'), to.size());
        const bool query = to.substr(0, hash).find('?') != std::string::npos;
        to.insert(hash, (query ? "&done=" : "?done=") + std::string(done));
    }
    http::Reply& reply = visit.exchange.reply();
    reply.status = 303;
    reply.content_type = "text/html; charset=utf-8";
    reply.body.clear();
    reply.header("Location", to);
    secure(reply, "");
}

void answer_page(Visit& visit, int status, const Frame& frame) {
    constexpr std::size_t kAround = 8 * 1024;  // bytes of most pages beside their body
    Html out;
    out.expect(frame.body.str().size() + kAround);
    write_head(out, visit.site(), visit.app().name, build_mark(visit.app()), frame.title);
    visit.need_script(asset_path(visit.site(), kScript));
    const std::string nonce = fresh_nonce();
    write_scripts(out, visit, nonce);
    if (frame.narrow)
        write_card(out, visit, frame);
    else
        write_frame(out, visit, frame);
    send(visit.exchange.reply(), status, out, nonce, visit.card_page);
}

void answer_problem(Visit& visit, int status, std::string_view title, std::string_view words) {
    Frame frame;
    frame.title = title;
    frame.body << "<div class=\"empty\">";
    frame.body.markup(icon(status == 404 ? "search" : status == 403 ? "lock" : "triangle-alert"));
    frame.body << "<p>" << words << "</p><a class=\"button primary\" href=\"/\">To the start</a>";
    if (status == 403 && visit.signed_in())
        frame.body << "<a class=\"button quiet\" href=\"/account\">Your account</a>";
    frame.body << "</div>";
    answer_page(visit, status, frame);
}

void answer_bare_problem(const Site& site, std::string_view app, http::Exchange& exchange,
                         int status, std::string_view title, std::string_view words) {
    Html out;
    write_head(out, site, app, "", std::string(title));
    out << "</head><body><main class=\"alone\"><a class=\"brand\" href=\"/\">" << app
        << "</a><section class=\"card-alone\"><h1>" << title << "</h1><p>" << words
        << "</p><a class=\"button quiet wide\" href=\"/\">To the start</a></section></main>";
    out.markup(kEnd);
    send(exchange.reply(), status, out, "", "");
}

std::string sign_in_address(const Visit& visit, std::string_view next) {
    std::string out = "/sign-in";
    for (const Page& page : visit.site().pages) {
        const bool plain_route = page.route.find(':') == std::string_view::npos;
        const bool asks = std::ranges::any_of(page.body, [](const Block& block) {
            return block.kind == Block::auth && (block.to & principal::kGuest) != 0;
        });
        if (!asks || !plain_route || (page.to & principal::kGuest) == 0) continue;
        out = page.route;
        break;
    }
    if (!is_local(next) || next == "/" || next == out) return out;
    Members members;
    members.set("next", next);
    return out + "?" + members.encoded();
}

std::string next_of(const Visit& visit) {
    const std::string* sent = visit.form.find("next");
    const std::string next(sent ? std::string_view(*sent) : visit.query.text("next"));
    return is_local(next) ? next : std::string();
}

}  // namespace svc::page
