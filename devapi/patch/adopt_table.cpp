// A hand-made table becomes an entity: its columns, keys and checks in the words of a contract.
#include <algorithm>
#include <array>

#include "contract/shape.hpp"
#include "http/json_slice.hpp"
#include "patch/adopted_checks.hpp"
#include "patch/items.hpp"
#include "patch/operations.hpp"

namespace svc::devapi::patch {
namespace {

using Kind = HandConstraint::Kind;

struct Owned {
    bool user = false, org = false;
};

// A field as it is put together: members as JSON.
struct NewField {
    std::string name, type, rest;
    void add(std::string_view member, std::string_view json) {
        rest.append(", ").append(json_text(member)).append(": ").append(json);
    }
    std::string text() const {
        return "{\"name\": " + json_text(name) + ", \"type\": " + json_text(type) + rest + "}";
    }
};

class Adoption {
  public:
    Adoption(const std::string& contract, const std::string& name, const HandMade& table,
             std::optional<std::string> owner)
        : contract_(contract), name_(name), table_(table), owner_(std::move(owner)) {}

    std::string entity();
    std::vector<migrate::Replaced> replaced() const;

  private:
    [[noreturn]] void refuse(const std::string& sentence) const {
        throw Refused("table", "The table \"" + name_ + "\" cannot be adopted. " + sentence);
    }
    [[noreturn]] void refuse_column(const std::string& column, const std::string& reason) const {
        refuse("Its column \"" + column + "\" " + reason + ".");
    }
    const HandColumn* column(std::string_view name) const;
    const HandConstraint* on(const std::string& column, Kind kind) const;
    bool foreign(const std::string& column) const { return on(column, Kind::foreign) != nullptr; }

    void need_key() const;
    std::string owner();
    void need_type(std::string_view column, const char* type, const char* who) const;
    bool made(const std::string& column) const;
    NewField field(const HandColumn& column) const;
    void take_type(const HandColumn& column, NewField& field, Limits& limits) const;
    void take_foreign(const HandColumn& column, NewField& field) const;
    void take_checks(const HandColumn& column, Limits& limits) const;
    void take_default(const HandColumn& column, NewField& field) const;
    void write(const Limits& limits, NewField& field) const;
    std::string unique_lists() const;
    void need_no_others() const;

