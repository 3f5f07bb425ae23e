// Verifying what is live: reads, and changes nothing that anybody sees.
#include "verify/verify.hpp"

#include <chrono>
#include <pqxx/except.hxx>
#include <stdexcept>

#include "apps/apply/apply.hpp"
#include "apps/stage.hpp"
#include "calls/environment.hpp"
#include "http/fields.hpp"
#include "routes/routes.hpp"

namespace svc::devapi {
namespace {

constexpr std::chrono::minutes kPageTime{4};  // a deploy, which holds up others, has less

// Shows the check that runs as a stage, if the client wants events.
verification::VerifyOptions options_of(const Request& request) {
    const auto progress = [&request](std::string_view check, const std::string& words) {
        if (!request.progress) return;
        request.progress("stage", {{"name", check},
                                   {"status", base::word(StageStatus::running)},
                                   {"ms", 0},
                                   {"detail", words}});
    };
    const auto awaited = [&request] {
        if (request.listening) return request.listening();
        return !request.hung_up || !request.hung_up->load();
    };
    return {kPageTime, progress, awaited};
}

// A failure to make a clone is answered: the caller can fix it or wait.
void verify_app(Context& context, const Request& request, Response& response) try {
    Fields fields(request);
    if (!fields.good(response)) return;
    const Project& project = *request.project;
    if (database_of(context, request, Env::dev, response).empty()) return;
    const auto report = verification::verify(context.apps.services(), {project.id, project.slug},
                                             context.browser, options_of(request));
    if (!report)
        return response.refuse(DevCode::project_busy,
                               "This project is being verified right now. Try again.");
    response.send(200, verification::report_json(*report));
} catch (const pqxx::failure&) {
    throw;
} catch (const std::runtime_error& error) {
    response.refuse(Code::unavailable, error.what());
}

}  // namespace

void bind_verify(RouteTable& table) {
    table.add({"POST", "/projects/:id/verify", Need::any, Role::viewer, verify_app, 64 * 1024, true,
               false, true});
}

}  // namespace svc::devapi
