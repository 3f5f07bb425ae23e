// Publishing what dev has, what was published, and going back.
#include <pqxx/except.hxx>
#include <stdexcept>

#include "apps/apply/apply.hpp"
#include "apps/database/snapshots.hpp"
#include "base/uuid.hpp"
#include "calls/environment.hpp"
#include "domains/proof.hpp"
#include "http/fields.hpp"
#include "platform/deployments.hpp"
#include "platform/keys.hpp"
#include "routes/app_url.hpp"
#include "routes/deploy_preview.hpp"
#include "routes/report.hpp"
#include "routes/routes.hpp"
#include "verify/verify.hpp"

namespace svc::devapi {
namespace {

constexpr int kUsualDeployments = 20, kMostDeployments = 100;

// `answers` is the name that its environment answers under: a rollback keeps it, so whatever the
// deployment was published under is only history. Empty: nothing answers.
json deployment_json(const Config& config, const Deployment& deployment,
                     const std::string& answers) {
    json out = {{"id", deployment.id},
                {"env", deployment.env},
                {"url", answers.empty() ? json(nullptr) : json(published_url(config, answers))},
                {"subdomain", deployment.subdomain},
                {"version", deployment.version},
                {"status", deployment.status},
                {"createdAt", deployment.created_at},
                {"by", nullable(deployment.by)},
                {"skippedVerify", !deployment.verify}};
    if (!deployment.error.empty()) out["error"] = deployment.error;
    return out;
}

json verify_json(const Deployment& deployment) {
    return deployment.verify ? json::parse(*deployment.verify) : json(nullptr);
}

// One deploy, from what was asked to its answer.
class Deploy {
  public:
    Deploy(Context& context, const Request& request, Response& response)
        : context_(context),
          request_(request),
          response_(response),
          project_(*request.project),
          deployments_(context.store) {}

    void run() {
        if (!read()) return;
        if (dry_run_) {
            if (promotable()) preview_deploy(context_, request_, deployment_, response_);
            return;
        }
        const auto lease = context_.apps.take(
            {project_.id, project_.slug},
            {LeaseKind::deploy, request_.caller.user_id, deployment_.env, deployment_.id});
        if (!lease)
            return response_.refuse(DevCode::project_busy,
                                    "Another build of this project is running. Try again.");
        if (!ready(*lease)) return;
        deployments_.begin(deployment_, request_.caller.user_id);
        answer(publish(*lease));
    }

  private:
    // A deploy that does not begin, by a refusal or by what was thrown, holds neither name nor
    // lease.
    bool ready(Lease& lease) {
        bool ready = false;
        try {
            ready = promotable() && name() && verified();
        } catch (...) {
            give_up(lease, "failed", "The deployment failed before it began.");
            throw;
        }
        if (!ready) give_up(lease, "refused", "");
        return ready;
    }

    void give_up(Lease& lease, const char* status, const char* error) {
        deployments_.let_go(project_.id, deployment_.env);
        lease.finish({status, 0, error, ""});
    }

    bool read() {
        Fields fields(request_);
        deployment_.id = base::new_uuid();
        deployment_.project_id = project_.id;
        deployment_.subdomain = fields.text("subdomain", 1, 63).value_or("");
        skip_verify_ = fields.boolean("skipVerify").value_or(false);
        dry_run_ = fields.boolean("dryRun").value_or(false);
        deployment_.env = fields.boolean("preview").value_or(false) ? "preview" : "prod";
        if (!deployment_.subdomain.empty() && !is_subdomain(deployment_.subdomain))
            fields.wrong("subdomain",
                         "Must be one DNS label: a to z, 0 to 9, and - inside, at most 63 "
                         "characters. It may not begin with preview-.");
        return fields.good(response_);
    }

    bool promotable() {
        const AppState dev = context_.apps.state(project_.id);
        if (dev.built && dev.contract) {
            deployment_.contract = *dev.contract;
            deployment_.version = dev.version;
            return true;
        }
        refuse_no_app("dev", response_);
        return false;
    }

    // The one that was asked for, else the one that it has, else the project's slug.
    bool name() {
        std::string& name = deployment_.subdomain;
        if (name.empty()) name = deployments_.live_name(project_.id, deployment_.env);
        if (name.empty())
            name = deployment_.env == "prod"
                       ? project_.slug
                       : deployments_.free_name(project_.id, project_.slug + "-preview");
        if (deployments_.hold(project_.id, deployment_.env, name)) return true;
        response_.refuse(DevCode::subdomain_taken,
                         "The subdomain " + name + " is taken. Choose another one.");
        return false;
    }

