// Every page, as a browser shows it to each caller: it comes, it is for whom it is, and it shows
// nothing that the caller may not read.
#include <algorithm>

#include "plan/names.hpp"
#include "verify/app/app_session.hpp"
#include "verify/app/server.hpp"
#include "verify/clone/fixtures.hpp"
#include "verify/page/hidden_texts.hpp"

namespace svc::devapi::verification {
namespace {

// For a page about a row: this many rows that its reader may read, and as many that the reader may
// not.
constexpr std::size_t kRows = 2;
constexpr const char* kNotLoaded = "could not be loaded.";  // as pages say of a block
constexpr const char* kNoRow = "0198b6a0-0000-7000-8000-00000000ffff";

struct Sought {
    std::string route, path;
    const model::Page* page = nullptr;  // null: one that every app has
};

bool is_of_route(const model::PageText& id) {
    return id.size() == 1 && id[0].kind == model::PageTextPart::Kind::route;
}

// The entity whose row the page's parameter names.
std::optional<std::size_t> row_of(const model::Page& page) {
    for (const model::Block& block : page.body)
        if (block.entity && is_of_route(block.id)) return block.entity;
    return std::nullopt;
}

std::optional<std::size_t> row_of(const Subject& subject, const plan::SitePage& page) {
    const auto is = [&](const plan::ServedEntity& one) { return one.cpp_value == page.about; };
    const auto served = std::ranges::find_if(subject.plan.entities, is);
    if (page.about.empty() || served == subject.plan.entities.end()) return std::nullopt;
    const auto& all = subject.model.entities;
    const auto entity = std::ranges::find(all, served->name, &model::Entity::name);
    if (entity == all.end()) return std::nullopt;
    return entity - all.begin();
}

// "/orders/:id" with the id in place of each parameter.
std::string filled(const std::string& route, const std::string& id) {
    std::string out;
    for (std::size_t at = 0; at < route.size();) {
        if (route[at] != ':') {
            out += route[at++];
            continue;
        }
        out += id;
        at = std::min(route.find('/', at), route.size());
    }
    return out;
}

class Pages {
  public:
    Pages(Subject& subject, VerifyCheck& out) : subject_(subject), out_(out) {}

    void run() {
        for (VerifyCaller caller : subject_.callers) {
            if (caller.server || !caller.org_role.empty()) continue;
            caller.org.clear();  // a session works for none until somebody chooses
            look_as(caller);
            ++visitors_;
        }
    }

    std::size_t visitors() const { return visitors_; }
    std::size_t pages() const { return subject_.plan.site.pages.size(); }

  private:
    void look_as(const VerifyCaller& caller) {
        const std::string session =
            caller.id.empty() ? "" : begin_app_session(subject_.connection, caller.id);
        HiddenTexts hidden(subject_, caller);
        for (const Sought& one : sought(caller))
            judge(caller, one, subject_.server->page(session, one.path), hidden);
    }

    std::vector<Sought> sought(const VerifyCaller& caller) {
        std::vector<Sought> out;
        for (const plan::SitePage& page : subject_.plan.site.pages) {
            const model::Page* own = own_page(page.route);
            if (page.route.find(':') == std::string::npos) {
                out.push_back({page.route, page.route, own});
                continue;
            }
            std::vector<std::string> ids{kNoRow};
            const auto entity = own ? row_of(*own) : row_of(subject_, page);
            if (entity && can_be_tried(subject_.model, subject_.model.entities[*entity]))
                std::ranges::copy(rows_around(subject_, caller, *entity, kRows),
                                  std::back_inserter(ids));
            for (const std::string& id : ids)
                out.push_back({page.route, filled(page.route, id), own});
        }
        for (const char* path : {"/sign-in", "/account"}) out.push_back({path, path, nullptr});
        return out;
    }

    const model::Page* own_page(const std::string& route) const {
        const auto& all = subject_.model.pages;
        const auto found = std::ranges::find(all, route, &model::Page::route);
        return found == all.end() ? nullptr : &*found;
    }

    void judge(const VerifyCaller& caller, const Sought& sought, const HttpAnswer& answered,
               HiddenTexts& hidden) {
        const std::string what = "The page " + sought.path + ", opened by " + caller.name;
        const std::string answers = what + ", answers " + std::to_string(answered.status);
        constexpr int kKnown[] = {200, 303, 403, 404};
        if (std::ranges::find(kKnown, answered.status) == std::end(kKnown))
            return out_.bad(answers + ".");
        const bool shown = answered.status == 200;
        if (sought.page && shown && !caller.is_any(sought.page->to))
            return out_.bad(answers + "; the contract does not let them open it.");
        // A page about a row may be missing, as the row is.
        const bool plain_route = sought.route.find(':') == std::string::npos;
        const bool refused = answered.status == 403 || (plain_route && !shown);
        if (sought.page && refused && caller.is_any(sought.page->to))
            return out_.bad(answers + ", although the contract lets them open it.");
        // A value of the route may be none that a query takes, and the clone reaches no other
        // database.
        const bool loads = plain_route && std::ranges::all_of(subject_.model.entities, is_table);
        if (loads && answered.body.find(kNotLoaded) != std::string::npos)
            return out_.bad(what + ", cannot load a part of what it shows.");
        if (const auto found = hidden.shown_by(answered.body, sought.path))
            return out_.bad(what + ", shows \"" + found->text + "\" of " + found->where +
                            ", which they may not read.");
        out_.good();
    }

    Subject& subject_;
    VerifyCheck& out_;
    std::size_t visitors_ = 0;
};

}  // namespace

void check_pages(Subject& subject, VerifyCheck& out) {
    if (!subject.server) return not_served(out);
    Pages pages(subject, out);
    pages.run();
    out.said = std::to_string(pages.pages()) + " pages, opened by " +
               std::to_string(pages.visitors()) +
               " callers: each page comes for those who may open it, and shows nothing that they "
               "may not read.";
}

}  // namespace svc::devapi::verification
