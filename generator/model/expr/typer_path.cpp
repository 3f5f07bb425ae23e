#include <algorithm>
#include <utility>

#include "model/expr/other_languages.hpp"
#include "model/expr/typer.hpp"
#include "model/names.hpp"

namespace svc::model {
namespace {

constexpr std::size_t kMaxWalks = 3;

constexpr const auto& kAttributes = base::Words<CallerAttribute>::kAll;

ExprType builtin_type(const std::string& name) {
    return name == "created_at" || name == "updated_at" ? ExprType::timestamp : ExprType::uuid;
}

std::size_t walks(const Expr& path) {
    return static_cast<std::size_t>(
        std::count_if(path.steps.begin(), path.steps.end(), [](const Step& step) {
            return step.kind == Step::Kind::ref || step.kind == Step::Kind::many;
        }));
}

const Relation* find_relation(const Entity& entity, const std::string& name) {
    for (const Relation& relation : entity.relations) {
        if (relation.name == name) return &relation;
    }
    return nullptr;
}

}  // namespace

ExprPtr Typer::path(const Syntax& node) {
    if (scope_.flow != nullptr) return flow_path(node);
    if (scope_.parts != nullptr) return part_path(node);
    const std::string& first = node.names.front();
    const bool known_root = first == "user" || first == "new" || first == "old";
    if (known_root && node.names.size() == 1) {
        return fail(node, "BAD_OPERAND", "\"" + first + "\" alone is not a value.",
                    "name a field: " + first + ".id");
    }
    if (first == "user") return user_path(node);
    if (first == "new" && scope_.has_new) return row_path(node, Root::new_, 1);
    if (first == "old" && scope_.has_old) return row_path(node, Root::old_, 1);
    if (known_root) return root_not_here(node);
    if (!scope_.row) return bare_name(node);
    return row_path(node, Root::row, 0);
}

ExprPtr Typer::root_not_here(const Syntax& node) {
    const std::string& root = node.names.front();
    if (scope_.row) {
        return fail(node, "ROW_NOT_HERE",
                    "\"" + root + ".\" has no meaning here: the expression looks at one row.",
                    "remove \"" + root + ".\"");
    }
    return fail(node, "ROW_NOT_HERE",
                root == "old" ? "a row that is created has no old values."
                              : "a row that is deleted has no new values.",
                "write a separate rule for the other events");
}

ExprPtr Typer::bare_name(const Syntax& node) {
    std::size_t entity = scope_.entity;
    Expr probe;
    const std::string& name = node.names.front();
    if (!step(node, name, node.names.size() == 1, probe, entity)) return nullptr;
    return fail(node, "BARE_NAME",
                "in a rule, \"" + name + "\" is ambiguous: it could be the old or the new value.",
                scope_.has_new && scope_.has_old ? "write new." + name + " or old." + name
                : scope_.has_new                 ? "write new." + name
                                                 : "write old." + name);
}

// In the condition of a topic: the caller, or a part of the topic's name.
ExprPtr Typer::part_path(const Syntax& node) {
    const std::string& first = node.names.front();
    if (first == "user" && node.names.size() > 1) return user_path(node);
    if (first == "user") {
        return fail(node, "BAD_OPERAND", "\"user\" alone is not a value.",
                    "name an attribute: user.id");
    }
    if (!contains(*scope_.parts, first)) {
        std::vector<std::string> known = *scope_.parts;
        for (const std::string_view attribute : kAttributes) {
            known.push_back("user." + std::string(attribute));
        }
        return fail(node, "UNKNOWN_NAME", "the name of this topic has no {" + first + "}.",
                    did_you_mean(first, known, "the parts are " + model::joined(known)));
    }
    if (node.names.size() > 1) {
        return fail(node, "BAD_PATH", "{" + first + "} is a string, so the path cannot go on.",
                    "compare it with an attribute of the caller: " + first + " == user.id");
    }
    auto expr = std::make_shared<Expr>();
    expr->kind = ExprKind::path;
    expr->type = ExprType::text;
    expr->root = Root::part;
    expr->text = first;
    return expr;
}

ExprPtr Typer::user_path(const Syntax& node) {
    if (scope_.computed) {
        return fail(node, "BAD_OPERAND", "a computed field is the same for every caller.",
                    "use only fields of the row");
    }
    const auto attribute = base::read_word<CallerAttribute>(node.names[1]);
    if (attribute && node.names.size() == 2) return caller_value(*attribute);
    const std::string root = scope_.flow != nullptr ? "actor." : "user.";
    const std::string near = diag::nearest(node.names[1], {kAttributes.begin(), kAttributes.end()});
    return fail(node, "UNKNOWN_FIELD", "the caller has no \"" + node.names[1] + "\".",
                near.empty() || node.names.size() > 2
                    ? "use id, persona, org, isAdmin or email: " + root + "id"
                    : "did you mean " + root + near + "?");
}

ExprPtr Typer::row_path(const Syntax& node, Root root, std::size_t begin) {
    auto expr = std::make_shared<Expr>();
    expr->kind = ExprKind::path;
    expr->root = root;
    std::size_t entity = scope_.entity;
    for (std::size_t i = begin; i < node.names.size(); ++i) {
        if (!step(node, node.names[i], i + 1 == node.names.size(), *expr, entity)) return nullptr;
    }
    if (too_far(node, *expr)) return nullptr;
    if (scope_.computed && walks(*expr) > 0) {
        return fail(node, "BAD_OPERAND", "a computed field cannot look at other rows.",
                    "use only fields of the row");
    }
    return expr;
}

bool Typer::too_far(const Syntax& node, const Expr& path) {
    if (walks(path) <= kMaxWalks) return false;
    fail(node, "PATH_TOO_LONG", "a path leads through at most three other rows.",
         "store the value in a row that is fewer refs away");
    return true;
}

bool Typer::step(const Syntax& node, const std::string& name, bool last, Expr& out,
                 std::size_t& entity) {
    if (last ? last_step(name, out, entity) : walk(name, out, entity)) return true;
    return unknown(node, name, last, entity);
}

// Over a relation, or a ref by its own name or by its name without _id.
bool Typer::walk(const std::string& name, Expr& out, std::size_t& entity) const {
    const Entity& at = scope_.model.entities[entity];
    if (const Relation* relation = find_relation(at, name)) {
        out.steps.push_back({Step::Kind::many, entity, relation->field, relation->entity, ""});
        entity = relation->entity;
        return true;
    }
    for (const std::string& candidate : {name, name + "_id"}) {
        const std::optional<std::size_t> field = find_field(at, candidate);
        if (!field || at.fields[*field].type != FieldType::ref || at.fields[*field].broken) {
            continue;
        }
        out.steps.push_back({Step::Kind::ref, entity, *field, at.fields[*field].ref_entity, ""});
        entity = at.fields[*field].ref_entity;
        return true;
    }
    return false;
}

bool Typer::last_step(const std::string& name, Expr& out, std::size_t entity) const {
    const Entity& at = scope_.model.entities[entity];
    if (const Relation* relation = find_relation(at, name)) {
        out.steps.push_back({Step::Kind::many, entity, relation->field, relation->entity, ""});
        out.type = ExprType::rows;
        return true;
    }
    if (const std::optional<std::size_t> field = find_field(at, name)) {
        out.steps.push_back({Step::Kind::field, entity, *field, 0, ""});
        out.type = expr_type(at.fields[*field].type);
        return true;
    }
    const std::vector<std::string> builtins = builtin_columns(at);
    if (std::find(builtins.begin(), builtins.end(), name) == builtins.end()) return false;
    out.steps.push_back({Step::Kind::field, entity, 0, 0, name});
    out.type = builtin_type(name);
    return true;
}

bool Typer::unknown(const Syntax& node, const std::string& name, bool last, std::size_t entity) {
    if (findings_.doubts(name)) return false;
    const Entity& at = scope_.model.entities[entity];
    if (!last && find_field(at, name)) {
        fail(node, "BAD_PATH",
             "\"" + name + "\" of " + at.name + " is not a ref field, so the path cannot go on.",
             node.names.back() == "length" ? "use size(…) for the length of a string"
                                           : "end the path there, or name a ref field");
        return false;
    }
    if (last && find_field(at, name + "_id")) {
        fail(node, "UNKNOWN_FIELD", at.name + " has no field \"" + name + "\".",
             "write " + name + "_id for the reference itself, or " + name +
                 ".<field> for a field of the other row");
        return false;
    }
    std::vector<std::string> candidates = last ? builtin_columns(at) : std::vector<std::string>{};
    for (const Relation& relation : at.relations) candidates.push_back(relation.name);
    for (const Field& field : at.fields) {
        if (last) candidates.push_back(field.name);
        if (!last && field.type == FieldType::ref) candidates.push_back(without_id(field.name));
    }
    const std::string known = name == node.names.front() ? instead_of_name(name) : std::string();
    const std::string near = diag::nearest(name, candidates);
    fail(node, "UNKNOWN_FIELD",
         at.name + (last ? " has no field \"" : " has no ref or relation \"") + name + "\".",
         !known.empty() ? known
         : near.empty() ? (candidates.empty() ? "" : "it has " + model::joined(candidates))
                        : "did you mean " + near + "?");
    return false;
}

}  // namespace svc::model