    bool verified() try {
        if (skip_verify_) return true;
        progress()({"verify", "running", 0, {}});
        const auto report = verify(context_.apps.services(), {project_.id, project_.slug});
        if (!report) {
            response_.refuse(DevCode::project_busy,
                             "This project is being verified right now. Try again.");
            return false;
        }
        const json words = report_json(*report);
        progress()({"verify", report->pass ? "done" : "failed", report->ms, report->summary});
        deployment_.verify = to_text(words);
        if (report->pass) return true;
        response_.send(status(DevCode::verify_failed),
                       {{"error", "Verification failed; nothing was deployed. " + report->summary},
                        {"code", devapi::name(DevCode::verify_failed)},
                        {"report", words}});
        return false;
    } catch (const pqxx::failure&) {
        throw;
    } catch (const std::runtime_error& error) {
        response_.refuse(Code::unavailable, error.what());
        return false;
    }

    ApplyOutcome publish(Lease& lease) {
        const std::string& env = deployment_.env;
        Release release;
        release.env = env;
        release.deployment = deployment_.id;
        release.version = deployment_.version;
        if (env == "prod") ask_domains();
        release.site = site_of(context_.store, {project_.id, project_.slug}, env);
        release.site.label = deployment_.subdomain;
        if (env == "prod")
            release.keep = [this] {
                context_.apps.take_snapshot({project_.id, "prod", "deploy",
                                             "Before deployment " + deployment_.id,
                                             request_.caller.user_id});
            };
        auto outcome =
            context_.apps.release(lease, deployment_.contract, release,
                                  records(project_keys(context_.store, project_.id)), progress());
        if (outcome.status == ApplyOutcome::Status::applied) context_.apps.share_keys(project_.id);
        return outcome;
    }

    // DNS that is away for a moment does not stop a deploy: what is missing is told.
    void ask_domains() {
        for (const auto& answer : prove_domains(context_.config, context_.store, project_.id))
            if (!answer.why.empty()) warnings_.push_back(answer.domain.host + ": " + answer.why);
        load_published(context_.directory, context_.store);
    }

    std::function<void(const Stage&)> progress() const {
        return [this](const Stage& stage) {
            if (request_.progress) request_.progress("stage", stage_json(stage));
        };
    }

    // Of its findings the one that is of this environment, and not the contract's alone.
    void warn_of_secrets(const diag::Findings& findings) {
        for (const auto& finding : findings.all())
            if (finding.code == "SECRET_MISSING")
                warnings_.push_back(finding.message + " " + finding.fix);
    }

    void answer(const ApplyOutcome& outcome) {
        warn_of_secrets(outcome.findings);
        const auto now = deployments_.find(project_.id, deployment_.id).value_or(deployment_);
        const std::string answers = deployments_.live_name(project_.id, deployment_.env);
        json body = {{"deployment", deployment_json(context_.config, now, answers)},
                     {"verify", verify_json(now)},
                     {"warnings", warnings_}};
        if (outcome.status == ApplyOutcome::Status::applied) {
            body["swap"] = {{"ms", outcome.swap_ms}};
            return response_.send(200, body);
        }
        if (outcome.status == ApplyOutcome::Status::invalid) {
            body["error"] = "The database of " + deployment_.env +
                            " does not accept this contract. Nothing was changed there.";
            body["code"] = devapi::name(DevCode::contract_invalid);
            body["report"] = report_json(outcome.findings);
            return response_.send(status(DevCode::contract_invalid), body);
        }
        body["error"] = outcome.error;
        body["code"] = devapi::name(DevCode::build_failed);
        body["stage"] = outcome.failed_stage;
        response_.send(status(DevCode::build_failed), body);
    }

