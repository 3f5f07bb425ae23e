// The pages of an app whose contract has none: a first page with the newest rows; of each entity
// that somebody may read a list, a page of one row with what belongs to it, and forms.
#include <algorithm>

#include "model/names.hpp"
#include "plan/page/site.hpp"

namespace svc::plan {
namespace {

using model::Entity;
using model::FieldType;

constexpr std::size_t kMostColumns = 6;  // of a list
constexpr std::size_t kMostMetrics = 8;  // of the first page
constexpr std::uint64_t kServer = 1U << 4;

// Addresses that the server itself has; an entity of such a name gets a longer one.
bool is_taken(const std::string& name) {
    static const std::vector<std::string> kTaken = {"account", "reset",  "orgs",    "hooks",
                                                    "healthz", "readyz", "metrics", "assets",
                                                    "preview", "console"};
    return model::contains(kTaken, name);
}

// The callers of pages. A caller with a server key opens none.
std::uint64_t people(std::uint64_t who) { return who & ~kServer; }

bool fits_list(const model::Field& field) {
    return field.type != FieldType::json && field.type != FieldType::text &&
           field.type != FieldType::file && field.type != FieldType::uuid &&
           field.type != FieldType::user;
}

// The row's display field comes first, then its state, then the rest in the contract's order.
std::vector<std::string> list_fields(const Entity& entity, const SiteTable& table) {
    std::vector<std::string> out;
    const auto add = [&](const std::string& name) {
        if (out.size() < kMostColumns && !model::contains(out, name)) out.push_back(name);
    };
    for (const SitePart& part : table.display)
        if (part.kind == PartKind::row) add(part.of);
    if (entity.lifecycle) add(entity.fields[entity.lifecycle->field].name);
    for (const model::Field& field : entity.fields)
        if (fits_list(field)) add(field.name);
    if (!entity.external) add("created_at");
    return out;
}

SiteText route_id() { return {{PartKind::route, "id"}}; }

SiteBlock block_of(BlockKind kind, const ServedEntity& entity) {
    SiteBlock out;
    out.kind = kind;
    out.entity = entity.cpp_value;
    return out;
}

SitePage page_of(PageRole role, const ServedEntity& entity, std::string route, std::string title,
                 std::uint64_t to) {
    SitePage out;
    out.role = role;
    out.about = entity.cpp_value;
    out.route = std::move(route);
    out.title = std::move(title);
    out.to = people(to);
    return out;
}

class EntityPages {
  public:
    EntityPages(const SiteContext& work, std::size_t index)
        : work_(work),
          entity_(work.model.entities[index]),
          served_(work.entities[index]),
          table_(work.out.tables[index]),
          route_(standard_route(entity_)) {}

    void plan() {
        if (people(served_.read) == 0) return;
        table_.list_route = route_;
        table_.row_route = route_ + "/<id>";
        if (people(served_.create) != 0) table_.new_route = route_ + "/new";
        if (people(served_.update) != 0) table_.edit_route = route_ + "/<id>/edit";
    }

    void add() {
        if (table_.list_route.empty()) return;
        work_.out.pages.push_back(list());
        work_.out.pages.push_back(row());
        if (!table_.new_route.empty()) work_.out.pages.push_back(create());
        if (!table_.edit_route.empty()) work_.out.pages.push_back(change());
    }

    // A part of another row has no entry of its own in the menu.
    bool is_part() const { return entity_.owner.parent.has_value() || entity_.access.same_as; }

  private:
    SitePage list() const {
        SitePage page = page_of(PageRole::rows, served_, route_, table_.plural, served_.read);
        page.in_menu = !is_part();
        page.label = table_.plural;
        page.icon = table_.icon;
        SiteBlock block = block_of(BlockKind::table, served_);
        block.fields = list_fields(entity_, table_);
        block.tools = true;
        if (!entity_.external) {
            block.sort = "created_at";
            block.descending = true;
        }
        page.body.push_back(std::move(block));
        return page;
    }

    SitePage row() const {
        SitePage page =
            page_of(PageRole::row, served_, route_ + "/:id", table_.singular, served_.read);
        if (served_.transition.name.empty() == false || people(served_.remove) != 0) {
            SiteBlock actions = block_of(BlockKind::actions, served_);
            actions.id = route_id();
            for (const ServedTransition& move : served_.transitions)
                actions.transitions.push_back(move.name);
            actions.remove = people(served_.remove) != 0;
            page.body.push_back(std::move(actions));
        }
        SiteBlock detail = block_of(BlockKind::detail, served_);
        detail.id = route_id();
        page.body.push_back(std::move(detail));
        for (std::size_t i = 0; i < work_.entities.size(); ++i) children(i, page);
        if (is_paid()) page.body.push_back(payment());
        return page;
    }

