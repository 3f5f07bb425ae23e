// Pages: routes, menu entries, who may open them. Their blocks: block_reader.hpp.
#include <algorithm>
#include <map>
#include <set>

#include "model/names.hpp"
#include "model/page/block_reader.hpp"
#include "model/page/icons.hpp"
#include "model/page/page_text.hpp"
#include "model/page/routes.hpp"
#include "model/parts.hpp"
#include "model/values.hpp"

namespace svc::model {
namespace {

constexpr std::size_t kMaxPages = 500;
constexpr std::size_t kMaxBlocks = 100;

// First pieces of addresses that the server itself answers.
const std::set<std::string> kReserved = {"hooks", "healthz", "readyz", "metrics", "assets"};

void bad_page(Work work, const std::string& path, const std::string& message,
              const std::string& fix) {
    work.findings.error("BAD_PAGE", path, message, fix);
}

// The route without the names of its parameters. Two pages with the same one cannot be
// distinguished.
std::string without_names(const std::vector<std::string>& pieces) {
    std::string out;
    for (const std::string& piece : pieces) out += "/" + (piece[0] == ':' ? ":" : piece);
    return out;
}

void route(Work work, const contract::Text& in, std::map<std::string, std::string>& taken,
           Page& out) {
    out.route = in.text;
    const auto pieces = route_pieces(in.text);
    if (!pieces) {
        work.findings.doubt("/pages");
        work.findings.doubt(contract::child(out.path, "route"));
        work.findings.error("BAD_ROUTE", in.path, "\"" + in.text + "\" is not a valid route.",
                            "begin with a slash; between slashes write lower-case letters, digits, "
                            "- and _, or a parameter: /orders/:id");
        return;
    }
    if (!pieces->empty() && kReserved.count(pieces->front()) > 0) {
        work.findings.error("RESERVED_NAME", in.path,
                            "Addresses below /" + pieces->front() + " are reserved.",
                            "choose another route");
    }
    for (const std::string& piece : *pieces) {
        if (piece[0] != ':') continue;
        if (std::find(out.params.begin(), out.params.end(), piece.substr(1)) != out.params.end()) {
            work.findings.error("BAD_ROUTE", in.path,
                                "The parameter \"" + piece + "\" occurs twice.",
                                "give each parameter its own name");
        }
        out.params.push_back(piece.substr(1));
    }
    const auto [other, fresh] = taken.emplace(without_names(*pieces), in.text);
    if (fresh) return;
    work.findings.error(
        "NAME_TAKEN", in.path,
        other->second == in.text
            ? "Another page already has the route \"" + in.text + "\"."
            : "\"" + in.text + "\" and \"" + other->second + "\" are the same address.",
        "choose another route");
}

bool is_icon(const std::string& name) { return contains(icon_names(), name); }

void nav(Work work, const contract::Page& in, Page& out) {
    const bool shown = out.params.empty() && !(in.nav && in.nav->hidden);
    if (shown) out.nav = Nav{out.title, "", std::nullopt};
    if (!in.nav || in.nav->hidden) return;
    if (!out.params.empty()) {
        return bad_page(work, in.nav->path,
                        "The menu cannot lead to \"" + out.route +
                            "\": the menu has no value for \":" + out.params.front() + "\".",
                        "remove \"nav\", and let a row's link lead there");
    }
    if (in.nav->label) out.nav->label = in.nav->label->text;
    if (in.nav->icon) {
        out.nav->icon = in.nav->icon->text;
        if (!is_icon(out.nav->icon)) {
            bad_page(work, in.nav->icon->path, "There is no icon \"" + out.nav->icon + "\".",
                     icons_like(out.nav->icon));
        }
    }
    if (in.nav->order) out.nav->order = static_cast<std::uint32_t>(std::stoul(in.nav->order->text));
}

Page head(Work work, const contract::Page& in, std::map<std::string, std::string>& taken) {
    Page out;
    out.title = in.title.text;
    out.path = in.path;
    if (is_blank(out.title)) {
        bad_page(work, in.title.path, "The page's title is empty.", "write a title");
    }
    route(work, in.route, taken, out);
    for (const contract::Text& name : distinct(work, in.to)) {
        if (auto principal = resolve_principal(work, name)) out.to.push_back(std::move(*principal));
    }
    if (in.to.empty() && !work.findings.doubts(in.path + "/to")) {
        bad_page(work, in.path + "/to", "Nobody may open this page.",
                 "name principals: \"signed_in\", \"*\", a persona");
    }
    nav(work, in, out);
    return out;
}

void body(Work work, const contract::Page& in, Page& out) {
    if (in.component) {
        out.component = resolve_component(work, *in.component);
        return;
    }
    if (in.body.size() > kMaxBlocks) {
        return bad_page(work, in.path + "/body", "A page has at most 100 blocks.",
                        "split it into several pages");
    }
    for (const contract::Block& block : in.body) {
        out.body.push_back(BlockReader(work, out, block).read());
    }
    const std::string path = in.path + "/body";
    if (in.body.empty()) {
        work.findings.missing("BAD_PAGE", path, path, "This page shows nothing.",
                              "add a block: {\"list\": {\"entity\": \"…\"}}");
    }
}

}  // namespace

void check_link(Work work, const contract::Text& link) {
    // Routes have colons; a link that has one would lead to a row with that very id.
    const std::size_t colon = link.text.find("/:");
    if (link.text.starts_with('/') && colon != std::string::npos) {
        const std::size_t end =
            std::min(link.text.find_first_of("/?#", colon + 2), link.text.size());
        const std::string name = link.text.substr(colon + 2, end - colon - 2);
        work.findings.error("UNKNOWN_ROUTE", link.path,
                            "\"" + link.text + "\" is a route, not a link.",
                            "write a placeholder in braces: \"{" + name + "}\"");
        return;
    }
    if (link.text.starts_with("https://") || work.findings.doubts("/pages")) return;
    for (const Page& page : work.out.pages) {
        if (link.text.starts_with('/') && leads_to(link.text, page.route)) return;
    }
    std::vector<std::string> known;
    known.reserve(work.out.pages.size());
    for (const Page& page : work.out.pages) known.push_back(page.route);
    work.findings.error("UNKNOWN_ROUTE", link.path, "No page answers at \"" + link.text + "\".",
                        did_you_mean(link.text, known, "the routes are " + joined(known)));
}

void resolve_pages(Work work) {
    resolve_components(work);
    if (work.in.pages.size() > kMaxPages) {
        return bad_page(work, "/pages", "An app has at most 500 pages.",
                        "merge similar pages into one page with a parameter");
    }
    std::map<std::string, std::string> taken;
    for (const contract::Page& in : work.in.pages) work.out.pages.push_back(head(work, in, taken));
    for (std::size_t i = 0; i < work.in.pages.size(); ++i) {
        body(work, work.in.pages[i], work.out.pages[i]);
    }
    check_row_links(work);
}

}  // namespace svc::model
