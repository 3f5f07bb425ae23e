#include "auth/page.hpp"

#include "http/text.hpp"

namespace svc::auth {
namespace {

// The colours of page/asset/style.cpp, as far as a card needs them.
constexpr std::string_view kStyle =
    ":root{color-scheme:light dark;--accent:oklch(from var(--seed) min(l,.52) c h);"
    "--on-accent:#fff;--page:oklch(from var(--seed) .985 min(c,.004) h);--surface:#fff;"
    "--line:oklch(from var(--seed) .905 min(c,.01) h);"
    "--strong:oklch(from var(--seed) .64 min(c,.02) h);"
    "--ink:oklch(from var(--seed) .24 min(c,.02) h);"
    "--quiet:oklch(from var(--seed) .49 min(c,.02) h);"
    "--red:oklch(.5 .18 27);--red-soft:oklch(.96 .02 20);--red-line:oklch(.84 .08 22)}"
    "@media(prefers-color-scheme:dark){:root{"
    "--accent:oklch(from var(--seed) max(l,.74) min(c,.14) h);"
    "--on-accent:oklch(from var(--seed) .18 .03 h);"
    "--page:oklch(from var(--seed) .17 min(c,.008) h);"
    "--surface:oklch(from var(--seed) .205 min(c,.01) h);"
    "--line:oklch(from var(--seed) .29 min(c,.014) h);"
    "--strong:oklch(from var(--seed) .55 min(c,.02) h);"
    "--ink:oklch(from var(--seed) .94 min(c,.01) h);"
    "--quiet:oklch(from var(--seed) .73 min(c,.02) h);"
    "--red:oklch(.77 .13 25);--red-soft:oklch(.27 .06 25);--red-line:oklch(.45 .12 25)}}"
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
    "padding:8px 12px;border:1px solid var(--strong);border-radius:var(--radius)}"
    ".button,button{display:flex;width:100%;min-height:44px;align-items:center;justify-content:"
    "center;"
    "font:inherit;font-weight:500;padding:8px 16px;border:1px solid transparent;"
    "border-radius:var(--radius);background:var(--accent);color:var(--on-accent);"
    "text-decoration:none;cursor:pointer}"
    ":is(.button,button):hover{background:oklch(from var(--accent) calc(l - .05) c h)}"
    ":focus-visible{outline:2px solid var(--accent);outline-offset:2px}"
    ".error{padding:12px 16px;border:1px solid var(--red-line);border-radius:var(--radius);"
    "background:var(--red-soft);color:var(--red);font-size:15px}";

std::string theme(const App& app) {
    const page::Site* site = app.site;
    std::string out = ":root{--seed:";
    out += site && !site->accent.empty() ? site->accent : "#3a5bd9";
    out += ";--radius:";
    out += site && !site->radius.empty() ? site->radius : "6px";
    const std::string_view font = site ? site->font : std::string_view();
    if (font == "serif")
        return out + ";--font:Charter,'Bitstream Charter','Sitka Text',Cambria,serif}";
    if (font == "mono")
        return out + ";--font:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}";
    return out + ";--font:system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans',sans-serif}";
}

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
    out += heading + " · " + name + "</title><style>" + theme(app);
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
