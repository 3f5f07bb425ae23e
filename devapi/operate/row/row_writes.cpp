#include "operate/row/row_writes.hpp"

#include <chrono>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/formats.hpp"
#include "base/sql_state.hpp"
#include "common/json_slice.hpp"
#include "http/error.hpp"
#include "operate/row/row_failure.hpp"
#include "operate/row/row_table.hpp"
#include "operate/row/row_words.hpp"
#include "plan/names.hpp"

namespace svc::devapi {
namespace {

using Op = RowsRequest::Op;
using Param = AppConnection::Param;

constexpr std::size_t kMostShown = std::size_t{16} << 20;  // of all rows that are shown
constexpr std::chrono::seconds kTimeOfAll{60};

class RowWriter {
  public:
    RowWriter(const AppDatabase& database, const Actor& actor, const RowsRequest& wanted)
        : request_(wanted),
          actor_(actor),
          writer_(actor.url),
          reader_(database.sql_url),
          table_(reader_, wanted.table),
          words_(database, wanted.table) {}

    RowOutcome write(const RowWrite& row) {
        RowOutcome outcome;
        outcome.id = row.id;
        try {
            writer_.begin(false, actor_.identity, kTimeOfRow);
            outcome.id = request_.op == Op::insert    ? insert(row)
                         : request_.op == Op::update  ? update(row)
                         : request_.op == Op::restore ? restore(row)
                                                      : remove(row);
            writer_.commit();
        } catch (SqlFailure& failure) {
            if (failure.lost()) throw;
            writer_.roll_back();
            outcome.code = row_code(failure);
            outcome.message = explain(row, failure);
            outcome.field = failure.column;
            if (request_.op == Op::insert) outcome.id = row.id;
            return outcome;
        }
        if (request_.op != Op::remove && request_.shown) show(outcome);
        return outcome;
    }

    // A row was written and is not shown.
    bool truncated() const { return truncated_; }

  private:
    void show(RowOutcome& outcome) {
        truncated_ = truncated_ || shown_ > kMostShown;
        if (truncated_) return;
        try {
            outcome.row = read(outcome.id);
        } catch (const SqlFailure& failure) {  // it is written, whether it can be shown or not
            if (!failure.lost()) reader_.roll_back();
            return;
        }
        shown_ += outcome.row.size();
    }

    // The message, and the column at fault.
    std::string explain(const RowWrite& row, SqlFailure& failure) {
        if (base::sqlstate::is_of_data(failure.sqlstate) && failure.column.empty() &&
            !failure.external) {
            const auto [column, value] = misfit(row);
            if (std::string message = words_.mistyped(column, value); !message.empty()) {
                failure.column = column;
                return message;
            }
        }
        return words_.message(failure);
    }

    bool fits(const std::string& column, std::string_view value) {
        const std::string row = with_member("{}", column, value);
        const Param params[] = {row};
        bool good = true;
        try {
            writer_.begin(true, actor_.identity, kTimeOfRow);
            writer_.value("select " + plan::quoted(column) +
                              " from json_populate_record(null::" + table_.sql() + ", $1::json) _r",
                          params);
        } catch (const SqlFailure& failure) {
            if (failure.lost()) throw;
            good = !base::sqlstate::is_of_data(failure.sqlstate);
        }
        writer_.roll_back();
        return good;
    }

    // The member that its column cannot take: PostgreSQL does not say which one it is.
    std::pair<std::string, std::string> misfit(const RowWrite& row) {
        const bool is_key = table_.id_type() == "uuid";
        if (!row.id.empty() && is_key && !base::is_uuid(row.id))
            return {"id", nlohmann::json(row.id).dump()};
        if (row.data.empty()) return {};
        for (const auto& [column, value] : json_members(row.data))
            if (!fits(column, value)) return {column, std::string(value)};
        return {};
    }

    std::string insert(const RowWrite& row) {
        const std::string data = table_.completed(row.data, actor_.identity.user_id);
        const auto columns = table_.columns_in(data);
        const Param params[] = {data};
        const std::string sql = "insert into " + table_.sql() + " (" + column_list(columns, "") +
                                ") select " + column_list(columns, "_r.") +
                                " from json_populate_record(null::" + table_.sql() +
                                ", $1::json) _r";
        if (!json_member(data, "id"))
            return writer_.value(sql + " returning id", params).value_or("");
        writer_.run(sql, params);
        return text_of_id(data);
    }

