#include "query/read/outline.hpp"

#include "sql/tree.hpp"

namespace svc::query {

using sql::member;
using sql::text;

using Json = nlohmann::json;

std::optional<Conflict> conflict_of(const Json& insert, std::size_t at) {
    const Json& infer = member(member(insert, "onConflictClause"), "infer");
    if (!infer.contains("indexElems")) return std::nullopt;
    Conflict found{at, text(member(insert, "relation"), "relname"), {}};
    for (const Json& item : infer.at("indexElems")) {
        found.columns.insert(text(member(item, "IndexElem"), "name"));
    }
    if (found.columns.count("") != 0) found.columns.clear();
    if (const Json& place = member(infer, "location"); place.is_number()) {
        found.at = place.get<std::size_t>();
    }
    return found;
}

std::vector<std::size_t> columns_of(const Json& statement) {
    std::vector<std::size_t> out;
    const Json* from = &statement;
    while (from->contains("larg")) from = &from->at("larg");
    const bool writes = from->contains("relation");
    const Json& list = member(*from, writes ? "returningList" : "targetList");
    for (const Json& item : list) {
        const Json& target = member(item, "ResTarget");
        const Json& fields = member(member(member(target, "val"), "ColumnRef"), "fields");
        if (fields.is_array() && fields.back().contains("A_Star")) return {};
        const Json& place = member(target, "location");
        out.push_back(place.is_number() ? place.get<std::size_t>() : 0);
    }
    return out;
}

}  // namespace svc::query
