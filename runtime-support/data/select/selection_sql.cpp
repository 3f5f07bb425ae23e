#include <algorithm>

#include "data/columns.hpp"
#include "data/envelope.hpp"
#include "data/ordering.hpp"
#include "data/select/selection.hpp"

namespace svc::data::select {
namespace {

using Members = std::vector<Selected>;

std::string row_alias(unsigned depth) { return 't' + std::to_string(depth); }

// The page's columns go by number: after the entity's there may be others of the same names.
std::string column_of(unsigned depth, const Entity& entity, unsigned column) {
    const std::string name =
        depth == 0 ? 'c' + std::to_string(column) : quoted_name(entity.columns[column].name);
    return row_alias(depth) + '.' + name;
}

// The nesting of a statement that reads links: how many links away it is, and how many bytes each
// link of the row may have.
struct Nesting {
    unsigned depth;
    std::size_t most;
};

std::string linked_rows(const Entity& entity, const Selected& selected, const Nesting& nesting);

// The members of an object. A moment is written as the text that the printers of rows read.
std::string listed(const Entity& entity, const Members& members, const Nesting& nesting) {
    std::string out;
    for (const Selected& selected : members) {
        if (!out.empty()) out += ", ";
        if (selected.link != nullptr) {
            out += linked_rows(entity, selected, nesting) + " as " + quoted_name(selected.name);
            continue;
        }
        const Column& column = entity.columns[selected.column];
        out += column_of(nesting.depth, entity, selected.column);
        if (column.type == Type::timestamp) out += "::text as " + quoted_name(column.name);
    }
    return out;
}

// Bytes of the rows of one link, and of all links of a row. What comes to more is not sent: a
// page may have thousands of such values, and a row is sent as it is.
constexpr std::size_t kMostOfLink = std::size_t{4} << 20;
constexpr std::size_t kMostOfRow = kMostBytes;

std::size_t links_in(const Members& members) {
    std::size_t out = 0;
    for (const Selected& selected : members) {
        if (selected.link != nullptr) out += 1 + links_in(selected.members);
    }
    return out;
}

// A value that is too large becomes `instead`. Without the offset PostgreSQL makes it twice.
std::string bounded(const std::string& value, const std::string& rows, const Nesting& nesting,
                    const std::string& instead) {
    return "\n(select case when pg_column_size(_v) > " + std::to_string(nesting.most) + " then '" +
           instead + "' else _v end from (select " + value + " as _v from " + rows +
           " offset 0) _l)";
}

// As listed, for rows that may be large: their bytes are counted one by one, so that rows that are
// not sent are never joined.
std::string counted(const std::string& rows, const Nesting& nesting) {
    const std::string most = std::to_string(nesting.most);
    return "\n(select case when max(_n) > " + most +
           " then '[null]' else json_agg(_v) filter (where _n <= " + most +
           ") end from (select _v, sum(pg_column_size(_v)) over (rows unbounded preceding) as _n "
           "from (select row_to_json(_r) as _v from " +
           rows + " offset 0) _w) _l)";
}

// A row of columns that are not stays far below any share.
bool is_long(const Column& column) {
    constexpr std::uint32_t kShort = 1000;  // characters
    if (column.type == Type::text) return column.max_length == 0 || column.max_length > kShort;
    return column.type == Type::tags || column.type == Type::json;
}

bool may_be_large(const Selected& selected) {
    return std::ranges::any_of(selected.members, [&](const Selected& member) {
        return member.link != nullptr || is_long(selected.link->target->columns[member.column]);
    });
}

// The rows that `selected` leads to from the row t<depth>, as one value. One row above the limit
// shows that there are more. A null in a list, or a list instead of a row, shows that it was too
// large. Each table is read under its own policy.
std::string linked_rows(const Entity& entity, const Selected& selected, const Nesting& nesting) {
    const Link& link = *selected.link;
    const Entity& target = *link.target;
    const Nesting below{nesting.depth + 1, nesting.most};
    std::string rows = "(select " + listed(target, selected.members, below);
    rows.append(" from (").append(target.list).append(") ").append(row_alias(below.depth));
    rows += " where " + column_of(below.depth, target, link.target_column) + " = " +
            column_of(nesting.depth, entity, link.column);
    rows += selected.condition;
    if (link.kind == Link::one) {
        rows += ") _r";
        if (may_be_large(selected)) return bounded("row_to_json(_r)", rows, nesting, "[]");
        return "\n(select row_to_json(_r) from " + rows + ')';
    }
    const std::string by_id = std::string(column_of(below.depth, target, 0))
                                  .append(ordering_of(target, target.columns.front()).ascending);
    rows += " order by " + (selected.order.empty() ? by_id : selected.order) + " limit " +
            std::to_string(selected.most + 1);
    rows += ") _r";
    return may_be_large(selected) ? counted(rows, nesting)
                                  : bounded("json_agg(_r)", rows, nesting, "[null]");
}

}  // namespace

std::string nested_column(unsigned depth, const Column& column) {
    return row_alias(depth) + '.' + quoted_name(column.name);
}

// The rows are chosen, ordered and cut before anything is looked up for them.
std::string selecting(const Entity& entity, const Members& members, const KeptColumns& kept,
                      std::string_view rows) {
    const std::size_t share = kMostOfRow / std::max<std::size_t>(links_in(members), 1);
    const Nesting nesting{0, std::min(kMostOfLink, share)};
    ColumnSet wanted = kept.columns;
    std::string links;
    for (const Selected& selected : members) {
        if (selected.link == nullptr) {
            wanted.add(selected.column);
        } else {
            links += ", " + linked_rows(entity, selected, nesting);
        }
    }
    const auto own = static_cast<unsigned>(entity.columns.size());
    std::string out = "select ", names;
    for (unsigned i = 0; i < own + kept.extra; ++i) {
        const std::string comma = i == 0 ? "" : ", ";
        out += comma + (i >= own || wanted[i] ? column_of(0, entity, i) : "null");
        names += comma + 'c' + std::to_string(i);
    }
    return out + links + "\nfrom (" + std::string(rows) + ") " + row_alias(0) + '(' + names + ')';
}

}  // namespace svc::data::select
