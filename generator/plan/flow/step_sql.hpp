// Prints a step as one statement over the context, which returns one value of jsonb.
#pragma once

#include <cstdint>
#include <string>

#include "model/model.hpp"
#include "plan/plan.hpp"
#include "plan/sql/expr.hpp"

namespace svc::plan {

// Statements of create, update, delete, transition, query. They return no row if the step may touch
// none.
std::string create_sql(const model::CreateStep& step, const Scope& scope);
std::string update_sql(const model::UpdateStep& step, const Scope& scope);
std::string delete_sql(const model::DeleteStep& step, const Scope& scope);
std::string transition_sql(const model::TransitionStep& step, const Scope& scope);
std::string query_sql(const Query& query, const model::QueryStep& step, const Scope& scope);

// The id of the row that a step names, as an expression of type uuid.
std::string row_id(const model::FlowValue& id, const Scope& scope);

// Statements of the other steps: their requests to other services, or their results.
std::string set_sql(const model::SetStep& step, const Scope& scope);
std::string switch_sql(const model::SwitchStep& step, const Scope& scope);
std::string wait_sql(const model::WaitForStep& step, const Scope& scope);
std::string http_sql(const model::HttpStep& step, const Scope& scope);
std::string connector_sql(const model::ConnectorStep& step, const Scope& scope);
std::string mcp_sql(const model::McpStep& step, const Scope& scope);
std::string ai_sql(const model::AiStep& step, const Scope& scope);
std::string embed_sql(const model::EmbedStep& step, const Scope& scope);
std::string email_sql(const model::EmailStep& step, const Scope& scope);
std::string notify_sql(const model::NotifyStep& step, const Scope& scope);
std::string publish_sql(const model::PublishStep& step, const Scope& scope);
std::string call_sql(const model::CallStep& step, const Scope& scope);

// The list that a step is repeated for, one more than it may have where there are too many.
std::string repeat_sql(const model::Repeat& repeat, const Scope& scope);

inline constexpr std::uint32_t kMostElements = 10'000;

}  // namespace svc::plan
