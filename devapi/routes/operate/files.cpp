// Files that people uploaded: a list, and what does not fit together.
#include "operate/file/files.hpp"

#include "apps/process/app_places.hpp"
#include "base/formats.hpp"
#include "calls/environment.hpp"
#include "file/s3/client.hpp"
#include "http/fields.hpp"
#include "operate/file/files_check.hpp"
#include "routes/routes.hpp"

namespace svc::devapi {
namespace {

constexpr int kUsualFiles = 30, kMostFiles = 200;

// The files of the environment. Without a database the call was answered.
AppFiles with_files(Context& context, const Request& request, Response& response) {
    AppFiles out{request.project->id, {}, {}, {}};
    const auto env = environment_of(request, response);
    if (!env) return out;
    out.env = *env;
    out.folder = files_folder(context.config.home, out.project, out.env);
    out.database = database_of(context, request, out.env, response);
    if (out.database.empty() || has_files(out.database)) return out;
    response.refuse(Code::no_app,
                    "This app was built before svc stored files. Apply its contract once more.");
    out.database.clear();
    return out;
}

void list_files(Context& context, const Request& request, Response& response) {
    FilesRequest wanted;
    const std::string state = query_value(request.query, "state");
    wanted.state = base::read_word<file::FileState>(state);
    if (!wanted.state && !state.empty())
        return bad_parameter(response, "state", "Must be signed, uploading, stored or deleted.");
    wanted.before = query_value(request.query, "before");
    if (!wanted.before.empty() && !base::is_uuid(wanted.before))
        return bad_parameter(response, "before", "Must be an id.");
    wanted.limit = limit_of(request, kUsualFiles, kMostFiles, response);
    if (wanted.limit == 0) return;
    const AppFiles app = with_files(context, request, response);
    if (!app.database.empty()) response.body = files_json(app.database, wanted);
}

void show_files_check(Context& context, const Request& request, Response& response) {
    const AppFiles app = with_files(context, request, response);
    if (app.database.empty()) return;
    try {
        response.body =
            check_files(app, [&request] { return !request.hung_up || !request.hung_up->load(); });
    } catch (const file::S3Failure& error) {
        response.refuse(Code::unavailable,
                        std::string("The files cannot be checked now: ") + error.what() + ".");
    }
}

}  // namespace

void bind_files(RouteTable& table) {
    table.add({"GET", "/projects/:id/files", Need::read, Role::viewer, list_files},
              {"state", "before", "limit", "env"});
    table.add({"GET", "/projects/:id/files/check", Need::read, Role::viewer, show_files_check},
              {"env"});
}

}  // namespace svc::devapi
