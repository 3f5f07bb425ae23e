#include <algorithm>
#include <set>
#include <utility>

#include "emit/data/data.hpp"
#include "emit/text.hpp"

namespace svc::emit {
namespace {

using plan::ServedEntity;

// A link over a ref, under the ref's name, if another link over it is named: that means both.
bool has_better_name(const ServedEntity& entity, const plan::ServedLink& link) {
    const auto better = [&](const plan::ServedLink& other) {
        return other.kind == link.kind && other.column == link.column && other.name != link.name;
    };
    return link.kind == plan::ServedLink::Kind::one &&
           link.name == entity.columns[link.column].name &&
           std::ranges::any_of(entity.links, better);
}

Data links_data(const ServedEntity& entity) {
    Data out{Data::type::list};
    for (const plan::ServedLink& link : entity.links) {
        if (has_better_name(entity, link)) continue;
        Data one;
        one["name"] = cpp_literal(link.name);
        one["kind"] = std::string(base::word(link.kind));
        one["column"] = std::to_string(link.column);
        one["target"] = link.target;
        if (link.target_column != 0) one["target_column"] = std::to_string(link.target_column);
        out.push_back(one);
    }
    return out;
}

std::string index_list(const std::vector<std::size_t>& indexes) {
    std::string out;
    for (const std::size_t index : indexes)
        out += (out.empty() ? "" : ", ") + std::to_string(index);
    return out;
}

Data looks_data(const plan::Plan& plan, const ServedEntity& entity) {
    Data out{Data::type::list};
    for (const plan::ServedLook& look : entity.looks) {
        Data one;
        one["target"] = look.target;
        if (look.column) {
            one["column"] = std::to_string(*look.column);
        } else {
            one["made"] = look.made;
            if (look.who != plan::kEveryone)
                one["who"] = principals(look.who, plan.principal_names);
            one["read_columns"] = index_list(look.columns);
        }
        if (look.key) {
            one["key"] = std::to_string(look.key->first);
            one["of"] = std::string(base::word(look.key->second));
        }
        out.push_back(one);
    }
    return out;
}

// The files of entities that links and looks point to, without its own.
Data neighbours_data(const plan::Plan& plan, const ServedEntity& entity) {
    std::set<std::string> values;
    for (const plan::ServedLink& link : entity.links) values.insert(link.target);
    for (const plan::ServedLook& look : entity.looks) values.insert(look.target);
    values.erase(entity.cpp_value);
    Data out{Data::type::list};
    for (const ServedEntity& other : plan.entities) {
        if (!values.contains(other.cpp_value)) continue;
        Data one;
        one["file"] = other.name;
        out.push_back(one);
    }
    return out;
}

}  // namespace

void add_links(const plan::Plan& plan, const ServedEntity& entity, Data& out) {
    out["links"] = links_data(entity);
    out["has_links"] = !entity.links.empty();
    out["looks"] = looks_data(plan, entity);
    out["has_looks"] = !entity.looks.empty();
    out["neighbours"] = neighbours_data(plan, entity);
}

}  // namespace svc::emit
