// Steps that reach other systems: connector, mcp, ai, embed, publish.
#include "contract/read/reader.hpp"
#include "model/flow/flow_work.hpp"
#include "model/service/json_schema.hpp"
#include "model/values.hpp"

namespace svc::model {
namespace {

using contract::Reader;
using contract::Value;

// The properties that a connector's action declares, as parameters.
std::vector<Field> params_of(const Action& action) {
    std::vector<Field> out;
    for (const ActionProp& prop : action.props) {
        Field field;
        field.name = prop.name;
        field.required = prop.required;
        switch (prop.type) {
            case ExprType::text:
                field.type = FieldType::text;
                break;
            case ExprType::integer:
                field.type = FieldType::integer;
                break;
            case ExprType::decimal:
                field.type = FieldType::number;
                break;
            case ExprType::boolean:
                field.type = FieldType::boolean;
                break;
            default:
                field.type = FieldType::json;
        }
        out.push_back(std::move(field));
    }
    return out;
}

// Properties that the schema does not name are welcome, unless it is closed.
std::vector<FlowMemberValue> props(FlowWork& flow, const contract::Step& step,
                                   const Action& action) {
    const Value* given = step.body.find("props");
    std::vector<Field> params = params_of(action);
    for (const contract::Member& member :
         given == nullptr || action.closed ? std::vector<contract::Member>{} : given->members) {
        if (find_named(params, member.name, &Field::name)) continue;
        Field field;
        field.name = member.name;
        field.type = FieldType::json;
        params.push_back(std::move(field));
    }
    if (given != nullptr) check_literals(*given, action.schema, flow.work.findings);
    return read_arguments(flow, step.body, given, params, "\"" + action.name + "\"");
}

void unknown_action(FlowWork& flow, const contract::Text& name, const std::string& what,
                    const std::vector<std::string>& known) {
    flow.work.findings.missing("UNKNOWN_ACTION", name.text, name.path,
                               "There is no " + what + " \"" + name.text + "\".",
                               did_you_mean(name.text, known,
                                            known.empty() ? "add it to \"connectors\""
                                                          : "the names are " + joined(known)));
}

}  // namespace

FlowAction read_connector(FlowWork& flow, const contract::Step& step,
                          std::optional<FlowType>& gives) {
    const Reader in(step.body);
    const auto& all = flow.work.out.connectors.integrations;
    gives = FlowType{};
    ConnectorStep out;
    const contract::Text name = in.text("integration"), action = in.text("action");
    const auto integration = find_named(all, name.text, &Integration::id);
    if (!integration) {
        unknown_action(flow, name, "integration", names_of(all, &Integration::id));
        return out;
    }
    const auto& actions = all[*integration].actions;
    const auto found = find_named(actions, action.text, &Action::name);
    if (!found) {
        unknown_action(flow, action, "action", names_of(actions, &Action::name));
        return out;
    }
    out.integration = *integration;
    out.action = *found;
    out.props = props(flow, step, actions[*found]);
    return out;
}

FlowAction read_mcp(FlowWork& flow, const contract::Step& step, std::optional<FlowType>& gives) {
    const Reader in(step.body);
    gives = FlowType{};
    McpStep out;
    out.props = read_members(flow, in.find("props"));
    const contract::Text tool = in.text("tool");
    const auto& servers = flow.work.out.connectors.mcp;
    for (std::size_t i = 0; i < servers.size(); ++i) {
        const std::string prefix = "mcp_" + servers[i].id + "_";
        if (!tool.text.starts_with(prefix) || tool.text.size() == prefix.size()) continue;
        out.server = i;
        out.tool = tool.text.substr(prefix.size());
        return out;
    }
    std::vector<std::string> known;
    known.reserve(servers.size());
    for (const McpServer& server : servers) known.push_back("mcp_" + server.id + "_<tool>");
    flow.work.findings.missing(
        "UNKNOWN_TOOL", tool.text, tool.path,
        "\"" + tool.text + "\" is not a tool of a declared server.",
        known.empty() ? "add its server to \"connectors\"" : "the tools are " + joined(known));
    return out;
}

FlowAction read_ai(FlowWork& flow, const contract::Step& step, std::optional<FlowType>& gives) {
    const Reader in(step.body);
    AiStep out{read_said(flow, in.find("prompt"), "prompt"), read_template(flow, in.find("system")),
               ""};
    const Value* schema = in.find("schema");
    gives = object_of({{"content", scalar(ExprType::text)}});
    if (schema == nullptr) return out;
    check_json_schema(*schema, flow.work.findings);
    out.schema = contract::json_text(*schema);
    std::vector<FlowMember> members;
    for (const ActionProp& prop : declared_props(*schema)) {
        members.push_back({prop.name, scalar(prop.type)});
    }
    gives = members.empty() ? FlowType{} : object_of(std::move(members));
    return out;
}

FlowAction read_embed(FlowWork& flow, const contract::Step& step, std::optional<FlowType>& gives) {
    EmbedStep out;
    for (const Value* text : one_or_more(*step.body.find("texts"))) {
        out.texts.push_back(read_value(flow, *text));
    }
    gives = object_of({{"vectors", list_of({})}});
    return out;
}

FlowAction read_publish(FlowWork& flow, const contract::Step& step,
                        std::optional<FlowType>& gives) {
    const Reader in(step.body);
    PublishStep out;
    out.topic = read_template(flow, in.find("topic"));
    check_topic(flow.work, in.text("topic"));
    if (in.text("topic").text.starts_with("row-changed")) {
        flow.work.findings.error("BAD_TOPIC", in.text("topic").path,
                                 "A step cannot publish to the topic of an entity.",
                                 "write the row: the server then publishes the change");
    }
    if (in.text("topic").text.starts_with("app:notifications:")) {
        flow.work.findings.error(
            "BAD_TOPIC", in.text("topic").path,
            "A step cannot publish to this topic: only the system sends notifications.",
            "use a notify step");
    }
    if (const Value* payload = in.find("payload")) out.payload = read_value(flow, *payload);
    gives = object_of({{"id", scalar(ExprType::text)}});  // a number in the order of messages
    return out;
}

}  // namespace svc::model
