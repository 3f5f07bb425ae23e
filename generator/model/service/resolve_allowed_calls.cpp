// The actions and tools that callers may call.
#include <algorithm>
#include <set>

#include "contract/shape/shape.hpp"
#include "model/names.hpp"
#include "model/parts.hpp"

namespace svc::model {
namespace {

// <integration>/<action>.
std::set<std::string> actions(const Connectors& connectors) {
    std::set<std::string> out;
    for (const Integration& integration : connectors.integrations)
        for (const Action& action : integration.actions)
            out.insert(integration.id + "/" + action.name);
    return out;
}

// The tools of a server are known only when it is called.
bool is_tool(const Connectors& connectors, const std::string& name) {
    return std::any_of(connectors.mcp.begin(), connectors.mcp.end(), [&](const McpServer& server) {
        const std::string prefix = "mcp_" + server.id + "_";
        return name.starts_with(prefix) && name.size() > prefix.size();
    });
}

void unknown_action(Work work, const contract::Text& text, const std::set<std::string>& actions) {
    const bool doubtful = work.findings.doubts(text.text.substr(0, text.text.find('/'))) ||
                          work.findings.doubts(text.text.substr(text.text.find('/') + 1));
    if (doubtful) return;
    const std::vector<std::string> known(actions.begin(), actions.end());
    work.findings.error(
        "UNKNOWN_ACTION", text.path, "There is no action \"" + text.text + "\".",
        did_you_mean(text.text, known,
                     known.empty() ? "write an integration and its action: \"crm/find\""
                                   : "the actions are " + joined(known)));
}

// Guests have no account, and everybody who opens the page has their key.
void report_guests(Work work, const contract::AllowedCall& in,
                   const std::optional<std::vector<Principal>>& to) {
    using Kind = Principal::Kind;
    const bool guests = !to || std::any_of(to->begin(), to->end(), [](const Principal& one) {
        return one.kind == Kind::any || one.kind == Kind::guest;
    });
    if (!guests) return;
    work.findings.warning("GUESTS_MAY_CALL", in.action.path,
                          "Signed-out callers may call \"" + in.action.text + "\".",
                          "write {\"action\": " + contract::json_string(in.action.text) +
                              ", \"to\": [\"signed_in\"]}, or say whom you mean");
}

}  // namespace

void resolve_allowed_calls(Work work, const std::vector<contract::AllowedCall>& calls) {
    const std::set<std::string> known = actions(work.out.connectors);
    contract::Texts names;
    for (const contract::AllowedCall& call : calls) names.push_back(call.action);
    const contract::Texts once = distinct(work, names);
    for (const contract::AllowedCall& call : calls) {
        const bool first = std::any_of(once.begin(), once.end(), [&](const contract::Text& text) {
            return text.path == call.action.path;
        });
        if (!first) continue;
        if (!known.contains(call.action.text) && !is_tool(work.out.connectors, call.action.text)) {
            unknown_action(work, call.action, known);
            continue;
        }
        AllowedCall out{call.action.text, {}};
        if (call.to) {
            out.to.emplace();
            for (const contract::Text& name : *call.to)
                if (const auto principal = resolve_principal(work, name))
                    out.to->push_back(*principal);
        }
        report_guests(work, call, out.to);
        work.out.connectors.allow.push_back(std::move(out));
    }
}

}  // namespace svc::model
