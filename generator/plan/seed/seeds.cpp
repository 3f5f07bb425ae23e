#include "plan/seed/seeds.hpp"

#include "base/sha256.hpp"
#include "plan/planner.hpp"
#include "plan/table/tables.hpp"

namespace svc::plan {
namespace {

using model::Model;

SeedRow plan_row(const Model& model, const model::Entity& entity, const model::SeedRow& row) {
    SeedRow out;
    out.entity = entity.name;
    out.key = row.key;
    out.path = row.path;
    for (const model::SeedValue& value : row.values) {
        SeedRow::Value planned;
        planned.null = value.null;
        planned.text = value.text;
        if (value.clock) planned.sql = clock_sql(model, entity.fields[value.field].type);
        planned.ref_key = value.ref_key;
        if (!value.ref_key.empty()) {
            planned.ref_entity = value.ref_user ? "@users" : model.entities[value.ref_entity].name;
        }
        out.columns.push_back(entity.fields[value.field].name);
        out.values.push_back(std::move(planned));
    }
    if (!row.owner_key.empty() && entity.owner.user) {
        SeedRow::Value owner;
        owner.ref_entity = "@users";
        owner.ref_key = row.owner_key;
        out.columns.emplace_back("user_id");
        out.values.push_back(std::move(owner));
    }
    return out;
}

}  // namespace

// Lengths stand before the texts, so that no two different rows give the same bytes.
std::string seed_hash(const SeedRow& row) {
    std::string bytes;
    const auto add = [&](const std::string& text) {
        bytes += std::to_string(text.size()) + ":" + text;
    };
    for (std::size_t i = 0; i < row.columns.size(); ++i) {
        add(row.columns[i]);
        add(row.values[i].null ? "null" : "value");
        add(row.values[i].text);
        add(row.values[i].ref_entity);
        add(row.values[i].ref_key);
    }
    return base::sha256_hex(bytes);
}

void plan_seeds(const Model& model, Plan& plan) {
    plan.seeds_unchanged = model.seeds.unchanged;
    for (const model::SeedUser& user : model.seeds.users) {
        plan.seed_users.push_back({user.key, user.email, user.name, user.persona, user.is_admin});
    }
    for (const auto& [entity, rows] : model.seeds.rows) {
        for (const model::SeedRow& row : rows) {
            plan.seed_rows.push_back(plan_row(model, model.entities[entity], row));
            plan.seed_rows.back().hash = seed_hash(plan.seed_rows.back());
        }
    }
}

}  // namespace svc::plan
