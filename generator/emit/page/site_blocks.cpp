// Blocks of pages.cpp.
#include <algorithm>
#include <map>

#include "emit/page/site_parts.hpp"
#include "emit/text.hpp"

namespace svc::emit {
namespace {

using plan::SiteBlock;

std::string text_list(const std::vector<std::string>& items, const std::string& name,
                      Constants& out) {
    std::vector<std::string> literals;
    literals.reserve(items.size());
    for (const std::string& item : items) literals.push_back(cpp_literal(item));
    return out.row("std::string_view", name, literals);
}

std::string pairs(const plan::SitePairs& all, const std::string& name, Constants& out) {
    std::vector<std::string> items;
    items.reserve(all.size());
    for (const auto& [of, given] : all)
        items.push_back("{" + cpp_literal(of) + ", " +
                        site_value(given, name + pascal_words(of), out) + "}");
    return out.array("Pair", name, items);
}

std::string filters(const std::vector<plan::SiteFilter>& all, const std::string& name,
                    Constants& out) {
    std::vector<std::string> items;
    items.reserve(all.size());
    for (const plan::SiteFilter& one : all) {
        Members members;
        members.text("field", one.field);
        members.text("op", std::string(base::word(one.op)));
        members.flag("has_value", one.value.has_value());
        if (one.value)
            members.add("value", site_value(*one.value, name + pascal_words(one.field), out));
        items.push_back(members.braced());
    }
    return out.array("Filter", name, items);
}

template <class Enum>
void add_word(const char* name, const std::optional<Enum>& value, Members& out) {
    if (value) out.text(name, std::string(base::word(*value)));
}

// The source of the rows, and their conditions.
void add_source(const SiteBlock& in, const std::string& name, Members& members, Constants& out) {
    members.code("entity", entity_address(in.entity));
    members.text("query", in.query);
    members.code("params", pairs(in.params, name + "Params", out));
    members.code("fields", text_list(in.fields, name + "Fields", out));
    members.text("sort", in.sort);
    members.flag("descending", in.descending);
    members.code("filter", filters(in.filter, name + "Filter", out));
    if (in.limit > 0) members.add("limit", std::to_string(in.limit));
    members.code("id", text_parts(in.id, name + "Id", out));
}

void add_number(const SiteBlock& in, Members& members, Constants& out) {
    add_word("measure", in.measure, members);
    members.text("column", in.column);
    add_word("range", in.range, members);
    members.text("date_field", in.date_field);
    members.text("group_by", in.group_by);
    add_word("bucket", in.bucket, members);
    if (in.chart_kind && *in.chart_kind != model::ChartKind::bar)
        members.add("chart_kind", out.value("Chart", base::word(*in.chart_kind)));
    members.flag("compare", in.compare);
}

// The actions that a person can take in the block.
void add_actions(const SiteBlock& in, const std::string& name, const plan::Plan& plan,
                 Members& members, Constants& out) {
    members.code("transitions", text_list(in.transitions, name + "Transitions", out));
    members.flag("remove", in.remove);
    members.flag("signup", in.signup);
    std::vector<std::string> entities;
    entities.reserve(in.entities.size());
    for (const std::string& one : in.entities) entities.push_back(entity_address(one));
    members.code("entities", out.row("const svc::Entity*", name + "Entities", entities));
    members.code("methods", text_list(in.methods, name + "Methods", out));
    if (in.settle != 0) members.add("settle", principals(in.settle, plan.principal_names));
}

// Its members in the order of svc::page::Block.
std::string block_members(const SiteBlock& in, const std::string& name, const plan::Plan& plan,
                          Constants& out) {
    Members members;
    members.add("kind", out.value("Block", base::word(in.kind)));
    members.text("title", in.title);
    members.add("to", principals(in.to, plan.principal_names));
    add_source(in, name, members, out);
    members.code("link", text_parts(in.link, name + "Link", out));
    members.code("then", text_parts(in.then, name + "Then", out));
    members.text("empty", in.empty);
    members.text("submit", in.submit);
    members.text("html", in.html);
    members.text("placeholder", in.placeholder);
    members.text("image", in.image);
    members.text("by", in.by);
    members.code("set", pairs(in.set, name + "Set", out));
    add_number(in, members, out);
    add_actions(in, name, plan, members, out);
    members.text("text", in.text);
    members.flag("tools", in.tools);
    members.text("parent", in.parent);
    members.text("component_name", in.component);
    members.code("props", pairs(in.props, name + "Props", out));
    return members.braced();
}

// "Grid"; "ProductGrid" where the page has more than one grid; "ProductGrid2" where two of them
// are of products.
std::vector<std::string> block_names(const std::vector<SiteBlock>& body) {
    std::vector<std::string> out;
    std::map<std::string, int> times;
    out.reserve(body.size());
    for (const SiteBlock& one : body) {
        const auto alike = std::ranges::count(body, one.kind, &SiteBlock::kind);
        const std::string of = one.entity + "/" + one.query + "/" + one.component;
        const std::string name =
            (alike > 1 ? pascal_words(of) : "") + pascal_words(base::word(one.kind));
        const int before = times[name]++;
        out.push_back(before == 0 ? name : name + std::to_string(before + 1));
    }
    return out;
}

}  // namespace

std::string site_blocks(const plan::Plan& plan, const plan::SitePage& page, const std::string& name,
                        Constants& out) {
    const std::vector<std::string> names = block_names(page.body);
    std::vector<std::string> blocks;
    blocks.reserve(page.body.size());
    for (std::size_t i = 0; i < page.body.size(); ++i)
        blocks.push_back(block_members(page.body[i], name + names[i], plan, out));
    return out.array("Block", name + "Blocks", blocks);
}

}  // namespace svc::emit
