#include "page/answer.hpp"

#include <algorithm>

#include "base/ascii.hpp"
#include "base/crypto.hpp"
#include "page/asset/assets.hpp"
#include "page/frame.hpp"
#include "page/html/icons.hpp"

namespace svc::page {
namespace {

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
    frame.body.href(to) << ">Go on to " << shortened(host, kLongestTitle) << "</a>";
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
    out.markup(kPageEnd);
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
