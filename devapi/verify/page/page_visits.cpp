#include "verify/page/page_visits.hpp"

#include <algorithm>
#include <iterator>

#include "verify/app/app_session.hpp"
#include "verify/clone/fixtures.hpp"
#include "verify/page/hidden_texts.hpp"

namespace svc::devapi::verification {
namespace {

// For a page about a row: this many rows that its reader may read, and as many that the reader may
// not.
constexpr std::size_t kRows = 2;
constexpr const char* kNoRow = "0198b6a0-0000-7000-8000-00000000ffff";

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

const model::Page* own_page(const Subject& subject, const std::string& route) {
    const auto& all = subject.model.pages;
    const auto found = std::ranges::find(all, route, &model::Page::route);
    return found == all.end() ? nullptr : &*found;
}

// What the page's parameter is, if it has one.
std::vector<std::string> ids_for(Subject& subject, const VerifyCaller& visitor,
                                 const plan::SitePage& page, const model::Page* own) {
    std::vector<std::string> out{kNoRow};
    const auto entity = own ? row_of(*own) : row_of(subject, page);
    if (entity && can_be_tried(subject.model, subject.model.entities[*entity]))
        std::ranges::copy(rows_around(subject, visitor, *entity, kRows), std::back_inserter(out));
    return out;
}

}  // namespace

std::vector<VerifyCaller> page_visitors(const Subject& subject) {
    std::vector<VerifyCaller> out;
    for (const VerifyCaller& caller : subject.callers) {
        if (caller.server || !caller.org_role.empty()) continue;
        out.push_back(caller);
        out.back().org.clear();  // a session has none until one is chosen
    }
    std::ranges::copy(all_members(subject.model), std::back_inserter(out));
    return out;
}

std::vector<PageVisit> visits_of(Subject& subject, const VerifyCaller& visitor) {
    std::vector<PageVisit> out;
    for (const plan::SitePage& page : subject.plan.site.pages) {
        const model::Page* own = own_page(subject, page.route);
        if (page.route.find(':') == std::string::npos) {
            out.push_back({page.route, page.route, own});
            continue;
        }
        for (const std::string& id : ids_for(subject, visitor, page, own))
            out.push_back({page.route, filled(page.route, id), own});
    }
    for (const char* path : {"/sign-in", "/account"}) out.push_back({path, path, nullptr});
    return out;
}

std::string page_session(Subject& subject, const VerifyCaller& visitor) {
    return visitor.id.empty() ? "" : begin_app_session(subject.connection, visitor.id, visitor.org);
}

}  // namespace svc::devapi::verification