    Context& context_;
    const Request& request_;
    Response& response_;
    const Project& project_;
    Deployments deployments_;
    Deployment deployment_;
    json warnings_ = json::array();
    bool skip_verify_ = false, dry_run_ = false;
};

void deploy(Context& context, const Request& request, Response& response) {
    Deploy(context, request, response).run();
}

void list_deployments(Context& context, const Request& request, Response& response) {
    const std::string preview = query_value(request.query, "preview");
    if (!preview.empty() && preview != "true" && preview != "false" && preview != "1" &&
        preview != "0")
        return bad_parameter(response, "preview", "Must be true or false.");
    const int count = limit_of(request, kUsualDeployments, kMostDeployments, response);
    if (count == 0) return;
    json list = json::array();
    const Deployments deployments(context.store);
    const bool of_preview = preview == "true" || preview == "1";
    const std::string& project = request.project->id;
    const std::string answers = deployments.live_name(project, of_preview ? "preview" : "prod");
    for (const auto& deployment : deployments.list(project, of_preview, count))
        list.push_back(deployment_json(context.config, deployment, answers));
    response.send(200, {{"deployments", list}});
}

// What may be gone back to; none: answered.
std::optional<Deployment> earlier(Context& context, const Request& request, Response& response) {
    auto found =
        Deployments(context.store).find(request.project->id, request.params.at("deployment"));
    if (!found || found->status == "deploying") {
        response.not_found("Deployment");
    } else if (found->status == "live") {
        response.refuse(Code::conflict, "This deployment is already live.");
    } else if (found->status == "failed") {
        response.refuse(Code::conflict,
                        "This deployment failed, so nothing of it can be made live again.");
    } else if (!Deployments(context.store).live_one(request.project->id, found->env)) {
        response.refuse(Code::conflict, "The environment " + found->env +
                                            " was deleted, together with its rows. Deploy again.");
    } else {
        return found;
    }
    return std::nullopt;
}

void roll_back(Context& context, const Request& request, Response& response) {
    const Project& project = *request.project;
    const auto target = earlier(context, request, response);
    if (!target) return;
    const auto lease =
        context.apps.take({project.id, project.slug},
                          {LeaseKind::rollback, request.caller.user_id, target->env, target->id});
    if (!lease)
        return response.refuse(DevCode::project_busy,
                               "Another build of this project is running. Try again.");
    Release release;
    release.env = target->env;
    release.deployment = target->id;
    release.version = target->version;
    release.site = site_of(context.store, {project.id, project.slug}, target->env);
    release.rollback = true;
    const auto outcome = context.apps.release(*lease, target->contract, release,
                                              records(project_keys(context.store, project.id)),
                                              [&request](const Stage& stage) {
                                                  if (request.progress)
                                                      request.progress("stage", stage_json(stage));
                                              });
    if (outcome.status == ApplyOutcome::Status::applied) {
        context.apps.share_keys(project.id);
        const Deployments deployments(context.store);
        const auto now = deployments.find(project.id, target->id).value_or(*target);
        const std::string answers = deployments.live_name(project.id, target->env);
        return response.send(200, {{"deployment", deployment_json(context.config, now, answers)},
                                   {"swap", {{"ms", outcome.swap_ms}}}});
    }
    if (outcome.status == ApplyOutcome::Status::invalid)
        return response.send(status(DevCode::contract_invalid),
                             {{"error", "That deployment no longer fits the database of " +
                                            target->env + "; nothing was changed."},
                              {"code", devapi::name(DevCode::contract_invalid)},
                              {"report", report_json(outcome.findings)}});
    response.send(status(DevCode::build_failed), {{"error", outcome.error},
                                                  {"code", devapi::name(DevCode::build_failed)},
                                                  {"stage", outcome.failed_stage}});
}

// Rows of a preview are there to be looked at: no snapshot is taken of them.
void delete_preview(Context& context, const Request& request, Response& response) {
    const Project& project = *request.project;
    const auto lease = context.apps.take({project.id, project.slug},
                                         {LeaseKind::unpublish, request.caller.user_id, "preview"});
    if (!lease)
        return response.refuse(DevCode::project_busy,
                               "Another build of this project is running. Try again.");
    if (!Deployments(context.store).live_one(project.id, "preview")) {
        lease->finish({"refused", 0, "", ""});
        return response.not_found("Preview environment");
    }
    context.apps.unpublish(*lease);
    context.apps.share_keys(request.project->id);  // its name may be another project's now
    response.send(200, {{"deleted", "preview"}});
}

}  // namespace

void bind_deploy(RouteTable& table) {
    table.add(
        {"POST", "/projects/:id/deploy", Need::deploy, Role::developer, deploy, 64 * 1024, true});
    table.add({"GET", "/projects/:id/deploys", Need::read, Role::viewer, list_deployments},
              {"limit", "preview"});
    table.add({"POST", "/projects/:id/deploys/:deployment/rollback", Need::deploy, Role::developer,
               roll_back, 64 * 1024, true});
    table.add({"DELETE", "/projects/:id/preview", Need::deploy, Role::developer, delete_preview});
}

}  // namespace svc::devapi
