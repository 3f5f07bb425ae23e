#include "plan/write/field_triggers.hpp"

#include <algorithm>

#include "base/sql_state.hpp"
#include "plan/access.hpp"
#include "plan/names.hpp"
#include "plan/principals.hpp"
#include "plan/sql/expr.hpp"
#include "plan/table/tables.hpp"
#include "plan/write/trigger_sql.hpp"

namespace svc::plan {
namespace {

using model::Entity;
using model::Field;
using model::Grant;
using model::Model;

class Fields {
  public:
    Fields(const Model& model, const Entity& entity)
        : model_(model),
          entity_(entity),
          grants_(grants(entity, Operation::update)),
          denials_(denied_fields(entity.access)) {}

    std::string inserted() const;
    // True if a new row holds what not everybody may send.
    std::string sent() const;
    std::string updated() const;
    Rights rights() const;

  private:
    std::string refused(std::size_t field) const;
    std::string allowed(std::size_t field) const;
    std::string denied(std::size_t field) const;
    bool is_limited() const;
    std::string filled(const Field& field) const;
    // The guard and PostgreSQL protect these fields already, so they need no list.
    static bool is_made(const Field& field) { return field.computed || field.lifecycle; }
    static bool is_listed(const Field& field) {
        return field.write && !is_made(field) && field.type != model::FieldType::sequence;
    }

    const Model& model_;
    const Entity& entity_;
    const std::vector<Grant> grants_, denials_;
};

bool names(const Grant& grant, std::size_t field) {
    return std::find(grant.fields.begin(), grant.fields.end(), field) != grant.fields.end();
}

std::string writers(const Field& field) {
    std::vector<model::Principal> all;
    for (const std::string& persona : *field.write) {
        all.push_back({model::Principal::Kind::persona, persona});
    }
    all.push_back({model::Principal::Kind::server, ""});
    return acts_as(all);
}

void add(std::string& all, const char* between, const std::string& one) {
    if (!one.empty()) all += (all.empty() ? "" : between) + one;
}

bool Fields::is_limited() const {
    return std::any_of(grants_.begin(), grants_.end(),
                       [](const Grant& grant) { return !grant.fields.empty(); });
}

// The grants that fit the row and leave the field free.
std::string Fields::allowed(std::size_t field) const {
    const Scope before{model_, "old.", "old."};
    const Scope after{model_, "new.", "new."};
    std::string out;
    for (const Grant& grant : grants_) {
        if (!grant.fields.empty() && !names(grant, field)) continue;
        std::string who = acts_as({grant.to});
        if (who.empty()) who = "true";
        if (grant.condition) {
            who += " and " + sql_true(*grant.condition, before) + " and " +
                   sql_true(*grant.condition, after);
        }
        add(out, " or ", "(" + who + ")");
    }
    return out.empty() ? "false" : out;
}

// As in policies, a denial holds if it matches the row before or after the change.
std::string Fields::denied(std::size_t field) const {
    const Scope before{model_, "old.", "old."};
    const Scope after{model_, "new.", "new."};
    std::string out;
    for (const Grant& denial : denials_) {
        if (!names(denial, field)) continue;
        std::string who = acts_as({denial.to});
        if (who.empty()) who = "true";
        if (denial.condition) {
            who += " and (" + sql_true(*denial.condition, before) + " or " +
                   sql_true(*denial.condition, after) + ")";
        }
        add(out, " or ", "(" + who + ")");
    }
    return out;
}

std::string Fields::refused(std::size_t field) const {
    const Field& at = entity_.fields[field];
    if (at.type == model::FieldType::sequence) return "true";
    std::string out;
    if (at.write) out = "not " + writers(at);
    if (is_limited()) add(out, " or ", "(" + allowed(field) + ") is not true");
    add(out, " or ", denied(field));
    return out;
}

std::string Fields::updated() const {
    std::string body;
    for (std::size_t i = 0; i < entity_.fields.size(); ++i) {
        const Field& field = entity_.fields[i];
        const std::string when = is_made(field) || field.immutable ? "" : refused(i);
        if (when.empty()) continue;
        const std::string name = ident(field.name);
        body += "    if new." + name + " is distinct from old." + name +
                (when == "true" ? "" : "\n            and (" + when + ")") + " then\n        " +
                raise(base::sqlstate::kFieldForbidden,
                      literal("You may not change " + field.name + "."), field.name) +
                "    end if;\n";
    }
    return body;
}

std::string Fields::filled(const Field& field) const {
    const std::string value = default_sql(model_, entity_, field);
    const std::string name = "new." + ident(field.name);
    return value.empty() ? name + " is not null" : name + " is distinct from " + value;
}

std::string Fields::inserted() const {
    std::string body;
    for (const Field& field : entity_.fields) {
        if (!is_listed(field)) continue;
        body += "        if " + filled(field) + "\n                and not " + writers(field) +
                " then\n            " +
                raise(base::sqlstate::kFieldForbidden,
                      literal("You may not set " + field.name + "."), field.name) +
                "        end if;\n";
    }
    return body;
}

std::string Fields::sent() const {
    std::string out;
    for (const Field& field : entity_.fields) {
        if (is_listed(field)) add(out, " or ", filled(field));
    }
    return out;
}

Rights Fields::rights() const {
    const auto looks = [](const Grant& grant) {
        return grant.condition && walks(*grant.condition);
    };
    const bool other_rows = (is_limited() && std::any_of(grants_.begin(), grants_.end(), looks)) ||
                            std::any_of(denials_.begin(), denials_.end(), looks);
    return other_rows ? Rights::owner : Rights::writer;
}

}  // namespace

FieldGuards field_guards(const Model& model, const Entity& entity) {
    const Fields fields(model, entity);
    return {fields.inserted(), fields.updated()};
}

std::vector<Routine> plan_fields(const Model& model, const Entity& entity) {
    const Fields fields(model, entity);
    const std::string inserted = fields.inserted();
    const std::string updated = fields.updated();
    if (inserted.empty() && updated.empty()) return {};
    std::string body;
    if (!inserted.empty()) {
        body = "    if tg_op = 'INSERT' then\n" + inserted + "        return new;\n    end if;\n";
    }
    body += updated + "    return new;\n";
    // Their names sort after the guard's and before those of rules, and PostgreSQL runs them in
    // that order.
    std::vector<Routine> out = {trigger_function(entity, "guard_fields", body, fields.rights())};
    const std::string call = ident(out[0].name) + "()";
    if (!updated.empty()) {
        out.push_back(trigger(entity, "guard_fields", "update", by_caller(entity), call));
    }
    if (!inserted.empty()) {
        out.push_back(trigger(entity, "guard_sent", "insert",
                              "(" + fields.sent() + ") and " + by_caller(entity), call));
    }
    return out;
}

}  // namespace svc::plan