    const std::string& contract_;
    const std::string& name_;
    const HandMade& table_;
    std::optional<std::string> owner_;
    Owned owned_;
};

const HandColumn* Adoption::column(std::string_view name) const {
    const auto found = std::find_if(table_.columns.begin(), table_.columns.end(),
                                    [&](const HandColumn& one) { return one.name == name; });
    return found == table_.columns.end() ? nullptr : &*found;
}

// The one on this column alone.
const HandConstraint* Adoption::on(const std::string& column, Kind kind) const {
    for (const HandConstraint& one : table_.constraints)
        if (one.kind == kind && one.columns.size() == 1 && one.columns[0] == column) return &one;
    return nullptr;
}

void Adoption::need_key() const {
    const HandColumn* id = column("id");
    if (!id || id->type != "uuid" || !on("id", Kind::primary))
        refuse("Its primary key must be id, a uuid.");
    if (foreign("id")) refuse_column("id", "refers to another table");
}

void Adoption::need_type(std::string_view name, const char* type, const char* who) const {
    const HandColumn* found = column(name);
    if (!found) return;
    const std::string column(name);
    if (found->type != type)
        refuse_column(column, "is " + found->type + ", and " + who + ", which is " + type);
    if (foreign(column) || on(column, Kind::unique) || on(column, Kind::check))
        refuse_column(column, std::string("has a constraint, and ") + who);
}

// Where nothing is said: whose rows they are is told by the columns that owners are stamped into.
std::string Adoption::owner() {
    const bool user = column("user_id") != nullptr, org = column("org_id") != nullptr;
    if (!owner_) owner_ = user && org ? "user+org" : user ? "user" : org ? "org" : "none";
    owned_ = {*owner_ == "user" || *owner_ == "user+org",
              *owner_ == "org" || *owner_ == "user+org"};
    const std::string kept =
        ", and a contract keeps that name for the owner: adopt it with an owner "
        "that says so";
    if (user && !owned_.user) refuse_column("user_id", "is there" + kept);
    if (org && !owned_.org) refuse_column("org_id", "is there" + kept);
    need_type("user_id", "uuid", "a contract has it for the owner");
    need_type("org_id", "uuid", "a contract has it for the owner");
    for (const char* time : {"created_at", "updated_at"})
        need_type(time, "timestamp with time zone", "a contract has its own");
    return *owner_;
}

bool Adoption::made(const std::string& column) const {
    constexpr std::array kMade = {"id", "created_at", "updated_at", "user_id", "org_id"};
    return std::find(kMade.begin(), kMade.end(), column) != kMade.end();
}

void Adoption::take_type(const HandColumn& column, NewField& field, Limits& limits) const {
    static const std::pair<std::string_view, std::string_view> types[] = {
        {"text", "text"},
        {"character varying", "text"},
        {"smallint", "integer"},
        {"integer", "integer"},
        {"bigint", "integer"},
        {"numeric", "number"},
        {"real", "float"},
        {"double precision", "float"},
        {"boolean", "boolean"},
        {"date", "date"},
        {"time without time zone", "time"},
        {"timestamp with time zone", "datetime"},
        {"jsonb", "json"},
        {"uuid", "uuid"},
        {"text[]", "tags"},
        {"character varying[]", "tags"}};
    for (const auto& [type, ours] : types)
        if (type == column.type) field.type = ours;
    const auto numbers = column.type.find('(');
    const std::string in = numbers == std::string::npos
                               ? ""
                               : column.type.substr(numbers + 1, column.type.size() - numbers - 2);
    if (column.type.starts_with("character varying(") && column.type.ends_with(')')) {
        field.type = "string";
        limits.longest = std::stoul(in);
    }
    if (const auto comma = in.find(',');
        column.type.starts_with("numeric(") && comma != std::string::npos && in[comma + 1] != '-') {
        field.type = "decimal";
        field.add("scale", in.substr(comma + 1));
    }
    if (!column.values.empty()) {
        field.type = "enum";
        limits.values = column.values;
    }
    if (field.type.empty())
        refuse_column(column.name,
                      "has the type " + column.type + ", which no field has" +
                          (column.type.starts_with("timestamp")    ? ": make it timestamptz"
                           : column.type == "json"                 ? ": make it jsonb"
                           : column.type.starts_with("character(") ? ": make it text"
                                                                   : ""));
}

void Adoption::take_foreign(const HandColumn& column, NewField& field) const {
    const HandConstraint* key = on(column.name, Kind::foreign);
    if (!key) return;
    if (field.type != "uuid" || !key->plain || key->target.empty() || key->target_column != "id")
        refuse_column(column.name, "refers to rows in a way that a ref cannot: " + key->sql);
    if (key->target != name_ && !find_item(contract_, kEntities, key->target))
        refuse_column(column.name, "refers to \"" + key->target +
                                       "\", which is no entity: adopt that table first");
    field.type = "ref";
    field.add("to", json_text(key->target));
    if (key->on_delete == 'c') field.add("onDelete", "\"cascade\"");
    if (key->on_delete == 'n') field.add("onDelete", "\"null\"");
    if (key->on_delete == 'd') refuse_column(column.name, "is set to its default on delete");
}

void Adoption::take_checks(const HandColumn& column, Limits& limits) const {
    for (const HandConstraint& one : table_.constraints) {
        if (one.kind != Kind::check || one.columns != std::vector{column.name}) continue;
        if (!one.plain || !take_check(one.sql, column.name, column.type, limits))
            refuse_column(column.name, "has the check \"" + one.name +
                                           "\", which a field cannot say: " + one.sql);
    }
}

void Adoption::take_default(const HandColumn& column, NewField& field) const {
    const std::string& sql = column.default_sql;
    if (sql.empty() || sql.starts_with("NULL::")) return;
    if (!column.default_json.empty()) {
        if (column.default_json != "null") field.add("default", column.default_json);
    } else if (field.type == "datetime" && (sql == "now()" || sql == "CURRENT_TIMESTAMP")) {
        field.add("default", "\"now()\"");
    } else if (field.type == "date" && sql == "CURRENT_DATE") {
        field.add("default", "\"today()\"");
    } else {
        refuse_column(column.name, "has the default " + sql + ", which a contract cannot say");
    }
}

void Adoption::write(const Limits& limits, NewField& field) const {
    const bool text = field.type == "text" || field.type == "string";
    if (!text && (limits.shortest || limits.longest || limits.pattern))
        refuse_column(field.name, "has a limit of its text, which its type does not take");
    if (!limits.values.empty()) {
        if (limits.pattern)
            refuse_column(field.name, "is held to values and to a pattern, which no field is");
        field.type = "enum";
        std::string list;
        for (const std::string& value : limits.values)
            list += (list.empty() ? "" : ", ") + json_text(value);
        return field.add("values", "[" + list + "]");
    }
    if (limits.min) field.add("min", *limits.min);
    if (limits.max) field.add("max", *limits.max);
    if (limits.shortest) field.add("min", std::to_string(*limits.shortest));
    if (limits.longest) field.add("max", std::to_string(*limits.longest));
    if (limits.pattern) field.add("pattern", json_text(*limits.pattern));
}

NewField Adoption::field(const HandColumn& column) const {
    if (!contract::is_identifier(column.name))
        refuse_column(column.name,
                      "has a name that no field has: [a-z][a-z0-9_]*, at most 48 bytes");
    if (!column.trouble.empty()) refuse_column(column.name, column.trouble);
    NewField field{column.name, {}, {}};
    Limits limits;
    take_type(column, field, limits);
    take_foreign(column, field);
    take_checks(column, limits);
    write(limits, field);
    if (column.not_null) field.add("required", "true");
    if (const HandConstraint* unique = on(column.name, Kind::unique); unique && unique->plain)
        field.add("unique", "true");
    take_default(column, field);
    return field;
}

// Those over several columns.
std::string Adoption::unique_lists() const {
    std::string out;
    for (const HandConstraint& one : table_.constraints) {
        if (one.kind != Kind::unique || one.columns.size() < 2 || !one.plain) continue;
        std::string columns;
        for (const std::string& column : one.columns) {
            if (made(column))
                refuse("Its unique constraint \"" + one.name + "\" takes in " + column +
                       ", which is no field.");
            columns += (columns.empty() ? "" : ", ") + json_text(column);
        }
        out += (out.empty() ? "[" : ", [") + columns + "]";
    }
    return out;
}

// What no field has said.
void Adoption::need_no_others() const {
    for (const HandConstraint& one : table_.constraints) {
        const bool unsaid = one.kind == Kind::other ||
                            (one.kind == Kind::unique && (!one.plain || one.columns.empty())) ||
                            ((one.kind == Kind::check || one.kind == Kind::foreign) &&
                             (one.columns.size() != 1 || made(one.columns[0])));
        if (unsaid)
            refuse(
                "Its constraint \"" + one.name + "\" cannot be said in a contract: " + one.sql +
                (one.columns.size() > 1 && one.kind == Kind::check ? " (a rule can say it)" : "") +
                ".");
    }
}

std::string Adoption::entity() {
    need_key();
    const std::string owned_by = owner();
    need_no_others();
    std::string fields;
    for (const HandColumn& column : table_.columns)
        if (!made(column.name))
            fields += (fields.empty() ? "\n        " : ",\n        ") + field(column).text();
    if (fields.empty()) refuse("It has no columns that could be fields.");
    const std::string unique = unique_lists();
    return "{\"name\": " + json_text(name_) + ", \"owner\": " + json_text(owned_by) +
           (unique.empty() ? "" : ", \"unique\": [" + unique + "]") + ",\n      \"fields\": [" +
           fields + "]}";
}

// An index on a ref is the contract's own as well.
std::vector<migrate::Replaced> Adoption::replaced() const {
    std::vector<migrate::Replaced> out;
    for (const HandConstraint& one : table_.constraints) {
        const bool of_owner = one.columns.size() == 1 && made(one.columns[0]);
        const bool of_ref =
            one.columns.size() == 1 && one.plain && (of_owner || foreign(one.columns[0]));
        if (one.kind == Kind::primary || (one.kind == Kind::index && !of_ref)) continue;
        out.push_back({one.is_index ? "index" : "constraint", name_, one.name});
    }
    return out;
}

}  // namespace

std::string adopt_table(const std::string& contract, const Edit& edit, Surroundings& around) {
    const std::string name = edit.name("table");
    auto owner = edit.optional_text("owner");
    if (!contract::is_identifier(name))
        throw Refused("table",
                      "Takes the name of a table in schema public that an entity can "
                      "have: [a-z][a-z0-9_]*, at most 48 bytes.");
    if (find_item(contract, kEntities, name))
        throw Refused("table", "The entity \"" + name + "\" is there already.");
    const HandMade table = around.table ? around.table(name) : HandMade{};
    if (!table.there) throw Refused("table", "The dev database has no table \"" + name + "\".");
    if (table.managed)
        throw Refused("table", "The table \"" + name + "\" is a contract's already.");
    if (!table.trouble.empty())
        throw Refused("table", "The table \"" + name + "\" cannot be adopted. " + table.trouble);
    Adoption adoption(contract, name, table, std::move(owner));
    std::string adopted = with_new_item(contract, kEntities, adoption.entity());
    for (auto& one : adoption.replaced()) around.replaced.push_back(std::move(one));
    return adopted;
}

}  // namespace svc::devapi::patch
