// Pages of the contract that take the place of a standard one, or that links to rows lead to.
#include <algorithm>

#include "model/names.hpp"
#include "plan/page/site.hpp"

namespace svc::plan {
namespace {

using model::Block;
using model::BlockKind;

// A page of the contract at the address of a standard one, with what that one shows, is as good as
// it: it has its buttons, its list is searched, and rows below a row are added there.
class RolePlanner {
  public:
    RolePlanner(const SiteContext& work, std::size_t entity)
        : work_(work),
          entity_(work.model.entities[entity]),
          value_(work.entities[entity].cpp_value),
          table_(work.out.tables[entity]),
          base_(standard_route(entity_)) {}

    void note(SitePage& page) const {
        if (page.route == base_)
            list(page);
        else if (page.route == base_ + "/new")
            form(page, PageRole::create, table_.new_route, base_ + "/new");
        else if (page.route == base_ + "/:id")
            row(page);
        else if (page.route == base_ + "/:id/edit")
            form(page, PageRole::change, table_.edit_route, base_ + "/<id>/edit");
    }

  private:
    SiteBlock* block(SitePage& page, BlockKind kind) const {
        const auto at = std::find_if(page.body.begin(), page.body.end(), [&](const auto& one) {
            return one.kind == kind && one.entity == value_;
        });
        return at == page.body.end() ? nullptr : &*at;
    }

    void take(SitePage& page, PageRole role) const {
        page.about = value_;
        page.role = role;
    }

    void list(SitePage& page) const {
        SiteBlock* rows = block(page, BlockKind::table);
        if (!rows) return;
        take(page, PageRole::rows);
        rows->tools = true;
        table_.list_route = base_;
    }

    void form(SitePage& page, PageRole role, std::string& route, const std::string& address) const {
        const SiteBlock* found = block(page, BlockKind::form);
        if (!found || found->id.empty() != (role == PageRole::create)) return;
        take(page, role);
        route = address;
    }

    void row(SitePage& page) const {
        if (!block(page, BlockKind::detail)) return;
        take(page, PageRole::row);
        table_.row_route = base_ + "/<id>";
        for (SiteBlock& one : page.body)
            if (one.kind == BlockKind::table && !one.entity.empty()) one.parent = parent_of(one);
    }

    // The field by which a table shows the rows of the page's row.
    std::string parent_of(const SiteBlock& rows) const {
        for (std::size_t i = 0; i < work_.entities.size(); ++i) {
            if (work_.entities[i].cpp_value != rows.entity) continue;
            for (const SiteFilter& filter : rows.filter)
                if (is_link(work_.model.entities[i], filter)) return filter.field;
        }
        return {};
    }

    bool is_link(const model::Entity& of, const SiteFilter& filter) const {
        const auto field = model::find_field(of, filter.field);
        const bool by_route = filter.op == model::FilterOp::eq && filter.value &&
                              filter.value->text.size() == 1 &&
                              filter.value->text.front().kind == PartKind::route &&
                              filter.value->text.front().of == "id";
        return by_route && field && of.fields[*field].type == model::FieldType::ref &&
               work_.entities[of.fields[*field].ref_entity].cpp_value == value_;
    }

    const SiteContext& work_;
    const model::Entity& entity_;
    const std::string& value_;
    SiteTable& table_;
    const std::string base_;
};

// A first page of numbers alone leads to the lists that they count.
void note_home(const SiteContext& work, SitePage& page) {
    const bool numbers = std::all_of(page.body.begin(), page.body.end(), [](const auto& block) {
        return (block.kind == BlockKind::metric || block.kind == BlockKind::chart) &&
               !block.entity.empty();
    });
    if (page.route != "/" || !numbers) return;
    page.role = PageRole::home;
    for (SiteBlock& block : page.body) {
        const bool all = block.kind == BlockKind::metric && block.measure == model::Metric::count &&
                         block.filter.empty() && !block.range;
        for (const SiteTable& table : work.out.tables)
            if (all && table.entity == block.entity && !table.list_route.empty())
                block.link = {{PartKind::text, table.list_route}};
    }
}

}  // namespace

void note_row_page(SiteContext work, const model::Page& page) {
    if (page.params.size() != 1) return;
    for (const Block& block : page.body) {
        const bool by_route =
            block.id.size() == 1 && block.id[0].kind == model::PageTextPart::Kind::route;
        if (block.kind != BlockKind::detail || !block.entity || !by_route) continue;
        std::string& route = work.out.tables[*block.entity].row_route;
        if (!route.empty()) continue;
        route = page.route;
        route.replace(route.find(':'), page.params.front().size() + 1, "<id>");
    }
}

void note_roles(SiteContext work) {
    for (SitePage& page : work.out.pages)
        for (std::size_t i = 0; i < work.entities.size(); ++i) RolePlanner(work, i).note(page);
    for (SitePage& page : work.out.pages) note_home(work, page);
}

}  // namespace svc::plan
