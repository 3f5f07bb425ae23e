// Pages of the contract.
#include <algorithm>
#include <limits>
#include <set>

#include "plan/page/markdown.hpp"
#include "plan/page/site.hpp"
#include "plan/principals.hpp"

namespace svc::plan {
namespace {

using model::Block;
using model::BlockKind;

class BlockPlanner {
  public:
    BlockPlanner(const SiteContext& work, const Block& in) : work_(work), in_(in) {}

    SiteBlock plan() {
        out_.kind = in_.kind;
        out_.title = in_.title;
        out_.to = bits(work_.model, in_.to);
        rows();
        number();
        rest();
        services();
        return std::move(out_);
    }

  private:
    std::string name(const model::Column& column) const {
        if (!column.builtin.empty()) return column.builtin;
        return work_.model.entities[*in_.entity].fields[column.field].name;
    }
    std::string name(const std::optional<model::Column>& column) const {
        return column ? name(*column) : std::string();
    }
    static SiteValue value(const model::PageValue& value) {
        return {value.json, site_text(value.text)};
    }

    void rows() {
        if (in_.entity) out_.entity = work_.entities[*in_.entity].cpp_value;
        out_.query = in_.query.value_or("");
        for (const auto& [param, given] : in_.params) out_.params.emplace_back(param, value(given));
        for (const model::Column& column : in_.fields) out_.fields.push_back(name(column));
        if (in_.query) out_.fields = in_.query_columns;
        if (in_.sort) out_.sort = name(in_.sort->column);
        out_.descending = in_.sort && in_.sort->descending;
        for (const model::FilterClause& clause : in_.filter)
            out_.filter.push_back(
                {name(clause.column), clause.op,
                 clause.value ? std::optional(value(*clause.value)) : std::nullopt});
        out_.limit = in_.limit.value_or(0);
        out_.image = name(in_.image);
        out_.by = name(in_.by);
    }

    void number() {
        if (in_.kind != BlockKind::metric && in_.kind != BlockKind::chart) return;
        out_.measure = in_.metric;
        out_.column = in_.query ? in_.query_column : name(in_.column);
        out_.group_by = in_.query ? in_.query_group_by : name(in_.group_by);
        if (in_.range != model::Range::all) out_.range = in_.range;
        out_.date_field = name(in_.date_field);
        out_.bucket = in_.bucket;
        out_.chart_kind = in_.chart;
        out_.compare = in_.compare;
    }

    void rest() {
        out_.id = site_text(in_.id);
        out_.link = site_text(in_.link);
        out_.then = site_text(in_.then);
        out_.empty = in_.empty;
        out_.submit = in_.submit;
        out_.placeholder = in_.placeholder;
        if (in_.kind == BlockKind::markdown) out_.html = markdown_html(in_.text);
        for (const auto& [field, given] : in_.set)
            out_.set.emplace_back(work_.model.entities[*in_.entity].fields[field].name,
                                  value(given));
        for (const std::size_t move : in_.transitions)
            out_.transitions.push_back(
                work_.model.entities[*in_.entity].lifecycle->transitions[move].name);
        out_.remove = in_.remove;
        out_.signup = in_.signup;
        for (const std::size_t entity : in_.entities)
            out_.entities.push_back(work_.entities[entity].cpp_value);
        if (in_.component) out_.component = work_.model.components[*in_.component].name;
        for (const auto& [prop, given] : in_.props) out_.props.emplace_back(prop, value(given));
    }

    void services() {
        if (in_.kind == BlockKind::chat) out_.text = in_.greeting;
        if (in_.kind == BlockKind::upload)
            out_.fields = {work_.model.entities[*in_.entity].fields[in_.file_field].name};
        if (in_.kind == BlockKind::pay || in_.kind == BlockKind::auth) out_.methods = in_.methods;
        if (in_.kind != BlockKind::pay) return;
        plan_payment(work_.model, out_);
    }

    const SiteContext& work_;
    const Block& in_;
    SiteBlock out_;
};

// A component that is a page gets the parameters of its route.
SiteBlock whole_page(const SiteContext& work, const model::Page& in) {
    SiteBlock out;
    out.kind = BlockKind::component;
    out.to = bits(work.model, in.to);
    out.component = work.model.components[*in.component].name;
    for (const std::string& param : in.params)
        out.props.emplace_back(param, SiteValue{"", {{PartKind::route, param}}});
    return out;
}

void note_components(const SiteContext& work) {
    std::set<std::string> shown;
    for (const SitePage& page : work.out.pages)
        for (const SiteBlock& block : page.body)
            if (!block.component.empty()) shown.insert(block.component);
    work.out.shown.assign(shown.begin(), shown.end());
    for (const model::Component& one : work.model.components)
        work.out.components.push_back({one.name, one.source});
}

SitePage plan_page(const SiteContext& work, const model::Page& in) {
    SitePage out;
    out.route = in.route;
    out.title = in.title;
    out.to = bits(work.model, in.to);
    out.in_menu = in.nav.has_value();
    if (in.nav) {
        out.label = in.nav->label;
        out.icon = in.nav->icon;
    }
    for (const Block& block : in.body) out.body.push_back(BlockPlanner(work, block).plan());
    if (in.component) out.body.push_back(whole_page(work, in));
    return out;
}

}  // namespace

void plan_own_pages(SiteContext work) {
    std::vector<const model::Page*> pages;
    for (const model::Page& page : work.model.pages) pages.push_back(&page);
    const auto order = [](const model::Page* page) {
        return page->nav && page->nav->order ? *page->nav->order
                                             : std::numeric_limits<std::uint32_t>::max();
    };
    std::stable_sort(pages.begin(), pages.end(),
                     [&](const auto* a, const auto* b) { return order(a) < order(b); });
    for (const model::Page* page : pages) {
        work.out.pages.push_back(plan_page(work, *page));
        note_row_page(work, *page);
    }
    note_roles(work);
    note_components(work);
}

}  // namespace svc::plan
