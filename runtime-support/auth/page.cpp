#include "auth/page.hpp"

#include "auth/theme.hpp"
#include "http/text.hpp"

namespace svc::auth {
namespace {

constexpr std::string_view kStyle =
    ":root{color-scheme:light dark}"
    "*{box-sizing:border-box}"
    "body{margin:0;min-height:100vh;padding:10vh 16px 64px;display:flex;flex-direction:column;"
    "align-items:center;gap:24px;font:16px/1.5 var(--font);color:var(--ink);"
    "background:var(--page)}"
    ".brand{font-weight:600;font-size:18px;color:var(--ink);text-decoration:none;"
    "max-width:376px;overflow-wrap:anywhere}"
    "main{width:100%;max-width:376px;padding:24px;background:var(--surface);"
    "border:1px solid var(--line);border-radius:calc(var(--radius) + 4px)}"
    "h1{font-size:20px;line-height:1.25;margin:0 0 16px}p{margin:0 0 16px;overflow-wrap:anywhere}"
    "label{display:block;font-weight:500;font-size:14px;margin-bottom:4px}"
    ".hint{font-size:13px;color:var(--quiet);margin:4px 0 16px}"
    "input{font:inherit;color:inherit;background:var(--surface);width:100%;min-height:44px;"
    "padding:8px 12px;border:1px solid var(--line-strong);border-radius:var(--radius)}"
    ".button,button{display:flex;width:100%;min-height:44px;align-items:center;justify-content:"
    "center;"
    "font:inherit;font-weight:500;padding:8px 16px;border:1px solid transparent;"
    "border-radius:var(--radius);background:var(--accent);color:var(--on-accent);"
    "text-decoration:none;cursor:pointer}"
    ":is(.button,button):hover{background:oklch(from var(--accent) calc(l - .05) c h)}"
    ":focus-visible{outline:2px solid var(--accent);outline-offset:2px}"
    ".error{padding:12px 16px;border:1px solid var(--red-line);border-radius:var(--radius);"
    "background:var(--red-soft);color:var(--red);font-size:15px}";

void secure(http::Reply& reply, std::string_view referrer) {
    reply.header("Cache-Control", "no-store");
    reply.header("Referrer-Policy", referrer);
    reply.header("Content-Security-Policy",
                 "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; "
                 "frame-ancestors 'none'; base-uri 'none'");
}

}  // namespace

bool in_browser(const http::Head& head) {
    return head.header("accept").find("text/html") != std::string_view::npos;
}

void answer_page(const Call& call, std::string_view title, std::string_view body,
                 std::string_view referrer) {
    http::Reply& reply = call.exchange.reply();
    reply.content_type = "text/html; charset=utf-8";
    secure(reply, referrer);
    const App& app = call.in.app;
    const std::string heading = http::escape_html(title), name = http::escape_html(app.name);
    std::string& out = reply.body;
    out =
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
        "content=\"width=device-width, initial-scale=1\"><title>";
    out += heading + " · " + name + "</title><style>" + theme(app.site);
    out += kStyle;
    out += "</style></head><body>";
    out += app.site ? "<a class=\"brand\" href=\"" +
                          http::escape_html(call.in.settings.origin + "/") + "\">" + name + "</a>"
                    : "<span class=\"brand\">" + name + "</span>";
    out += "<main><h1>" + heading + "</h1>";
    out += body;
    out += "</main></body></html>";
}

void answer_refused_page(const Call& call, const identity::Refusal& refusal) {
    identity::refuse(call.exchange.reply(), refusal);
    const std::string words = refusal.error.message;
    const bool later =
        status(refusal.error.code) >= 500 || refusal.error.code == Code::rate_limited;
    answer_page(call, later ? "This did not work right now" : "This link does not work",
                "<p>" + http::escape_html(words) + "</p>" +
                    button_to(call, "/sign-in", "Go to the sign-in"));
}

std::string button_to(const Call& call, std::string_view path, std::string_view words) {
    if (!call.in.app.site) return {};
    return "<a class=\"button\" href=\"" +
           http::escape_html(call.in.settings.origin + std::string(path)) + "\">" +
           std::string(words) + "</a>";
}

}  // namespace svc::auth
