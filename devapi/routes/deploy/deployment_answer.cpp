#include "routes/deploy/deployment_answer.hpp"

#include "routes/app_url.hpp"
#include "routes/report.hpp"

namespace svc::devapi {

json deployment_json(const Config& config, const Deployment& deployment,
                     const std::string& answers) {
    json out = {{"id", deployment.id},
                {"env", deployment.env},
                {"url", answers.empty() ? json(nullptr) : json(published_url(config, answers))},
                {"subdomain", deployment.subdomain},
                {"version", deployment.version},
                {"status", base::word(deployment.status)},
                {"createdAt", deployment.created_at},
                {"by", nullable(deployment.by)},
                {"skippedVerify", !deployment.verify}};
    if (!deployment.error.empty()) out["error"] = deployment.error;
    return out;
}

void answer_release(const ApplyOutcome& outcome, json body, const std::string& unfit,
                    Response& response) {
    if (outcome.status == ApplyOutcome::Status::applied) {
        body["swap"] = {{"ms", outcome.swap_ms}};
        return response.send(200, body);
    }
    if (outcome.status == ApplyOutcome::Status::invalid) {
        body["error"] = unfit;
        body["code"] = name(DevCode::contract_invalid);
        body["report"] = report_json(outcome.findings);
        return response.send(status(DevCode::contract_invalid), body);
    }
    body["error"] = outcome.error;
    body["code"] = name(DevCode::build_failed);
    body["stage"] = stage_word(outcome.failed_stage);
    response.send(status(DevCode::build_failed), body);
}

}  // namespace svc::devapi
