#include "plan/access/required_keys.hpp"

#include "plan/access/read_key.hpp"

namespace svc::plan {
namespace {

using model::Expr;
using model::ExprKind;
using model::ExprPtr;
using model::Model;
using model::Step;

// The path leads to a column of one row, which must have this value of the caller's.
RequiredKeys required_value(const Model& model, const Expr& path, ReadKey::Of of, const Way& way) {
    if (!is_row_path(path)) return {};
    const auto column = key_column(model, path.steps.back());
    const auto row = row_name(joined(way, path.steps), way.size() + path.steps.size() - 1);
    RequiredKeys out;
    if (column && row) out[*row].push_back({*column, of});
    return out;
}

// One of `others` equals `one`: columns of one row, and the caller's values.
RequiredKeys required_equal(const Model& model, const Expr& one, const std::vector<ExprPtr>& others,
                            const Way& way) {
    RequiredKeys out;
    const bool is_path = is_row_path(one);
    for (const ExprPtr& other : others) {
        const auto of = key_of_caller(is_path ? *other : one);
        if (!of) return {};
        const RequiredKeys next = required_value(model, is_path ? one : *other, *of, way);
        if (next.empty()) return {};
        const auto& [row, keys] = *next.begin();
        if (!out.empty() && !out.contains(row)) return {};
        out[row].insert(out[row].end(), keys.begin(), keys.end());
    }
    return out;
}

RequiredKeys required_all(const Model& model, const Expr& all, const Way& way) {
    RequiredKeys out;
    for (const ExprPtr& each : all.args) out.merge(required_keys(model, *each, way));
    return out;
}

// The rows on which each of the conditions has keys.
RequiredKeys required_any(const Model& model, const Expr& any, const Way& way) {
    RequiredKeys out = required_keys(model, *any.args[0], way);
    for (std::size_t i = 1; i < any.args.size(); ++i) {
        RequiredKeys other = required_keys(model, *any.args[i], way);
        std::erase_if(out, [&](const auto& each) { return !other.contains(each.first); });
        for (auto& [row, keys] : out) keys.insert(keys.end(), other[row].begin(), other[row].end());
    }
    return out;
}

}  // namespace

Way joined(Way way, const Way& more) {
    way.insert(way.end(), more.begin(), more.end());
    return way;
}

std::optional<std::string> row_name(const Way& way, std::size_t count) {
    std::string out;
    for (std::size_t i = 0; i < count; ++i) {
        if (way[i].kind != Step::Kind::ref) return std::nullopt;
        out += std::to_string(way[i].entity) + '.' + std::to_string(way[i].field) + '/';
    }
    return out;
}

bool is_row_path(const Expr& expr) {
    return expr.kind == ExprKind::path && expr.root == model::Root::row && !expr.open;
}

RequiredKeys required_keys(const Model& model, const Expr& condition, const Way& way) {
    const std::vector<ExprPtr>& args = condition.args;
    switch (condition.kind) {
        case ExprKind::eq:
            return required_equal(model, *args[0], {args[1]}, way);
        case ExprKind::in:
            if (args[1]->kind != ExprKind::list) return {};
            return required_equal(model, *args[0], args[1]->args, way);
        case ExprKind::and_:
            return required_all(model, condition, way);
        case ExprKind::or_:
            return required_any(model, condition, way);
        case ExprKind::call:
            if (condition.function != model::ExprFunction::member) return {};
            return required_value(model, *args[0], ReadKey::Of::org, way);
        default:
            return {};
    }
}

}  // namespace svc::plan
