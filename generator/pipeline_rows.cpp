#include "pipeline_rows.hpp"

#include <utility>

#include "model/resolve.hpp"

namespace svc::pipeline {
namespace {

struct Known {
    plan::ColumnType type;
    model::ExprType means;
};
constexpr Known kKnown[] = {
    {plan::ColumnType::text, model::ExprType::text},
    {plan::ColumnType::integer, model::ExprType::integer},
    {plan::ColumnType::decimal, model::ExprType::decimal},
    {plan::ColumnType::floating, model::ExprType::decimal},
    {plan::ColumnType::boolean, model::ExprType::boolean},
    {plan::ColumnType::date, model::ExprType::date},
    {plan::ColumnType::time, model::ExprType::time},
    {plan::ColumnType::timestamp, model::ExprType::timestamp},
    {plan::ColumnType::tags, model::ExprType::tags},
    {plan::ColumnType::uuid, model::ExprType::uuid},
};

model::FlowType type_of(const plan::QueryColumn& column) {
    for (const Known& known : kKnown) {
        if (known.type == column.type) return model::scalar(known.means);
    }
    return {};
}

}  // namespace

void resolve_query_rows(const contract::Contract& contract, const plan::Plan& plan,
                        model::Model& model, diag::Findings& findings) {
    if (contract.flows.functions.empty() && contract.flows.workflows.empty()) return;
    model::QueryRows rows;
    for (const plan::Query& query : plan.queries) {
        if (query.columns.empty()) continue;
        std::vector<model::FlowMember>& members = rows[query.name];
        for (const plan::QueryColumn& column : query.columns) {
            members.push_back({column.name, type_of(column)});
        }
    }
    if (rows.empty()) return;
    // Without these rows it had no error: what it has now is about them.
    model::Resolved resolved = model::resolve(contract, rows);
    for (const diag::Finding& finding : resolved.findings.all()) {
        if (finding.severity == diag::Severity::error) findings.add(finding);
    }
    if (resolved.model) model = std::move(*resolved.model);
}

}  // namespace svc::pipeline
