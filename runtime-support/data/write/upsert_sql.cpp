// The statements of creates that may meet a row with the same key.
#include "data/write/upsert.hpp"
#include "data/write/write_body.hpp"

namespace svc::data::write {

namespace {

// The position of a column's value among the parameters of create.
std::optional<std::size_t> parameter(const Entity& entity, unsigned column) {
    const std::string_view name = entity.columns[column].name;
    for (std::size_t i = 0; i < entity.create_binds.size(); ++i) {
        const Bind& bind = entity.create_binds[i];
        const bool owner = (bind.source == Bind::user_id && name == "user_id") ||
                           (bind.source == Bind::org_id && name == "org_id");
        if (owner || (bind.source == Bind::value && bind.column == column)) return i;
    }
    return std::nullopt;
}

std::string_view trimmed(std::string_view sql) {
    const std::size_t first = sql.find_first_not_of('\n');
    return sql.substr(first, sql.find_last_not_of('\n') + 1 - first);
}

std::string columns_of(const Entity& entity) {
    std::string out;
    for (const Column& column : entity.columns) out += quoted_name(column.name) + ", ";
    return out + "xmin";
}

std::string on_conflict(const Call& call, const Upsert& upsert) {
    std::string out(trimmed(call.entity.insert.sql));
    out += "\non conflict (";
    for (const std::uint16_t column : upsert.key->columns()) {
        out += (out.back() == '(' ? "" : ", ") + quoted_name(call.entity.columns[column].name);
    }
    return out + ") do ";
}

// The condition that finds the row of a draft.
std::string is_row(const Call& call, const Upsert& upsert, const Draft& draft, QueryText& text) {
    std::string out = "id = " + text.bind(draft.id, Type::uuid) + " or (";
    for (const std::uint16_t column : upsert.key->columns()) {
        const Column& known = call.entity.columns[column];
        const db::Param& value = draft.params[*parameter(call.entity, column)];
        out += (out.back() == '(' ? "" : " and ") + quoted_name(known.name) + " = ";
        out += value ? text.bind(std::string(*value), known.type) : "null";
    }
    return out + ')';
}

// The columns that a row which is there takes from the draft.
std::vector<unsigned> taken(const Call& call, const Upsert& upsert, const Draft& draft) {
    std::vector<unsigned> out;
    for (unsigned i = 0; i < call.entity.columns.size(); ++i) {
        const bool owner = stamped(call.entity, call.entity.columns[i].name);
        if (draft.sent(i) && !upsert.in_key(i) && !owner) out.push_back(i);
    }
    return out;
}

// "note" = $3, as create numbers them
std::string is_sent(const Entity& entity, unsigned column) {
    const std::size_t number = *parameter(entity, column) + 1;
    return quoted_name(entity.columns[column].name) + " = $" + std::to_string(number);
}

// Finds the row that is there, and changes it if it is to be merged.
std::string found_in_external(const Call& call, const Upsert& upsert, const Draft& draft,
                              std::string_view returning) {
    const Entity& entity = call.entity;
    const std::string table = "public." + quoted_name(entity.name) + " as _row";
    const std::string which = " where " + is_sent(entity, upsert.key->columns()[0]);
    if (upsert.resolution == Resolution::ignore)
        return "select " + std::string(returning) + " from " + table + which;
    std::string sets;
    for (const unsigned i : taken(call, upsert, draft))
        sets += (sets.empty() ? "" : ", ") + is_sent(entity, i);
    if (sets.empty()) sets = "id = id";
    return "update " + table + " set " + sets + which + " returning " + std::string(returning);
}

}  // namespace

// Rewrites create, "insert … values (…) returning …", with a condition, which VALUES cannot have.
// The insert and the update see each other only through `found`.
std::string external_upsert_sql(const Call& call, const Upsert& upsert, const Draft& draft) {
    constexpr std::string_view kValues = "\nvalues (";
    constexpr std::string_view kReturning = ")\nreturning ";
    const std::string_view create = trimmed(call.entity.create.sql);
    const std::size_t values = create.find(kValues);
    const std::size_t end = create.rfind(kReturning);
    const std::size_t first = values + kValues.size();
    const std::string_view returning = create.substr(end + kReturning.size());
    std::string out = "with found as (" + found_in_external(call, upsert, draft, returning);
    out.append("),\nmade as (").append(create.substr(0, values)).append("\nselect ");
    out.append(create.substr(first, end - first));
    out.append("\nwhere not exists (select from found)\nreturning ").append(returning);
    return out + ")\nselect *, false from found union all select *, true from made";
}

std::string merge_sql(const Call& call, const Upsert& upsert, const Draft& draft) {
    std::string sets;
    for (const unsigned i : taken(call, upsert, draft)) {
        const std::string name = quoted_name(call.entity.columns[i].name);
        sets += (sets.empty() ? "" : ", ") + name + " = excluded." + name;
    }
    // Something must be set for the row to be locked, checked and returned.
    const std::string key = quoted_name(call.entity.columns[upsert.key->columns()[0]].name);
    if (sets.empty()) sets = key + " = excluded." + key;
    return on_conflict(call, upsert) + "update set " + sets + "\nreturning " +
           columns_of(call.entity);
}

std::string ignore_sql(const Call& call, const Upsert& upsert) {
    return on_conflict(call, upsert) + "nothing";
}

QueryText found_row(const Call& call, const Upsert& upsert, const Draft& draft) {
    QueryText text;
    const std::string where = is_row(call, upsert, draft, text);
    text.sql = "select " + columns_of(call.entity) + " from public." +
               quoted_name(call.entity.name) + " where " + where + " order by id = $1 desc limit 1";
    return text;
}

QueryText must_see(const Call& call, const Upsert& upsert, const Draft& draft) {
    QueryText text;
    const std::string where = is_row(call, upsert, draft, text);
    text.sql = "select svc.must_see(exists (select from public." + quoted_name(call.entity.name) +
               " where " + where + "), " +
               text.bind(key_names(call.entity, *upsert.key), Type::text) + ")";
    return text;
}

}  // namespace svc::data::write
