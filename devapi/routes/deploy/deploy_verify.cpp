#include "routes/deploy/deploy_verify.hpp"

#include <pqxx/except.hxx>
#include <stdexcept>

#include "routes/report.hpp"
#include "verify/verify.hpp"

namespace svc::devapi {
namespace {

void answer_red(const verification::VerifyReport& report, const json& words, Response& response) {
    response.send(status(DevCode::verify_failed),
                  {{"error", "Verification failed; nothing was deployed. " + report.summary},
                   {"code", name(DevCode::verify_failed)},
                   {"report", words}});
}

}  // namespace

bool verified(Context& context, const Request& request, Deployment& deployment,
              Response& response) try {
    const Project& project = *request.project;
    const auto on_stage = stages_to(request);
    on_stage({StageName::verify, StageStatus::running, 0, {}});
    const auto report =
        verification::verify(context.apps.services(), {project.id, project.slug}, context.browser);
    if (!report) {
        response.refuse(DevCode::project_busy,
                        "This project is being verified right now. Try again.");
        return false;
    }
    const json words = verification::report_json(*report);
    on_stage({StageName::verify, report->pass ? StageStatus::done : StageStatus::failed, report->ms,
              report->summary});
    deployment.verify = to_text(words);
    if (!report->pass) answer_red(*report, words, response);
    return report->pass;
} catch (const pqxx::failure&) {
    throw;
} catch (const std::runtime_error& error) {
    response.refuse(Code::unavailable, error.what());
    return false;
}

}  // namespace svc::devapi