    std::string text_of_id(const std::string& data) const {
        const auto value = nlohmann::json::parse(*json_member(data, "id"));
        return value.is_string() ? value.get<std::string>() : value.dump();
    }

    std::string update(const RowWrite& row) {
        const auto columns = table_.columns_in(row.data);
        if (columns.empty())
            throw row_refused(base::sqlstate::kBadParameter, "The patch has no columns.");
        std::string sets;
        for (const auto& column : columns)
            sets.append(sets.empty() ? "" : ", ")
                .append(plan::quoted(column) + " = _r." + plan::quoted(column));
        const Param params[] = {row.id, row.data};
        const std::string sql = "update " + table_.sql() + " _t set " + sets +
                                " from json_populate_record(null::" + table_.sql() +
                                ", $2::json) _r" + " where _t.id = cast($1 as " + table_.id_type() +
                                ")";
        if (writer_.run(sql, params) == 0) missing(row.id);
        return row.id;
    }

    std::string remove(const RowWrite& row) {
        const Param params[] = {row.id};
        if (writer_.run("delete from " + table_.sql() + table_.where_id(), params) == 0)
            missing(row.id);
        return row.id;
    }

    // Callers who may delete the row may restore it. A table that keeps no deleted rows has no such
    // function.
    std::string restore(const RowWrite& row) {
        const std::string function = "svc." + plan::quoted(request_.table + "_restore");
        const std::string signature = function + "(uuid)";
        const Param named[] = {signature};
        if (!writer_.value("select to_regprocedure($1)::text", named))
            throw row_refused(base::sqlstate::kNotFound,
                              "Table '" + request_.table + "' does not keep deleted rows.");
        const Param params[] = {row.id};
        writer_.run("select id from " + function + "(cast($1 as uuid))", params);
        return row.id;
    }

    // No row was written: is there none that the actor may see?
    [[noreturn]] void missing(const std::string& id) {
        const Param params[] = {id};
        if (writer_.value("select 1 from " + table_.sql() + table_.where_id(), params))
            throw row_refused(base::sqlstate::kRowForbidden,
                              "You may read this row, but not change it.");
        throw row_refused(base::sqlstate::kNotFound,
                          "There is no row of " + request_.table + " with the id " + id + ".");
    }

    // The row as it is now. The developer may read it, whatever caller they acted as.
    std::string read(const std::string& id) {
        const Param params[] = {id};
        reader_.begin(true, {}, kTimeOfRow);
        const auto row = reader_.value("select row_to_json(_r) from (select " + table_.shown() +
                                           " from " + table_.sql() + table_.where_id() + ") _r",
                                       params);
        reader_.commit();
        return row.value_or("");
    }

    const RowsRequest& request_;
    const Actor& actor_;
    AppConnection writer_, reader_;
    const RowTable table_;
    RowWords words_;
    std::size_t shown_ = 0;  // bytes
    bool truncated_ = false;
};

}  // namespace

RowsOutcome write_rows(const AppDatabase& database, const Actor& actor, const RowsRequest& wanted) {
    RowsOutcome outcome;
    const auto until = std::chrono::steady_clock::now() + kTimeOfAll;
    try {
        RowWriter writer(database, actor, wanted);
        for (const RowWrite& row : wanted.rows) {
            if (std::chrono::steady_clock::now() < until)
                outcome.rows.push_back(writer.write(row));
            else
                outcome.rows.push_back(
                    {row.id, "", std::string(name(Code::unavailable)),
                     "The rows before this one took too long. Write fewer at once.", ""});
            outcome.truncated = writer.truncated();
        }
    } catch (const SqlFailure& failure) {
        if (!outcome.rows.empty()) {
            // Reports the written rows; the rest was not written.
            for (std::size_t i = outcome.rows.size(); i < wanted.rows.size(); ++i)
                outcome.rows.push_back(
                    {wanted.rows[i].id, "", row_code(failure), failure.what(), ""});
            return outcome;
        }
        outcome.error = failure.what();
        outcome.sqlstate = row_code(failure);
    }
    return outcome;
}

}  // namespace svc::devapi
