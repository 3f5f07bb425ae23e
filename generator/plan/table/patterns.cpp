#include "plan/table/patterns.hpp"

#include <string>

#include "model/expr/typer.hpp"

namespace svc::plan {
namespace {

using model::ExprPtr;

Pattern pattern_of(const model::Field& field) {
    Pattern out{*field.pattern, field.path + "/pattern"};
    if (field.default_value.kind == model::Default::Kind::literal) {
        out.values.push_back({field.default_value.text, field.path + "/default", "BAD_DEFAULT",
                              "The default of \"" + field.name + "\""});
    }
    return out;
}

class Collected {
  public:
    void add(const ExprPtr& expr, const std::string& path) {
        if (!expr) return;
        if (model::is_call(*expr, model::ExprFunction::matches)) {
            out.push_back({expr->args[1]->text, path});
        }
        for (const ExprPtr& arg : expr->args) add(arg, path);
    }

    void add(const std::vector<model::Grant>& grants) {
        for (const model::Grant& grant : grants) add(grant.condition, grant.path);
    }

    template <class Lists>  // Access, Access::Deny
    void add_lists(const Lists& lists) {
        for (const auto* grants : {&lists.read, &lists.create, &lists.update, &lists.remove}) {
            add(*grants);
        }
    }

    void add(const model::Lifecycle& lifecycle) {
        for (const model::Transition& transition : lifecycle.transitions) {
            add(transition.condition, transition.path);
            for (const auto& [field, value] : transition.set) add(value, transition.path);
        }
    }

    void add(const model::Entity& entity) {
        for (const model::Field& field : entity.fields) {
            if (field.pattern) out.push_back(pattern_of(field));
            add(field.computed, field.path + "/computed");
        }
        add_lists(entity.access);
        add_lists(entity.access.deny);
        for (const model::Rule& rule : entity.rules) {
            add(rule.refuse, rule.path + "/refuse");
            for (const model::MessagePart& part : rule.message) {
                add(part.expr, rule.path + "/message");
            }
        }
        if (entity.lifecycle) add(*entity.lifecycle);
    }

    std::vector<Pattern> out;
};

void add_seed(const model::Field& field, const model::SeedValue& value, const std::string& row,
              std::vector<Pattern>& out) {
    if (!field.pattern || value.null) return;
    for (Pattern& pattern : out) {
        if (pattern.path != field.path + "/pattern") continue;
        pattern.values.push_back(
            {value.text, row + "/" + field.name, "BAD_SEED", "\"" + field.name + "\""});
    }
}

}  // namespace

std::vector<Pattern> plan_patterns(const model::Model& model) {
    Collected collected;
    for (const model::Entity& entity : model.entities) collected.add(entity);
    for (const auto& [entity, rows] : model.seeds.rows) {
        for (const model::SeedRow& row : rows) {
            for (const model::SeedValue& value : row.values) {
                add_seed(model.entities[entity].fields[value.field], value, row.path,
                         collected.out);
            }
        }
    }
    return std::move(collected.out);
}

}  // namespace svc::plan
