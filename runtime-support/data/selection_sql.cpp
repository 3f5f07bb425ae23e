#include "data/columns.hpp"
#include "data/ordering.hpp"
#include "data/selection.hpp"

namespace svc::data {
namespace {

using Members = std::vector<Selected>;

std::string row_alias(unsigned depth) { return 't' + std::to_string(depth); }

// The page's columns go by number: behind the entity's may stand others of the same names.
std::string column_of(unsigned depth, const Entity& entity, unsigned column) {
    const std::string name =
        depth == 0 ? 'c' + std::to_string(column) : quoted(entity.columns[column].name);
    return row_alias(depth) + '.' + name;
}

std::string behind(const Entity& entity, const Selected& selected, unsigned depth);

// As members of an object. A moment leaves as the text that the printers of rows know.
std::string listed(const Entity& entity, const Members& members, unsigned depth) {
    std::string out;
    for (const Selected& selected : members) {
        if (!out.empty()) out += ", ";
        if (selected.link != nullptr) {
            out += behind(entity, selected, depth) + " as " + quoted(selected.name);
            continue;
        }
        const Column& column = entity.columns[selected.column];
        out += column_of(depth, entity, selected.column);
        if (column.type == Type::timestamp) out += "::text as " + quoted(column.name);
    }
    return out;
}

// Bytes of a link's rows. What comes to more is not sent: a page may have thousands of such values.
constexpr const char* kMostOfLink = "4194304";

// A value that is too large becomes a list of null, which tells that there are more than are shown.
std::string bounded(const std::string& rows) {
    return "\n(select case when pg_column_size(_v) > " + std::string(kMostOfLink) +
           " then '[null]' else _v end from (select json_agg(_r) as _v from " + rows + ") _l)";
}

// The rows that `selected` leads to from the row t<depth>, as one value. One more than may be
// shown tells that there are more. Each table is read under its own policy.
std::string behind(const Entity& entity, const Selected& selected, unsigned depth) {
    const Link& link = *selected.link;
    const Entity& target = *link.target;
    const unsigned below = depth + 1;
    const bool many = link.kind == Link::many;
    std::string rows = "(select " + listed(target, selected.members, below);
    rows.append(" from (").append(target.list).append(") ").append(row_alias(below));
    rows += " where " + column_of(below, target, link.target_column) + " = " +
            column_of(depth, entity, link.column);
    rows += selected.condition;
    if (!many) return "\n(select row_to_json(_r) from " + rows + ") _r)";
    const std::string by_id = std::string(column_of(below, target, 0))
                                  .append(ordering_of(target, target.columns.front()).ascending);
    rows += " order by " + (selected.order.empty() ? by_id : selected.order) + " limit " +
            std::to_string(selected.most + 1);
    return bounded(rows + ") _r");
}

}  // namespace

std::string nested_column(unsigned depth, const Column& column) {
    return row_alias(depth) + '.' + quoted(column.name);
}

// The rows are chosen, ordered and cut before anything is looked up for them.
std::string selecting(const Entity& entity, const Members& members, const Kept& kept,
                      std::string_view rows) {
    ColumnSet wanted = kept.columns;
    std::string links;
    for (const Selected& selected : members) {
        if (selected.link == nullptr) {
            wanted.add(selected.column);
        } else {
            links += ", " + behind(entity, selected, 0);
        }
    }
    const auto own = static_cast<unsigned>(entity.columns.size());
    std::string out = "select ", names;
    for (unsigned i = 0; i < own + kept.behind; ++i) {
        const std::string comma = i == 0 ? "" : ", ";
        out += comma + (i >= own || wanted[i] ? column_of(0, entity, i) : "null");
        names += comma + 'c' + std::to_string(i);
    }
    return out + links + "\nfrom (" + std::string(rows) + ") " + row_alias(0) + '(' + names + ')';
}

}  // namespace svc::data
