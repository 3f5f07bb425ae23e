#include "plan/access/read_key.hpp"

#include <algorithm>

namespace svc::plan {
namespace {

using model::CallerAttribute;
using model::Expr;
using model::ExprKind;
using model::Root;
using model::Step;
using Keys = std::optional<std::vector<ReadKey>>;

bool is_own_column(const model::Model& model, const Expr& expr) {
    return expr.kind == ExprKind::path && expr.root == Root::row && !expr.open &&
           expr.steps.size() == 1 && expr.steps[0].kind == Step::Kind::field &&
           key_column(model, expr.steps[0]).has_value();
}

// The keys of an equality of these two.
Keys key_of_equality(const model::Model& model, const model::ExprPtr& one,
                     const model::ExprPtr& other) {
    const Expr* column = one.get();
    const Expr* caller = other.get();
    if (is_own_column(model, *caller)) std::swap(column, caller);
    const auto of = key_of_caller(*caller);
    if (!is_own_column(model, *column) || !of) return std::nullopt;
    return std::vector<ReadKey>{{*key_column(model, column->steps[0]), *of}};
}

// The keys of alternatives: each must have keys. `keys_of_one`: the keys of a condition.
template <class KeysOfOne>
Keys keys_of_any(const std::vector<model::ExprPtr>& conditions, const KeysOfOne& keys_of_one) {
    std::vector<ReadKey> out;
    for (const model::ExprPtr& each : conditions) {
        const Keys keys = keys_of_one(each);
        if (!keys) return std::nullopt;
        for (const ReadKey& key : *keys)
            if (std::find(out.begin(), out.end(), key) == out.end()) out.push_back(key);
    }
    return out;
}

// The keys of a test that a value equals one of a list.
Keys keys_of_membership(const model::Model& model, const Expr& expr) {
    if (expr.args[1]->kind != ExprKind::list) return std::nullopt;
    return keys_of_any(expr.args[1]->args, [&](const model::ExprPtr& each) {
        return key_of_equality(model, expr.args[0], each);
    });
}

}  // namespace

std::optional<ReadKey::Of> key_of_caller(const Expr& expr) {
    if (expr.kind != ExprKind::path || expr.root != Root::user) return std::nullopt;
    switch (expr.attribute) {
        case CallerAttribute::id:
            return ReadKey::Of::id;
        case CallerAttribute::org:
            return ReadKey::Of::org;
        case CallerAttribute::email:
            return ReadKey::Of::email;
        case CallerAttribute::persona:
        case CallerAttribute::is_admin:
            return std::nullopt;
    }
    return std::nullopt;
}

std::optional<std::string> key_column(const model::Model& model, const Step& last) {
    using enum model::FieldType;
    if (last.kind == Step::Kind::many) return "id";
    if (last.kind != Step::Kind::field) return std::nullopt;
    if (!last.builtin.empty()) {
        const bool is_id =
            last.builtin == "user_id" || last.builtin == "org_id" || last.builtin == "id";
        return is_id ? std::optional(last.builtin) : std::nullopt;
    }
    const model::Field& field = model.entities[last.entity].fields[last.field];
    constexpr model::FieldType kTexts[] = {uuid, ref, user, string, text, email};
    if (std::ranges::find(kTexts, field.type) == std::end(kTexts)) return std::nullopt;
    return field.name;
}

Keys keys_of_all(const model::Model& model, const std::vector<const Expr*>& conditions) {
    Keys best;
    for (const Expr* each : conditions) {
        Keys keys = keys_of(model, *each);
        if (keys && (!best || keys->size() < best->size())) best = std::move(keys);
    }
    return best;
}

Keys keys_of(const model::Model& model, const Expr& condition) {
    if (condition.kind == ExprKind::eq)
        return key_of_equality(model, condition.args[0], condition.args[1]);
    if (condition.kind == ExprKind::in) return keys_of_membership(model, condition);
    if (condition.kind == ExprKind::or_)
        return keys_of_any(condition.args,
                           [&](const model::ExprPtr& each) { return keys_of(model, *each); });
    if (condition.kind != ExprKind::and_) return std::nullopt;
    std::vector<const Expr*> all;
    for (const model::ExprPtr& each : condition.args) all.push_back(each.get());
    return keys_of_all(model, all);
}

}  // namespace svc::plan
