#include <set>
#include <utility>

#include "emit/data/data.hpp"
#include "emit/text.hpp"

namespace svc::emit {
namespace {

using plan::ServedEntity;

Data links_data(const ServedEntity& entity) {
    Data out{Data::type::list};
    for (const plan::ServedLink& link : entity.links) {
        Data one;
        one["name"] = cpp_literal(link.name);
        one["kind"] = std::string(word(link.kind));
        one["column"] = std::to_string(link.column);
        one["target"] = link.target;
        one["target_column"] = std::to_string(link.target_column);
        out.push_back(one);
    }
    return out;
}

Data looks_data(const ServedEntity& entity) {
    Data out{Data::type::list};
    for (const plan::ServedLook& look : entity.looks) {
        Data one;
        one["target"] = look.target;
        one["column"] = look.column ? std::to_string(*look.column) : "svc::Look::kAnyRow";
        one["made"] = std::string(look.made ? "true" : "false");
        out.push_back(one);
    }
    return out;
}

// Entities that links point to; its own is declared by its header.
Data neighbours_data(const ServedEntity& entity) {
    std::set<std::string> values;
    for (const plan::ServedLink& link : entity.links) values.insert(link.target);
    for (const plan::ServedLook& look : entity.looks) values.insert(look.target);
    values.erase(entity.cpp_value);
    Data out{Data::type::list};
    for (const std::string& value : values) {
        Data one;
        one["value"] = value;
        out.push_back(one);
    }
    return out;
}

}  // namespace

void add_links(const ServedEntity& entity, Data& out) {
    const bool any = !entity.links.empty();
    Data neighbours = neighbours_data(entity);
    out["links"] = links_data(entity);
    out["has_links"] = any;
    out["links_span"] = std::string(any ? "links" : "{}");
    out["looks"] = looks_data(entity);
    out["has_looks"] = !entity.looks.empty();
    out["has_neighbours"] = !neighbours.is_empty_list();
    out["neighbours"] = std::move(neighbours);
}

}  // namespace svc::emit
