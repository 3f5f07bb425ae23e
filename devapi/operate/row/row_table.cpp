#include "operate/row/row_table.hpp"

#include <algorithm>
#include <utility>

#include "base/sql_state.hpp"
#include "base/uuid.hpp"
#include "common/iso_time.hpp"
#include "common/json_slice.hpp"
#include "common/meant.hpp"
#include "common/table_names.hpp"
#include "operate/row/row_failure.hpp"
#include "plan/names.hpp"

namespace svc::devapi {
namespace {

std::vector<std::string> table_names(AppConnection& reader) {
    struct Tables final : db::RowSink {
        void row(const Row& row) override { all.emplace_back(row.text(0)); }
        std::vector<std::string> all;
    } found;
    reader.begin(true, {}, kTimeOfRow);
    reader.run(kTableNames, {}, &found);
    reader.commit();
    return std::move(found.all);
}

}  // namespace

RowTable::RowTable(AppConnection& reader, std::string name)
    : name_(std::move(name)), sql_("public." + plan::quoted(name_)) {
    struct Columns final : db::RowSink {
        explicit Columns(RowTable& of) : table(of) {}
        void row(const Row& row) override {
            table.types_[std::string(row.text(0))] = row.text(1);
            if (row.text(2) == "t") table.generated_.push_back(std::string(row.text(0)));
        }
        RowTable& table;
    } columns(*this);
    const AppConnection::Param params[] = {name_};
    reader.begin(true, {}, kTimeOfRow);
    reader.run(
        "select a.attname, format_type(a.atttypid, a.atttypmod), a.attgenerated <> '' "
        "from pg_attribute a join pg_class c on c.oid = a.attrelid "
        "where c.relnamespace = 'public'::regnamespace and c.relname = $1 "
        "and c.relkind in ('r', 'p', 'v') and a.attnum > 0 and not a.attisdropped "
        "order by a.attnum",
        params, &columns);
    reader.commit();
    if (types_.empty())
        throw row_refused(base::sqlstate::kNoTable, with_meant("There is no table '" + name_ + "'.",
                                                               name_, table_names(reader)));
    if (!types_.contains("id"))
        throw row_refused(base::sqlstate::kNoColumn,
                          "Table '" + name_ +
                              "' has no column 'id', so its rows cannot be named. Use SQL "
                              "instead.");
}

std::vector<std::string> RowTable::names() const {
    std::vector<std::string> out;
    out.reserve(types_.size());
    for (const auto& column : types_) out.push_back(column.first);
    return out;
}

std::string RowTable::where_id() const { return " where id = cast($1 as " + id_type() + ")"; }

std::string RowTable::shown() const {
    std::string out;
    for (const auto& [column, type] : types_) {
        const std::string value = type == "timestamp with time zone"
                                      ? iso_micros(plan::quoted(column))
                                      : plan::quoted(column);
        out.append(out.empty() ? "" : ", ").append(value + " as " + plan::quoted(column));
    }
    return out;
}

std::vector<std::string> RowTable::columns_in(const std::string& data) const {
    std::vector<std::string> out;
    for (const auto& [column, value] : json_members(data)) {
        if (!types_.contains(column))
            throw row_refused(base::sqlstate::kNoColumn,
                              with_meant("Table '" + name_ + "' has no column '" + column + "'.",
                                         column, names()),
                              column);
        if (std::ranges::find(generated_, column) != generated_.end())
            throw row_refused(base::sqlstate::kFieldForbidden,
                              column + " is computed, so it cannot be written.", column);
        if (std::ranges::find(out, column) == out.end()) out.push_back(column);
    }
    return out;
}

std::string RowTable::completed(std::string data, const std::string& user_id) const {
    if (!json_member(data, "id") && id_type() == "uuid")
        data = with_member(data, "id", "\"" + base::new_uuid() + "\"");
    if (!user_id.empty() && types_.contains("user_id") && !json_member(data, "user_id"))
        data = with_member(data, "user_id", "\"" + user_id + "\"");
    return data;
}

std::string column_list(const std::vector<std::string>& columns, const std::string& prefix) {
    std::string out;
    for (const auto& column : columns)
        out.append(out.empty() ? "" : ", ").append(prefix).append(plan::quoted(column));
    return out;
}

}  // namespace svc::devapi
