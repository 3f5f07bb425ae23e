#include "cli/account/chosen_workspace.hpp"

#include <nlohmann/json.hpp>
#include <optional>

namespace svc::cli {
namespace {

using json = nlohmann::json;

// Nothing: said why.
std::optional<json> object_at(const CliContext& context, const Getter& get,
                              const std::string& path) {
    const Reply reply = get(path);
    json answer = json::parse(reply.body, nullptr, false);
    if (reply.ok() && answer.is_object()) return answer;
    context.show_refusal(reply);
    return std::nullopt;
}

std::string workspace_of(const CliContext& context, const Getter& get, const std::string& project) {
    const Reply reply = get(project_path(project));
    const json answer = json::parse(reply.body, nullptr, false);
    if (reply.ok() && answer.is_object())
        return text_of(answer.value("project", json::object()), "workspaceId");
    if (reply.status == 404)
        context.refuse(
            "The project " + project +
                " is not in a workspace that you can reach. Give --workspace, or another project.",
            "NOT_FOUND");
    else
        context.show_refusal(reply);
    return {};
}

// Two may have one name.
std::string only_one(const CliContext& context, const json& me, const std::string& wanted) {
    std::string found, names;
    int fitting = 0;
    for (const json& one : me.value("workspaces", json::array())) {
        const std::string id = text_of(one, "id"), name = text_of(one, "name");
        names += (names.empty() ? "" : ", ") + name + " (" + id + ")";
        if (!wanted.empty() && id != wanted && name != wanted) continue;
        ++fitting;
        found = id;
    }
    if (fitting == 1) return found;
    std::string why;
    if (names.empty() || (fitting == 0 && !wanted.empty()))
        why = "You are not a member of any workspace" +
              (wanted.empty() ? "" : " \"" + wanted + "\"") + ".";
    if (!names.empty() && !why.empty()) why += ' ';
    if (!names.empty()) why += "Which workspace? Give --workspace, one of: " + names + ".";
    context.refuse(why, fitting == 0 ? "NOT_FOUND" : "BAD_REQUEST");
    return {};
}

}  // namespace

Getter getter(const CliContext& context) {
    return [&context](const std::string& path) { return context.call("Asking", {.path = path}); };
}

std::string chosen_workspace(const CliContext& context, const Getter& get,
                             const std::string& wanted) {
    const std::string project = wanted.empty() ? context.named_project() : "";
    if (!project.empty()) return workspace_of(context, get, project);
    const auto me = object_at(context, get, "/me");
    return me ? only_one(context, *me, wanted) : std::string();
}

}  // namespace svc::cli
