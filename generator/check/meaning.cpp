#include "check/meaning.hpp"

#include "model/expr/typer.hpp"

namespace svc::check {
namespace {

using model::Entity;
using model::Expr;
using model::Model;
using model::Step;
using plan::Operation;

class MeaningReader {
  public:
    MeaningReader(const Model& model, const KnownCaller& known, Meaning& out)
        : model_(model), known_(known), out_(out) {}

    void reached(const Entity& entity, Operation operation) {
        add(plan::grants(entity, operation));
        add(plan::denied(entity.access, operation));
        if (operation == Operation::update) add(plan::denied_fields(entity.access));
        const bool writes = operation == Operation::update || operation == Operation::remove;
        if (writes) reached(entity, Operation::read);
        if (!entity.access.same_as) return;
        const model::Field& link = entity.fields[*entity.access.same_as];
        const Entity& above = model_.entities[link.ref_entity];
        out_[entity.name + "." + link.name] = "a row of " + above.name;
        reached(above, operation == Operation::read ? Operation::read : Operation::update);
    }

  private:
    void add(const std::vector<model::Grant>& grants) {
        for (const model::Grant& grant : grants) {
            if ((plan::bits(model_, grant.to) & known_.bits) == 0) continue;
            add_meaning(model_, grant.condition, out_);
        }
    }

    const Model& model_;
    const KnownCaller& known_;
    Meaning& out_;
};

void add_many(const Model& model, const Step& step, Meaning& out) {
    const Entity& entity = model.entities[step.entity];
    const Entity& target = model.entities[step.target];
    for (const model::Relation& relation : entity.relations) {
        if (relation.entity != step.target || relation.field != step.field) continue;
        out[entity.name + "." + relation.name] =
            "the rows of " + target.name + " by " + target.fields[step.field].name;
    }
}

void add_step(const Model& model, const Step& step, bool last, Meaning& out) {
    if (!step.builtin.empty() || step.kind == Step::Kind::member) return;
    if (step.kind == Step::Kind::many) return add_many(model, step, out);
    const Entity& entity = model.entities[step.entity];
    const model::Field& field = entity.fields[step.field];
    const std::string name = entity.name + "." + field.name;
    if (step.kind == Step::Kind::ref && !last) {
        out[name] = "a row of " + model.entities[step.target].name;
    } else if (field.computed && out.emplace(name, "").second) {
        out[name] = expression_text(model, *field.computed);
        add_meaning(model, field.computed, out);
    }
}

}  // namespace

void add_meaning(const Model& model, const model::ExprPtr& expr, Meaning& out) {
    if (!expr) return;
    using enum model::ExprFunction;
    const bool day = model::is_call(*expr, today) || model::is_call(*expr, date) ||
                     model::is_call(*expr, moment);
    if (day) out["today()"] = "the day in " + model.app.timezone;
    for (std::size_t i = 0; i < expr->steps.size(); ++i) {
        add_step(model, expr->steps[i], i + 1 == expr->steps.size(), out);
    }
    for (const model::ExprPtr& arg : expr->args) add_meaning(model, arg, out);
}

Meaning meaning(const Model& model, const Entity& entity, Operation operation,
                const KnownCaller& known) {
    Meaning out;
    MeaningReader(model, known, out).reached(entity, operation);
    return out;
}

}  // namespace svc::check
