// One function or workflow while its steps are resolved: the data that its parts share. Parts:
// resolve_values.cpp values, resolve_steps.cpp lists of steps, step_*.cpp the steps themselves,
// resolve_functions.cpp functions, resolve_trigger.cpp what starts a workflow, flow_input.cpp what
// its steps may name.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/expr/flow_type.hpp"
#include "model/expr/typing.hpp"
#include "model/flow/flow.hpp"
#include "model/names.hpp"
#include "model/parts.hpp"

namespace svc::model {

// The result types of functions, by index; nothing for a function without a result.
using FunctionResults = std::vector<std::optional<FlowType>>;

struct FlowWork {
    FlowWork(Work shared, const FunctionResults& known)
        : work(shared),
          results(known),
          ids(NameKind::other, shared.findings),
          scope{.model = shared.out, .entity = 0, .row = false, .flow = &names} {
        names.used = &used;
    }
    FlowWork(const FlowWork&) = delete;
    FlowWork& operator=(const FlowWork&) = delete;

    Work work;
    const FunctionResults& results;
    NameTable ids;
    FlowScope names;
    ExprScope scope;
    RunAs run_as;  // of the step at hand
    bool function = false;
    std::vector<FlowType> returned;  // by its return steps
    std::vector<std::string> used;   // parameters
};

// --- values

FlowType type_of(const FlowWork& flow, const Expr& expr);
FlowType type_of(const FlowWork& flow, const FlowValue& value);
FlowType type_of(const FlowWork& flow, const std::vector<FlowMemberValue>& members);
FlowType type_of(const Field& param);

// A value of any type.
FlowValue read_value(FlowWork& flow, const contract::Value& value);
// Reads a value that `field` can hold; findings BAD_VALUE, TYPE_MISMATCH.
FlowValue read_value(FlowWork& flow, const contract::Value& value, const Field& field);
// Reads a text; finding TYPE_MISMATCH for a value that cannot be part of one.
Template read_template(FlowWork& flow, const contract::Value* value);
// Reads a text that is not empty; finding BAD_MESSAGE. `what` is its key.
Template read_said(FlowWork& flow, const contract::Value* value, const std::string& what);
Template read_said(FlowWork& flow, const contract::Text& text, const std::string& what);
// The entity whose id the expression is, if that is known.
std::optional<std::size_t> refers_to(const Expr& expr, const Model& model);
// A list's elements, or the single value.
std::vector<const contract::Value*> one_or_more(const contract::Value& value);
// True if the text has no placeholders.
bool is_plain(const std::string& text);
// The id of a row of that entity; without an entity, of any.
FlowValue read_id(FlowWork& flow, const contract::Value* value, std::optional<std::size_t> entity);
std::vector<FlowMemberValue> read_members(FlowWork& flow, const contract::Value* object);
// Checks values against declared parameters; findings UNKNOWN_PARAM, MISSING_KEY.
std::vector<FlowMemberValue> read_arguments(FlowWork& flow, const contract::Value& call,
                                            const contract::Value* given,
                                            const std::vector<Field>& params,
                                            const std::string& of);

// --- steps

std::vector<FlowStep> resolve_steps(FlowWork& flow, const std::vector<contract::Step>& steps);
// Adds the ids of the steps and of their nested steps.
void step_ids(const std::vector<contract::Step>& steps, std::vector<std::string>& out);

// Reads the action of a step; `gives` stays empty if it has no result.
using StepReader = FlowAction (*)(FlowWork& flow, const contract::Step& step,
                                  std::optional<FlowType>& gives);
FlowAction read_create(FlowWork&, const contract::Step&, std::optional<FlowType>&);
FlowAction read_update(FlowWork&, const contract::Step&, std::optional<FlowType>&);
FlowAction read_delete(FlowWork&, const contract::Step&, std::optional<FlowType>&);
FlowAction read_transition(FlowWork&, const contract::Step&, std::optional<FlowType>&);
FlowAction read_query(FlowWork&, const contract::Step&, std::optional<FlowType>&);
FlowAction read_set(FlowWork&, const contract::Step&, std::optional<FlowType>&);
FlowAction read_switch(FlowWork&, const contract::Step&, std::optional<FlowType>&);
FlowAction read_sleep(FlowWork&, const contract::Step&, std::optional<FlowType>&);
FlowAction read_wait_for(FlowWork&, const contract::Step&, std::optional<FlowType>&);
FlowAction read_http(FlowWork&, const contract::Step&, std::optional<FlowType>&);
FlowAction read_connector(FlowWork&, const contract::Step&, std::optional<FlowType>&);
FlowAction read_mcp(FlowWork&, const contract::Step&, std::optional<FlowType>&);
FlowAction read_ai(FlowWork&, const contract::Step&, std::optional<FlowType>&);
FlowAction read_embed(FlowWork&, const contract::Step&, std::optional<FlowType>&);
FlowAction read_email(FlowWork&, const contract::Step&, std::optional<FlowType>&);
FlowAction read_notify(FlowWork&, const contract::Step&, std::optional<FlowType>&);
FlowAction read_publish(FlowWork&, const contract::Step&, std::optional<FlowType>&);
FlowAction read_call(FlowWork&, const contract::Step&, std::optional<FlowType>&);
FlowAction read_return(FlowWork&, const contract::Step&, std::optional<FlowType>&);
FlowAction read_fail(FlowWork&, const contract::Step&, std::optional<FlowType>&);

// The columns that `where` of a for asks about.
std::vector<Assignment> read_where(FlowWork& flow, const contract::Value& where,
                                   std::size_t entity);

// --- settings

// Finding BAD_DURATION if it is nothing or too long.
Seconds read_seconds(Work work, const contract::Text& text);
Retry read_retry(Work work, const contract::Retry& in);
// Finding BAD_OPTION outside of the two.
std::uint32_t read_count(Work work, const contract::Value& value, const std::string& name,
                         std::uint32_t least, std::uint32_t most);
// Findings UNKNOWN_PERSONA, NO_ACTOR.
RunAs read_run_as(FlowWork& flow, const contract::Text& text);

// --- functions

// Findings for names, parameters and principals; the steps are resolved later.
void declare_functions(Work work);
// Their steps, a called function before its callers; finding FUNCTION_CYCLE.
FunctionResults resolve_functions(Work work);

// --- workflows

// Fills in `on`.
void resolve_trigger(Work work, const contract::Workflow& in, Workflow& out);
// True if it can be started without a row, a message or a body.
bool is_callable(const Trigger& on);
// Lets the steps of a workflow name its input, its actor, and the row of its trigger.
void name_by_trigger(FlowWork& flow, std::size_t index);
std::vector<Field> resolve_params(Work work, const std::vector<contract::Param>& in);
std::vector<FlowMember> members_of(const std::vector<Field>& params);
// Warning UNUSED_PARAM, unless there are mistakes.
void unused_params(FlowWork& flow, const std::vector<Field>& params);
// A topic's name, whose placeholders are expressions; finding BAD_TOPIC.
void check_topic(Work work, const contract::Text& name);
// Checks a name of a topic, in which {name} stands for any text. Finding BAD_TOPIC.
void check_topic_name(Work work, const contract::Text& name);
// Index of the transition in the entity's lifecycle; finding UNKNOWN_TRANSITION.
std::optional<std::size_t> find_transition(Work work, std::size_t entity,
                                           const contract::Text& name);
// Finding UNKNOWN_WORKFLOW.
void unknown_workflow(Work work, const contract::Text& name);
void resolve_webhooks(Work work);
void resolve_topics(Work work);

template <typename Named>
std::optional<std::size_t> find_named(const std::vector<Named>& all, const std::string& name,
                                      std::string Named::*member) {
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (all[i].*member == name) return i;
    }
    return std::nullopt;
}

template <typename Named>
std::vector<std::string> names_of(const std::vector<Named>& all, std::string Named::*member) {
    std::vector<std::string> out;
    out.reserve(all.size());
    for (const Named& one : all) out.push_back(one.*member);
    return out;
}

}  // namespace svc::model
