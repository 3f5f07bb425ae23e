// The typed client and the description of the API, as the last apply wrote them.
#include <algorithm>
#include <filesystem>
#include <iterator>
#include <vector>

#include "base/read_file.hpp"
#include "calls/environment.hpp"
#include "http/fields.hpp"
#include "routes/routes.hpp"

namespace svc::devapi {
namespace {

namespace fs = std::filesystem;

// Paths below the folder, in order. Plain files alone.
std::vector<fs::path> files_below(const fs::path& folder) {
    std::vector<fs::path> out;
    std::error_code none;  // if it is not there
    for (const auto& entry : fs::recursive_directory_iterator(folder, none))
        if (entry.is_regular_file() && !entry.is_symlink())
            out.push_back(entry.path().lexically_relative(folder));
    std::ranges::sort(out);
    return out;
}

// The contract is live, but its files could not be written; the apply reported FILES_NOT_WRITTEN.
void refuse_files(Response& response) {
    response.refuse(Code::not_found,
                    "The files of this app are missing. Apply its contract once more.");
}

void show_client(Context& context, const Request& request, Response& response) {
    const std::string& project = request.project->id;
    const AppState state = context.apps.state(project);
    if (!state.built) return refuse_no_app(Env::dev, response);
    const fs::path folder = context.apps.generated_folder(project) + "/client";
    json files = json::object();
    for (const auto& path : files_below(folder))
        files[path.generic_string()] = base::read_file(folder / path).value_or("");
    if (files.empty()) return refuse_files(response);
    response.send(200, {{"version", state.version}, {"files", std::move(files)}});
}

void show_openapi(Context& context, const Request& request, Response& response) {
    const std::string& project = request.project->id;
    if (!context.apps.state(project).built) return refuse_no_app(Env::dev, response);
    std::string text =
        base::read_file(context.apps.generated_folder(project) + "/openapi.json").value_or("");
    if (text.empty()) return refuse_files(response);
    response.body = std::move(text);
}

}  // namespace

void bind_live_files(RouteTable& table) {
    table.add({"GET", "/projects/:id/client", Need::any, Role::viewer, show_client});
    table.add({"GET", "/projects/:id/openapi", Need::any, Role::viewer, show_openapi});
}

}  // namespace svc::devapi
