// Paths of functions and workflows: input, steps, actor, payload, the elements of for, new and old.
#include <algorithm>
#include <utility>

#include "model/expr/flow_type.hpp"
#include "model/expr/typer.hpp"
#include "model/names.hpp"

namespace svc::model {
namespace {

using Shape = FlowType::Kind;

std::vector<std::string> names_of(const std::vector<FlowMember>& members) {
    std::vector<std::string> out;
    out.reserve(members.size());
    for (const FlowMember& member : members) out.push_back(member.name);
    return out;
}

const FlowType* find(const std::vector<FlowMember>& members, const std::string& name) {
    for (const FlowMember& member : members) {
        if (member.name == name) return &member.type;
    }
    return nullptr;
}

std::shared_ptr<Expr> path_from(Root root, std::string text) {
    auto expr = std::make_shared<Expr>();
    expr->kind = ExprKind::path;
    expr->root = root;
    expr->text = std::move(text);
    return expr;
}

}  // namespace

ExprPtr Typer::flow_path(const Syntax& node) {
    const FlowScope& flow = *scope_.flow;
    const std::string& first = node.names.front();
    if (const FlowType* local = find(flow.locals, first)) {
        return walked(node, 1, *local, path_from(Root::local, first));
    }
    if (first == "actor") return actor_path(node);
    if (first == "input") return input_path(node);
    if (first == "steps") return steps_path(node);
    const bool is_new = first == "new";
    if ((is_new && scope_.has_new) || (first == "old" && scope_.has_old)) {
        return walked(node, 1, row_of(scope_.entity),
                      path_from(is_new ? Root::new_ : Root::old_, ""));
    }
    return unknown_root(node);
}

ExprPtr Typer::unknown_root(const Syntax& node) {
    const std::string& first = node.names.front();
    if (findings_.doubts(first)) return nullptr;
    if (first == "new" || first == "old") {
        return fail(node, "ROW_NOT_HERE", "there is no \"" + first + "\" row here.",
                    scope_.has_new   ? "a row that is created has no old values"
                    : scope_.has_old ? "a row that is deleted has no new values"
                                     : "only events of rows have \"new\" and \"old\"");
    }
    if (first == "user") {
        return fail(node, "UNKNOWN_NAME", "\"user\" has no meaning in steps.",
                    "write actor for the user who started the run");
    }
    std::vector<std::string> known{"input", "steps", "actor"};
    if (scope_.has_new) known.emplace_back("new");
    if (scope_.has_old) known.emplace_back("old");
    for (const FlowMember& local : scope_.flow->locals) known.push_back(local.name);
    const bool field = (scope_.has_new || scope_.has_old) &&
                       find_field(scope_.model.entities[scope_.entity], first).has_value();
    return fail(
        node, "UNKNOWN_NAME", "unknown name \"" + first + "\".",
        field ? std::string("write ") + (scope_.has_new ? "new." : "old.") + first
              : did_you_mean(first, known, "a value begins with one of " + model::joined(known)));
}

ExprPtr Typer::actor_path(const Syntax& node) {
    if (scope_.flow->actor && node.names.size() > 1) return user_path(node);
    if (scope_.flow->actor) {
        return fail(node, "BAD_OPERAND", "\"actor\" alone is not a value.",
                    "name an attribute: actor.id");
    }
    return fail(node, "NO_ACTOR", "there is no actor here: no user starts this run.",
                "use the id of a user from another value");
}

ExprPtr Typer::input_path(const Syntax& node) {
    if (scope_.flow->used != nullptr) {
        scope_.flow->used->push_back(node.names.size() > 1 ? node.names[1] : "");
    }
    return walked(node, 1, scope_.flow->input, path_from(Root::input, ""));
}

ExprPtr Typer::steps_path(const Syntax& node) {
    const FlowScope& flow = *scope_.flow;
    if (node.names.size() == 1) {
        return fail(node, "BAD_OPERAND", "\"steps\" alone is not a value.",
                    "name a step: steps.<id>");
    }
    const std::string& id = node.names[1];
    if (const FlowType* step = find(flow.steps, id)) {
        return walked(node, 2, *step, path_from(Root::step, id));
    }
    if (findings_.doubts(id)) return nullptr;
    if (contains(flow.silent, id)) {
        return fail(node, "UNKNOWN_STEP", "the step \"" + id + "\" has no result.",
                    "name a step that has a result");
    }
    if (contains(flow.all, id)) {
        return fail(node, "UNKNOWN_STEP", "the step \"" + id + "\" may not have run at this point.",
                    "name an earlier step that is not in another branch");
    }
    const std::vector<std::string> known = names_of(flow.steps);
    return fail(node, "UNKNOWN_STEP", "there is no step \"" + id + "\" before this one.",
                did_you_mean(id, known,
                             known.empty() ? "name the id of an earlier step that has a result"
                                           : "the steps are " + model::joined(known)));
}

// Continues from `at` over the remaining names.
ExprPtr Typer::walked(const Syntax& node, std::size_t begin, const FlowType& from,
                      std::shared_ptr<Expr> out) {
    FlowPlace at{&from, {}};
    for (std::size_t i = begin; i < node.names.size(); ++i) {
        if (!flow_step(node, node.names[i], i + 1 == node.names.size(), *out, at)) return nullptr;
    }
    if (too_far(node, *out)) return nullptr;
    out->open = at.type->open();
    if (out->type != ExprType::rows) out->type = at.type->expr_type();
    return out;
}

bool Typer::flow_step(const Syntax& node, const std::string& name, bool last, Expr& out,
                      FlowPlace& at) {
    switch (at.type->kind) {
        case Shape::row:
            return row_step(node, name, last, out, at);
        case Shape::object:
            return member_step(node, name, out, at);
        case Shape::list:
            fail(node, "BAD_PATH", "\"" + name + "\" comes after a list.",
                 "repeat the step over the list with for, and use the element");
            return false;
        case Shape::scalar:
            break;
    }
    if (!at.type->open()) {
        fail(node, "BAD_PATH",
             "the path cannot go on to \"" + name + "\": the value before it is " +
                 in_words(at.type->type) + ".");
        return false;
    }
    out.steps.push_back({Step::Kind::member, 0, 0, 0, name});
    return true;
}

bool Typer::row_step(const Syntax& node, const std::string& name, bool last, Expr& out,
                     FlowPlace& at) {
    const std::optional<std::size_t> field =
        find_field(scope_.model.entities[at.type->entity], name);
    const bool json = !last && field &&
                      scope_.model.entities[at.type->entity].fields[*field].type == FieldType::json;
    std::size_t entity = at.type->entity;
    out.type = ExprType::json;
    if (!step(node, name, last || json, out, entity)) return false;
    at.made = last || json ? scalar(out.type) : row_of(entity);
    at.type = &at.made;
    return true;
}

bool Typer::member_step(const Syntax& node, const std::string& name, Expr& out, FlowPlace& at) {
    const FlowType* member = at.type->find(name);
    if (member == nullptr) {
        if (findings_.doubts(name)) return false;
        const bool input = out.root == Root::input && out.steps.empty();
        const std::vector<std::string> known = names_of(at.type->members);
        fail(node, input ? "UNKNOWN_PARAM" : "UNKNOWN_FIELD",
             input ? "the parameter \"" + name + "\" is not declared."
                   : "the value has no \"" + name + "\".",
             did_you_mean(name, known,
                          !known.empty() ? "the names are " + model::joined(known)
                          : !input       ? ""
                          : scope_.has_new || scope_.has_old
                              ? "write new or old for the row that starts it"
                              : "declare it in \"params\""));
        return false;
    }
    out.steps.push_back({Step::Kind::member, 0, 0, 0, name});
    at.type = member;
    return true;
}

}  // namespace svc::model
