#include "plan/flow/row_value.hpp"

#include "model/names.hpp"
#include "plan/flow/flow_value.hpp"
#include "plan/names.hpp"
#include "plan/sql/context_path.hpp"

namespace svc::plan {
namespace {

std::vector<std::string> moment_columns(const model::Entity& entity) {
    std::vector<std::string> out;
    for (const std::string& name : model::builtin_columns(entity))
        if (name.ends_with("_at")) out.push_back(name);
    for (const model::Field& field : entity.fields)
        if (field.type == model::FieldType::datetime) out.push_back(field.name);
    return out;
}

// `column`: the SQL of the column of a name, as timestamptz.
template <class Column>
std::string with_moments(std::string row, const std::vector<std::string>& names,
                         const Column& column) {
    JsonMembers moments;
    for (const std::string& name : names) moments.add(name, moment_text(column(name)));
    if (!names.empty()) row += " || " + moments.sql();
    return row;
}

}  // namespace

std::string moment_text(const std::string& moment) { return "svc.moment(" + moment + ")"; }

std::string row_value(const std::string& alias, const std::vector<std::string>& moments) {
    return with_moments("to_jsonb(" + alias + ")", moments,
                        [&](const std::string& name) { return alias + "." + ident(name); });
}

std::string row_value(const std::string& alias, const model::Entity& entity) {
    return row_value(alias, moment_columns(entity));
}

std::string moments_behind(const model::Entity& entity) {
    std::string out;
    for (const std::string& name : moment_columns(entity))
        out += ", " + moment_text(ident(name)) + " as " + ident(name);
    return out;
}

bool is_starting_row(const model::Expr& expr) {
    return expr.kind == model::ExprKind::path && expr.steps.empty() &&
           (expr.root == model::Root::new_ || expr.root == model::Root::old_);
}

std::string starting_row(const model::Expr& expr, const Scope& scope) {
    std::string row = context_value(expr, scope);
    if (scope.starts_from == nullptr) return row;
    const auto member = [&](const std::string& name) {
        return member_in_context(expr, name) + "::timestamptz";
    };
    return with_moments(row, moment_columns(*scope.starts_from), member);
}

}  // namespace svc::plan