    bool is_paid() const {
        const auto& payments = work_.model.payments;
        return payments && work_.entities[payments->order].cpp_value == served_.cpp_value;
    }

    SiteBlock payment() const {
        SiteBlock out = block_of(BlockKind::pay, served_);
        out.id = route_id();
        plan_payment(work_.model, out);
        return out;
    }

    void children(std::size_t index, SitePage& page) const {
        const Entity& child = work_.model.entities[index];
        const ServedEntity& served = work_.entities[index];
        if (people(served.read) == 0) return;
        for (const model::Field& field : child.fields) {
            if (field.type != FieldType::ref ||
                work_.entities[field.ref_entity].cpp_value != served_.cpp_value)
                continue;
            SiteBlock rows = block_of(BlockKind::table, served);
            rows.title = work_.out.tables[index].plural;
            rows.to = people(served.read);
            rows.fields = list_fields(child, work_.out.tables[index]);
            std::erase(rows.fields, field.name);
            rows.filter = {{field.name, model::FilterOp::eq, SiteValue{"", route_id()}}};
            rows.parent = field.name;
            rows.limit = 25;
            page.body.push_back(std::move(rows));
        }
    }

    SitePage create() const {
        SitePage page = page_of(PageRole::create, served_, table_.new_route,
                                "New " + lower_first(table_.singular), served_.create);
        page.body.push_back(block_of(BlockKind::form, served_));
        return page;
    }

    SitePage change() const {
        SitePage page = page_of(PageRole::change, served_, route_ + "/:id/edit",
                                "Edit " + lower_first(table_.singular), served_.update);
        SiteBlock form = block_of(BlockKind::form, served_);
        form.id = route_id();
        page.body.push_back(std::move(form));
        return page;
    }

    static std::string lower_first(std::string text) {
        const bool word = text.size() > 1 && text[1] >= 'a' && text[1] <= 'z';
        if (word && text[0] >= 'A' && text[0] <= 'Z') text[0] = static_cast<char>(text[0] + 32);
        return text;
    }

    const SiteContext& work_;
    const Entity& entity_;
    const ServedEntity& served_;
    SiteTable& table_;
    const std::string route_;
};

SitePage home(const SiteContext& work) {
    SitePage page;
    page.route = "/";
    page.role = PageRole::home;
    page.title = "Overview";
    page.in_menu = true;
    page.label = "Overview";
    page.icon = "layout-dashboard";
    for (std::size_t i = 0; i < work.entities.size(); ++i) {
        if (page.body.size() == kMostMetrics) break;
        if (work.out.tables[i].list_route.empty() || EntityPages(work, i).is_part()) continue;
        SiteBlock block = block_of(BlockKind::metric, work.entities[i]);
        block.to = people(work.entities[i].read);
        block.title = work.out.tables[i].plural;
        block.measure = model::Metric::count;
        block.link = {{PartKind::text, work.out.tables[i].list_route}};
        page.body.push_back(std::move(block));
    }
    for (std::size_t i = 0; i < work.entities.size(); ++i) {
        const Entity& entity = work.model.entities[i];
        if (!entity.lifecycle || work.out.tables[i].list_route.empty()) continue;
        SiteBlock chart = block_of(BlockKind::chart, work.entities[i]);
        chart.to = people(work.entities[i].read);
        chart.measure = model::Metric::count;
        chart.group_by = entity.fields[entity.lifecycle->field].name;
        chart.chart_kind = model::ChartKind::bar;
        chart.title = work.out.tables[i].plural + " by " + chart.group_by;
        page.body.push_back(std::move(chart));
        break;
    }
    return page;
}

}  // namespace

std::string standard_route(const Entity& entity) {
    return "/" + entity.name + (is_taken(entity.name) ? "-rows" : "");
}

void plan_standard_pages(SiteContext work) {
    for (std::size_t i = 0; i < work.entities.size(); ++i) EntityPages(work, i).plan();
    work.out.pages.push_back(home(work));
    for (std::size_t i = 0; i < work.entities.size(); ++i) EntityPages(work, i).add();
}

}  // namespace svc::plan
