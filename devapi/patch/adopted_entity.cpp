// An unmanaged table as an entity: its key, owner and constraints, around its fields.
#include <algorithm>
#include <array>

#include "patch/adoption.hpp"
#include "patch/edit.hpp"

namespace svc::devapi::patch {

using Kind = UnmanagedConstraint::Kind;

void Adoption::refuse(const std::string& sentence) const {
    throw EditError("table", "The table \"" + name_ + "\" cannot be adopted. " + sentence);
}

void Adoption::refuse_column(const std::string& column, const std::string& reason) const {
    refuse("Its column \"" + column + "\" " + reason + ".");
}

const UnmanagedColumn* Adoption::column(std::string_view name) const {
    const auto found = std::find_if(table_.columns.begin(), table_.columns.end(),
                                    [&](const UnmanagedColumn& one) { return one.name == name; });
    return found == table_.columns.end() ? nullptr : &*found;
}

// The one on this column alone.
const UnmanagedConstraint* Adoption::on(const std::string& column, Kind kind) const {
    for (const UnmanagedConstraint& one : table_.constraints)
        if (one.kind == kind && one.columns.size() == 1 && one.columns[0] == column) return &one;
    return nullptr;
}

void Adoption::need_key() const {
    const UnmanagedColumn* id = column("id");
    if (!id || id->type != "uuid" || !on("id", Kind::primary))
        refuse("Its primary key must be id, a uuid.");
    if (foreign("id")) refuse_column("id", "refers to another table");
}

void Adoption::need_type(std::string_view name, const char* type, const char* who) const {
    const UnmanagedColumn* found = column(name);
    if (!found) return;
    const std::string column(name);
    if (found->type != type)
        refuse_column(column, "is " + found->type + ", and " + who + ", which is " + type);
    if (foreign(column) || on(column, Kind::unique) || on(column, Kind::check))
        refuse_column(column, std::string("has a constraint, and ") + who);
}

// The default owner follows from the columns that owners are stamped into.
std::string Adoption::owner() {
    const bool user = column("user_id") != nullptr, org = column("org_id") != nullptr;
    if (!owner_) owner_ = user && org ? "user+org" : user ? "user" : org ? "org" : "none";
    owned_ = {*owner_ == "user" || *owner_ == "user+org",
              *owner_ == "org" || *owner_ == "user+org"};
    const std::string kept =
        "exists, but a contract reserves that name for the owner. Adopt the table with a matching "
        "owner";
    if (user && !owned_.user) refuse_column("user_id", "is there" + kept);
    if (org && !owned_.org) refuse_column("org_id", "is there" + kept);
    need_type("user_id", "uuid", "a contract uses this column for the owner");
    need_type("org_id", "uuid", "a contract uses this column for the owner");
    for (const char* time : {"created_at", "updated_at"})
        need_type(time, "timestamp with time zone", "a contract keeps its own time there");
    return *owner_;
}

bool Adoption::made(const std::string& column) {
    constexpr std::array kMade = {"id", "created_at", "updated_at", "user_id", "org_id"};
    return std::find(kMade.begin(), kMade.end(), column) != kMade.end();
}

// Unique keys over several columns.
std::string Adoption::unique_lists() const {
    std::string out;
    for (const UnmanagedConstraint& one : table_.constraints) {
        if (one.kind != Kind::unique || one.columns.size() < 2 || !one.plain) continue;
        std::string columns;
        for (const std::string& column : one.columns) {
            if (made(column))
                refuse("Its unique constraint \"" + one.name + "\" takes in " + column +
                       ", which is not a field.");
            columns += (columns.empty() ? "" : ", ") + json_text(column);
        }
        out += (out.empty() ? "[" : ", [") + columns + "]";
    }
    return out;
}

// Refuses what no field expresses.
void Adoption::need_no_others() const {
    for (const UnmanagedConstraint& one : table_.constraints) {
        const bool unsaid = one.kind == Kind::other ||
                            (one.kind == Kind::unique && (!one.plain || one.columns.empty())) ||
                            ((one.kind == Kind::check || one.kind == Kind::foreign) &&
                             (one.columns.size() != 1 || made(one.columns[0])));
        if (unsaid)
            refuse(
                "Its constraint \"" + one.name + "\" cannot be written in a contract: " + one.sql +
                (one.columns.size() > 1 && one.kind == Kind::check ? " (write it as a rule instead)"
                                                                   : "") +
                ".");
    }
}

std::string Adoption::entity() {
    need_key();
    const std::string owned_by = owner();
    need_no_others();
    std::string fields;
    for (const UnmanagedColumn& column : table_.columns)
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
    for (const UnmanagedConstraint& one : table_.constraints) {
        const bool of_owner = one.columns.size() == 1 && made(one.columns[0]);
        const bool of_ref =
            one.columns.size() == 1 && one.plain && (of_owner || foreign(one.columns[0]));
        if (one.kind == Kind::primary || (one.kind == Kind::index && !of_ref)) continue;
        const auto kind =
            one.is_index ? migrate::ObjectKind::index : migrate::ObjectKind::constraint;
        out.push_back({kind, name_, one.name});
    }
    return out;
}

}  // namespace svc::devapi::patch
