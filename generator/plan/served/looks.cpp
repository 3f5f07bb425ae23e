// Finds the other rows that a read policy reads. Feeds need it: a row may become visible or hidden
// because another row changed.
#include <map>
#include <set>

#include "plan/access.hpp"
#include "plan/names.hpp"
#include "plan/served/served.hpp"

namespace svc::plan {
namespace {

using model::Entity;
using model::Expr;
using model::Model;
using model::Step;

class Looks {
  public:
    explicit Looks(const Model& model) : model_(model) {}

    // Adds the rows that its own conditions read, and those of the entity that decides for it;
    // `deep`: also the row of that entity.
    void policy(const Entity& entity, bool deep) {
        if (!policies_.insert(entity.name).second) return;
        for (const model::Grant& grant : denied(entity.access, Operation::read)) condition(grant);
        if (!entity.access.same_as) {
            for (const model::Grant& grant : grants(entity, Operation::read)) condition(grant);
            return;
        }
        const std::size_t above = entity.fields[*entity.access.same_as].ref_entity;
        if (deep) found_[above];
        policy(model_.entities[above], deep);
    }
    // By entity: true if created rows matter too, not only changed ones.
    const std::map<std::size_t, bool>& found() const { return found_; }

  private:
    void condition(const model::Grant& grant) {
        if (grant.condition) expression(*grant.condition);
    }

    void expression(const Expr& expr) {
        const bool asks = expr.kind == model::ExprKind::call && expr.text == "can";
        for (const model::ExprPtr& arg : expr.args) {
            expression(*arg);
            if (asks) asked(*arg);
        }
        for (const Step& step : expr.steps) {
            if (step.kind == Step::Kind::ref) found_[step.target];
            if (step.kind == Step::Kind::many) found_[step.target] = true;
        }
    }

    // can(read, order_id): the policy of the row that it names.
    void asked(const Expr& path) {
        for (const Step& step : path.steps) {
            if (step.kind != Step::Kind::field) {
                policy(model_.entities[step.target], true);
            } else if (step.builtin.empty() && is_ref(step)) {
                const std::size_t named =
                    model_.entities[step.entity].fields[step.field].ref_entity;
                found_[named];
                policy(model_.entities[named], true);
            }
        }
    }

    bool is_ref(const Step& step) const {
        return model_.entities[step.entity].fields[step.field].type == model::FieldType::ref;
    }

    const Model& model_;
    std::set<std::string> policies_;
    std::map<std::size_t, bool> found_;
};

}  // namespace

std::vector<ServedLook> serve_looks(const Model& model, const Entity& entity) {
    std::vector<ServedLook> out;
    if (entity.access.same_as) {
        const std::size_t field = *entity.access.same_as;
        const std::size_t column = 1 + (entity.owner.user ? 1 : 0) + (entity.owner.org ? 1 : 0);
        const Entity& above = model.entities[entity.fields[field].ref_entity];
        out.push_back({cpp_identifier(above.name), column + field, false});
    }
    Looks looks(model);
    looks.policy(entity, false);
    for (const auto& [other, made] : looks.found())
        out.push_back({cpp_identifier(model.entities[other].name), std::nullopt, made});
    return out;
}

}  // namespace svc::plan
