// Projects: their names, and who can reach them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "platform/account/accounts.hpp"
#include "platform/account/credentials.hpp"
#include "platform/store.hpp"

namespace svc::devapi {

struct Project {
    std::string id, name, slug, description, workspace_id, updated_at;
    Role role = Role::viewer;  // the caller's, in the project's workspace
    std::optional<int> rate_browser = {}, rate_server = {};  // a minute; none: svcd's own setting
    bool demands_factor = false;                             // its workspace
};

// Makes a slug of a name: [a-z0-9-]{1,40}, never with the prefix of preview hosts.
std::string slug_of(const std::string& name);

// Within the caller's reach: workspaces whose member the caller is, a token's own one only. Lists
// leave out workspaces that demand a second factor where the caller has none.
std::vector<Project> list_projects(Store& store,
                                   const Caller& caller);  // newest first, 200 at most
std::optional<Project> find_project(Store& store, const Caller& caller, const std::string& id);

struct NewProject {
    std::string name, description, workspace_id;
};
Project create_project(Store& store, const Caller& caller, const NewProject& wanted);

struct ProjectChange {
    std::optional<std::string> name, description;
    // None: unchanged. An inner none: svcd's own setting.
    std::optional<std::optional<int>> rate_browser, rate_server;
    std::optional<std::vector<std::string>> domains;
};
// Changes everything or nothing.
void update_project(Store& store, const std::string& id, const ProjectChange& change);

}  // namespace svc::devapi
