#include "page/frame.hpp"

#include "page/asset/assets.hpp"
#include "page/html/icons.hpp"
#include "page/rows/rows_query.hpp"

namespace svc::page {
namespace {

// With the name of the entity that the page's block pay is for.
std::string noted(const Visit& visit) {
    if (visit.page)
        for (const Block& block : visit.page->body)
            if (block.kind == Block::pay && block.entity)
                return "Your " + lower_first(table_of(visit, *block.entity).singular) +
                       " is noted. See below how to pay.";
    return std::string(done_words("due"));
}

// The messages about the last action: of a form, or of a link in a mail, which leads to the first
// page.
std::string done_here(const Visit& visit) {
    if (visit.query.text("done") == "due") return noted(visit);
    if (const std::string_view words = done_words(visit.query.text("done")); !words.empty())
        return std::string(words);
    if (visit.query.has("magic") && visit.signed_in()) return std::string(done_words("in"));
    if (visit.query.has("verified")) return std::string(done_words("verified"));
    return std::string(visit.query.has("org") && visit.path() == "/" ? done_words("joined")
                                                                     : std::string_view());
}

void write_done(Html& out, std::string_view words) {
    if (words.empty()) return;
    out << "<p class=\"notice green\" role=\"status\">";
    out.markup(icon("check")) << words << "</p>";
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

}  // namespace

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
        {"due", "It is noted. See below how to pay."},
        {"org", "You work for another organisation now."},
        {"factor", "Your second factor is on."},
        {"nofactor", "Your second factor is off."},
        {"passkey", "The passkey is added."},
        {"nopasskey", "The passkey is removed."}};
    for (const auto& [word, words] : kWords)
        if (word == done) return words;
    return {};
}

void write_head(Html& out, const Site& site, std::string_view app, std::string_view build,
                const std::string& title) {
    out << "<!doctype html>\n<html";
    out.attribute("lang", site.language.empty() ? "en" : site.language);
    if (!build.empty()) out.attribute("data-build", build);
    out << "><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
           "content=\"width=device-width, initial-scale=1\"><meta name=\"color-scheme\" "
           "content=\"light dark\"><title>"
        << shortened(title, kLongestTitle);
    if (title != app) out << " · " << app;
    out << "</title><link rel=\"stylesheet\"";
    out.attribute("href", asset_path(site, kStylesheet))
        << "><link rel=\"icon\" type=\"image/svg+xml\"";
    out.attribute("href", asset_path(site, kIcon))
        << "><link rel=\"expect\" href=\"#page-end\" blocking=\"render\">";
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
    if (!frame.live_at.empty()) out.attribute("data-live-at", frame.live_at);
    out << ">";
    write_done(out, done_here(visit));
    if (!frame.crumbs.empty())
        out << "<nav class=\"crumbs\" aria-label=\"Place\">" << frame.crumbs << "</nav>";
    out << "<div class=\"heading\"><h1>" << frame.title << "</h1>";
    if (!frame.buttons.empty()) out << "<div class=\"buttons\">" << frame.buttons << "</div>";
    out << "</div>" << frame.body << "</main></div>";
    out.markup(kPageEnd);
}

void write_card(Html& out, const Visit& visit, const Frame& frame) {
    out << "</head><body><main id=\"content\" class=\"alone\"><a class=\"brand\" href=\"/\">"
        << visit.app().name << "</a>";
    write_done(out, done_words(visit.query.text("done")));
    out << "<section class=\"card-alone\"><h1>" << frame.title << "</h1>" << frame.body
        << "</section></main>";
    out.markup(kPageEnd);
}

}  // namespace svc::page
