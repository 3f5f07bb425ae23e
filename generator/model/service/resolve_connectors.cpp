// Integrations and servers of tools: their addresses, their secrets, their actions.
#include <algorithm>
#include <set>

#include "base/ascii.hpp"
#include "contract/shape/shape.hpp"
#include "model/names.hpp"
#include "model/parts.hpp"
#include "model/service/json_schema.hpp"
#include "model/urls.hpp"

namespace svc::model {
namespace {

using Type = ConnectorAuth::Type;

void bad_connector(Work work, const std::string& path, const std::string& message,
                   const std::string& fix) {
    work.findings.error("BAD_CONNECTOR", path, message, fix);
}

std::string address(Work work, const contract::Text& in) {
    if (!is_address(in.text)) {
        work.findings.error("BAD_URL", in.path, "The server cannot call this address.",
                            "write https://, a host and an optional path, without user and query");
    }
    std::string out = in.text;
    while (out.ends_with('/')) out.pop_back();
    return out;
}

// `name` belongs to headers alone and `user` to basic alone, and each of them needs its own.
void own_setting(Work work, const contract::ConnectorAuth& in, const char* key,
                 const std::optional<contract::Text>& value, const char* type) {
    const bool wanted = in.type.text == type;
    if (wanted && (!value || value->text.empty())) {
        work.findings.error(
            "MISSING_KEY", in.path,
            std::string("An auth block of type ") + type + " needs \"" + key + "\".",
            std::string("add \"") + key + "\"");
    } else if (!wanted && value) {
        bad_connector(work, value->path,
                      std::string("\"") + key + "\" works only with type " + type + ".",
                      "remove it");
    }
}

ConnectorAuth auth(Work work, const std::optional<contract::ConnectorAuth>& in) {
    ConnectorAuth out;
    if (!in) return out;
    out.type = in->type.text == "bearer"   ? Type::bearer
               : in->type.text == "header" ? Type::header
                                           : Type::basic;
    out.secret = in->secret.text.substr(contract::kSecretPrefix.size());
    out.name = in->name.value_or(contract::Text{}).text;
    out.user = in->user.value_or(contract::Text{}).text;
    own_setting(work, *in, "name", in->name, "header");
    own_setting(work, *in, "user", in->user, "basic");
    if (!out.name.empty() && !is_header_name(out.name)) {
        bad_connector(work, in->name->path, "\"" + out.name + "\" is not a valid name of a header.",
                      "use letters, digits, - and _: \"X-Api-Key\"");
    }
    if (out.user.find(':') != std::string::npos) {
        bad_connector(work, in->user->path, "A user name for basic cannot contain a colon.",
                      "write only the user name");
    }
    return out;
}

bool is_path_text(std::string_view text) {
    return std::all_of(text.begin(), text.end(), [](char c) {
        return base::is_alphanumeric(c) ||
               std::string_view("/-._~!$&'()*+,;=:@%").find(c) != std::string_view::npos;
    });
}

// Splits at the placeholders; nothing if a brace has no partner.
std::optional<std::vector<std::string>> placeholders(const std::string& path, std::string& plain) {
    std::vector<std::string> out;
    for (std::size_t at = 0; at < path.size();) {
        const std::size_t open = path.find_first_of("{}", at);
        plain += path.substr(at, open - at);
        if (open == std::string::npos) break;
        const std::size_t close = path.find_first_of("{}", open + 1);
        if (path[open] == '}' || close == std::string::npos || path[close] == '{') {
            return std::nullopt;
        }
        const std::string name = path.substr(open + 1, close - open - 1);
        if (std::find(out.begin(), out.end(), name) == out.end()) out.push_back(name);
        at = close + 1;
    }
    return out;
}

void url_path(Work work, const contract::Action& in, Action& out) {
    std::string plain;
    out.url_path = in.url_path.text;
    const auto names = placeholders(out.url_path, plain);
    const bool sound = names && out.url_path.starts_with('/') && is_path_text(plain) &&
                       plain.find("..") == std::string::npos && !plain.starts_with("//");
    if (!sound) {
        bad_connector(
            work, in.url_path.path,
            "\"" + out.url_path + "\" is not a valid path below the base URL.",
            "begin with a slash; write {prop} for a property; write no query and no \"..\"");
        return;
    }
    out.placeholders = *names;
    for (const std::string& placeholder : out.placeholders) {
        const auto prop = std::find_if(out.props.begin(), out.props.end(),
                                       [&](const ActionProp& p) { return p.name == placeholder; });
        std::vector<std::string> known;
        for (const ActionProp& declared : out.props) known.push_back(declared.name);
        if (prop == out.props.end()) {
            work.findings.missing(
                "BAD_CONNECTOR", in.path + "/props", in.url_path.path,
                "The path uses {" + placeholder +
                    "}, but \"props\" does not declare this property.",
                did_you_mean(placeholder, known, "declare it in props.properties"));
        } else if (!prop->required) {
            bad_connector(work, in.url_path.path,
                          "The path needs {" + placeholder + "}, but a call may omit it.",
                          "add it to props.required");
        }
    }
}

Action action(Work work, const contract::Action& in) {
    Action out;
    out.name = in.name.text;
    out.label = in.label.text.empty() ? words(out.name) : in.label.text;
    out.method = in.method.text;
    if (in.props) {
        check_json_schema(*in.props, work.findings);
        out.props = declared_props(*in.props);
        out.closed = is_closed(*in.props);
        out.schema = contract::json_text(*in.props);
    }
    url_path(work, in, out);
    return out;
}

Integration integration(Work work, const contract::Integration& in) {
    Integration out;
    out.id = in.id.text;
    out.label = in.label.text.empty() ? words(out.id) : in.label.text;
    out.base_url = address(work, in.base_url);
    out.auth = auth(work, in.auth);
    NameTable names(NameKind::other, work.findings);
    for (const contract::Action& given : in.actions) {
        names.add(given.name);
        out.actions.push_back(action(work, given));
    }
    return out;
}

// A tool's whole name is mcp_<server>_<tool>, so servers `a` and `a_b` could not be distinguished.
void ambiguous_servers(Work work, const std::vector<contract::McpServer>& servers) {
    std::set<std::string> names;
    for (const contract::McpServer& server : servers) names.insert(server.id.text);
    for (const contract::McpServer& server : servers) {
        const std::string& id = server.id.text;
        for (std::size_t at = id.find('_'); at != std::string::npos; at = id.find('_', at + 1)) {
            const auto shorter = names.find(id.substr(0, at));
            if (shorter == names.end()) continue;
            work.findings.error("NAME_TAKEN", server.id.path,
                                "\"" + id + "\" begins with the name of \"" + *shorter +
                                    "\", so two of their tools could have the same name.",
                                "choose another name");
            break;
        }
    }
}

}  // namespace

void resolve_connectors(Work work) {
    if (!work.in.services.connectors) return;
    const contract::Connectors& in = *work.in.services.connectors;
    NameTable integrations(NameKind::integration, work.findings);
    for (const contract::Integration& given : in.integrations) {
        integrations.add(given.id);
        work.out.connectors.integrations.push_back(integration(work, given));
    }
    NameTable servers(NameKind::other, work.findings);
    for (const contract::McpServer& given : in.mcp) {
        servers.add(given.id);
        work.out.connectors.mcp.push_back(
            {given.id.text, address(work, given.url), auth(work, given.auth), given.pin});
    }
    ambiguous_servers(work, in.mcp);
    resolve_allowed_calls(work, in.allow);
}

}  // namespace svc::model
