// Finds the rows that would break a new constraint or unique index, with their values after the
// migration.
#include "migrate/diff/definition.hpp"
#include "migrate/refusal/refusal.hpp"

namespace svc::migrate {
namespace {

constexpr std::size_t kMostShown = 200;

std::string shortened(const std::string& text) {
    return text.size() <= kMostShown ? text : text.substr(0, kMostShown) + " …";
}

// Several nulls are not the same.
std::string duplicates(const Shape& shape, const Definition& definition) {
    const std::string condition =
        definition.condition.empty() ? "" : " where " + definition.condition;
    return "select id from " + shape.sql + " here where (" + definition.columns + ") in (select " +
           definition.columns + " from " + shape.sql + " every" + condition + " group by " +
           definition.columns + " having count(*) > 1)" +
           (condition.empty() ? "" : " and (" + definition.condition + ")");
}

std::string without_target(pqxx::transaction_base& tx, const Shape& shape,
                           const Definition& definition) {
    const std::string rows =
        "select id from " + shape.sql + " here where " + definition.columns + " is not null";
    const bool there =
        !tx.exec_params1("select to_regclass($1) is null", definition.target)[0].as<bool>();
    return there ? rows + " and not exists (select from " + definition.target +
                       " there where there.id = here." + definition.columns + ")"
                 : rows;
}

bool can_be_asked(const Claim& claim, const Shape& shape) {
    for (const std::string& column : shape.unknown) {
        if (mentions(claim.sql, column)) return false;
    }
    return true;
}

std::string ask_one(pqxx::transaction_base& tx, const Shape& shape, const Definition& definition) {
    std::string rows;
    switch (definition.kind) {
        case Definition::Kind::check:
            rows = name_rows(
                tx, "select id from " + shape.sql + " here where not (" + definition.columns + ")");
            return rows.empty() ? "" : "\"" + shortened(definition.columns) + "\": " + rows;
        case Definition::Kind::index:
            if (!definition.unique_index) return {};
            [[fallthrough]];
        case Definition::Kind::unique:
            rows = name_rows(tx, duplicates(shape, definition));
            return rows.empty() ? "" : "unique (" + definition.columns + "): " + rows;
        case Definition::Kind::foreign_key:
            rows = name_rows(tx, without_target(tx, shape, definition));
            return rows.empty() ? ""
                                : "the reference " + definition.columns +
                                      ", which names no row of " + definition.target + ": " + rows;
        case Definition::Kind::other:
            return {};
    }
    return {};
}

}  // namespace

std::string rows_in_the_way(pqxx::dbtransaction& tx, const Claim& claim, const Shape& shape) {
    if (!can_be_asked(claim, shape)) return {};
    try {
        pqxx::subtransaction sub(tx);
        std::string rows = ask_one(sub, shape, definition_of(claim.sql));
        sub.commit();
        return rows;
    } catch (const pqxx::broken_connection&) {
        throw;
    } catch (const pqxx::sql_error& error) {
        // A question that cannot be asked yet is answered by the step itself.
        if (says_nothing_of_rows(read_error(error))) throw;
        return {};
    }
}

}  // namespace svc::migrate
