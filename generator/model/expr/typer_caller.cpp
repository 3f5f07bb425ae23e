// Types the attributes of the caller, and the functions about the caller's roles and rights: member
// and can.
#include <algorithm>
#include <memory>

#include "model/expr/typer.hpp"
#include "model/names.hpp"

namespace svc::model {
namespace {

ExprType attribute_type(CallerAttribute attribute) {
    switch (attribute) {
        case CallerAttribute::id:
        case CallerAttribute::org:
            return ExprType::uuid;
        case CallerAttribute::persona:
        case CallerAttribute::email:
            return ExprType::text;
        case CallerAttribute::is_admin:
            return ExprType::boolean;
    }
    return ExprType::text;
}

}  // namespace

ExprPtr caller_value(CallerAttribute attribute) {
    auto expr = std::make_shared<Expr>();
    expr->kind = ExprKind::path;
    expr->type = attribute_type(attribute);
    expr->root = Root::user;
    expr->attribute = attribute;
    return expr;
}

bool Typer::has_caller(const Syntax& node) {
    if (!scope_.computed && !scope_.flow) return true;
    fail(node, "BAD_OPERAND", node.text + " needs a caller, and this expression has none.",
         "use it in access, rules and lifecycles");
    return false;
}

// member(org_id) or member(org_id, 'admin', 'owner'): the caller acts for that organisation, as one
// of these.
ExprPtr Typer::member(ExprFunction function, const Syntax& node) {
    if (!has_caller(node)) return nullptr;
    const std::vector<std::string>& roles = scope_.model.org_roles;
    if (roles.empty()) {
        return fail(node, "ORGS_OFF", "this app has no organisations.",
                    "add \"orgs\": {\"enabled\": true}");
    }
    ExprPtr org = value(node.args[0]);
    if (org) org = as(org, ExprType::uuid, node.args[0]);
    if (!org) return nullptr;
    std::vector<ExprPtr> args = {org};
    for (std::size_t i = 1; i < node.args.size(); ++i) {
        ExprPtr role = value(node.args[i]);
        if (!role) return nullptr;
        if (!is_literal(*role) || !contains(roles, role->text)) {
            return fail(node.args[i], "BAD_OPERAND",
                        "member takes roles of organisations as string literals.",
                        did_you_mean(role->text, roles, "use a role of orgs.roles"));
        }
        args.push_back(std::move(role));
    }
    return made_call(function, ExprType::boolean, std::move(args));
}

// can('update', order_id): the caller may do that with the row that a ref names, and may read it.
ExprPtr Typer::can(ExprFunction function, const Syntax& node) {
    if (!has_caller(node)) return nullptr;
    const ExprPtr what = value(node.args[0]);
    const ExprPtr row = value(node.args[1]);
    if (!what || !row) return nullptr;
    static const std::vector<std::string> kOperations = {"read", "update", "delete"};
    if (!is_literal(*what) || !contains(kOperations, what->text)) {
        return fail(node.args[0], "BAD_OPERAND", "can takes 'read', 'update' or 'delete'.",
                    did_you_mean(what->text, kOperations, "write one of these"));
    }
    if (!referred_entity(scope_.model, *row)) {
        return fail(node.args[1], "BAD_OPERAND", "can needs a ref field that names the row.",
                    "use a field of type ref");
    }
    return made_call(function, ExprType::boolean, {what, row});
}

std::optional<std::size_t> referred_entity(const Model& model, const Expr& path) {
    if (path.kind != ExprKind::path || path.steps.empty()) return std::nullopt;
    const Step& last = path.steps.back();
    if (last.kind != Step::Kind::field || !last.builtin.empty()) return std::nullopt;
    const Field& field = model.entities[last.entity].fields[last.field];
    if (field.type != FieldType::ref || field.broken) return std::nullopt;
    return field.ref_entity;
}

}  // namespace svc::model
