// The tries of the matrix's callers: each operation on each row.
#include <algorithm>
#include <map>

#include "plan/names.hpp"
#include "unit/check/truth_fixture.hpp"

namespace svc::truth {

using check::Cell;

// The caller's own row with the values of row r, in its first state.
std::string Truth::new_row(const plan::ServedEntity& served, std::size_t caller) const {
    std::string out;
    for (const auto& column : served.columns) {
        const std::string name = plan::ident(column.name);
        std::string value = "r." + name;
        if (column.name == "user_id") {
            value = has_account(caller) ? "'" + account_of(caller) + "'::uuid" : "null::uuid";
        } else if (column.name == "org_id") {
            value = "svc.claim('org')::uuid";
        } else if (column.name == served.lifecycle_field) {
            value = "'" + std::string("open") + "'";
            for (const auto& entity : model_.entities) {
                if (entity.name == served.name) value = "'" + entity.lifecycle->initial + "'";
            }
        }
        out += (out.empty() ? "" : ", ") + value + " as " + name;
    }
    return out;
}

Ids Truth::created(const plan::ServedEntity& served, std::size_t caller) {
    std::string columns;
    std::string values;
    for (const auto& column : served.columns) {
        if (is_computed(served, column.name)) continue;
        columns += (columns.empty() ? "" : ", ") + plan::ident(column.name);
        const std::string value = "made_row." + plan::ident(column.name);
        values += (values.empty() ? "" : ", ") + (column.name == "id" ? "svc.new_id()" : value);
    }
    // The caller may not see the rows that they copy.
    std::map<std::string, std::string> rows;
    {
        pqxx::work work(*connection_);
        enter(work, target_.owner_role, caller);
        for (const auto& row : work.exec("select made_row.id, to_jsonb(made_row) from (select " +
                                         new_row(served, caller) + " from public." +
                                         plan::ident(served.name) + " r) made_row")) {
            rows[row[0].as<std::string>()] = work.quote(row[1].as<std::string>());
        }
    }
    Ids out;
    for (const auto& [id, json] : rows) {
        const Ids one =
            worked(caller, {id},
                   "insert into public." + plan::ident(served.name) + " (" + columns + ") select " +
                       values + " from jsonb_populate_record(null::public." +
                       plan::ident(served.name) + ", " + json + ") made_row where $id is not null");
        out.insert(one.begin(), one.end());
    }
    return out;
}

void Truth::try_entity(const plan::ServedEntity& served, std::size_t entity, std::size_t caller) {
    const std::string table = "public." + plan::ident(served.name);
    const std::string who = exposure_.callers[caller].name + " ";
    const Ids all = expected(entity, caller, check::always(true), table);
    ASSERT_GT(all.size(), 1U);
    for (const Cell& cell : exposure_.entities[entity].cells[caller]) {
        const std::string what =
            who + cell.operation.words() + " " + served.name + ": " + check::rows_text(cell.rows);
        if (cell.operation.act == check::Act::create) {
            EXPECT_EQ(created(served, caller),
                      expected(entity, caller, cell.rows,
                               "(select " + new_row(served, caller) + " from " + table + " r)"))
                << what;
            continue;
        }
        std::string statement = "select id from " + table + " where id = $id";
        if (cell.operation.act == check::Act::update)
            statement = "update " + table + " set updated_at = updated_at where id = $id";
        if (cell.operation.act == check::Act::remove)
            statement = "delete from " + table + " where id = $id";
        if (cell.operation.act == check::Act::transition) {
            statement = "select * from svc." + served.name + "_transition($id, '" +
                        cell.operation.transition + "')";
        }
        const Ids right = expected(entity, caller, cell.rows, table);
        EXPECT_EQ(worked(caller, all, statement), right) << what;
        if (cell.operation.act == check::Act::update || cell.operation.act == check::Act::remove) {
            sweep(caller, statement.substr(0, statement.find(" where id")), right.size());
        }
        if (cell.operation.act != check::Act::update) continue;
        for (const auto& column : served.columns) {
            if (column.type != plan::ColumnType::text) continue;
            const auto& open = cell.fields;
            const auto field = std::find_if(open.begin(), open.end(),
                                            [&](const auto& of) { return of.name == column.name; });
            EXPECT_EQ(worked(caller, all,
                             "update " + table + " set " + plan::ident(column.name) +
                                 " = 'X' where id = $id"),
                      field == open.end() ? Ids{} : expected(entity, caller, field->where, table))
                << what << ", field " << column.name;
        }
    }
}

}  // namespace svc::truth
