// Pages of pages.cpp.
#include "emit/page/site_parts.hpp"
#include "emit/text.hpp"

namespace svc::emit {
namespace {

using plan::PageRole;
using plan::SitePage;

// The purpose of a standard page, which follows its route in the heading.
std::string page_purpose(const SitePage& page) {
    switch (page.role) {
        case PageRole::own:
            return "";
        case PageRole::home:
            return ": the home page";
        case PageRole::rows:
            return ": rows of " + page.about;
        case PageRole::row:
            return ": a row of " + page.about;
        case PageRole::create:
            return ": a new row of " + page.about;
        case PageRole::change:
            return ": a change of a row of " + page.about;
    }
    return "";
}

std::string page_constant(const SitePage& in, const plan::Plan& plan, Constants& out) {
    const std::string name = "k" + (in.route == "/" ? "Home" : pascal_words(in.route));
    Members members;
    members.text("route", in.route);
    members.text("title", in.title);
    members.add("to", principals(in.to, plan.principal_names));
    members.code("body", site_blocks(plan, in, name, out));
    members.flag("in_menu", in.in_menu);
    members.text("label", in.label);
    members.text("icon", in.icon);
    members.code("about", entity_address(in.about));
    if (in.role != PageRole::own) members.add("role", out.value("Page", base::word(in.role)));
    return out.object("Page", name + "Page", members);
}

}  // namespace

// A route is a validated word, so it may stand in a comment; a title may not.
std::string site_pages(const plan::Plan& plan, Constants& out) {
    std::vector<std::string> names;
    for (const SitePage& one : plan.site.pages) {
        out.heading("Page " + one.route + page_purpose(one));
        names.push_back(page_constant(one, plan, out));
    }
    if (names.empty()) return {};
    out.heading("All pages, in the order of the menu");
    return out.array("Page", "kPages", names);
}

}  // namespace svc::emit
