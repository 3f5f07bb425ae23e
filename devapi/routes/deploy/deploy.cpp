// Publishing what dev has.
#include "apps/apply/apply.hpp"
#include "apps/database/snapshots.hpp"
#include "base/uuid.hpp"
#include "calls/environment.hpp"
#include "diag/codes.hpp"
#include "domains/proof.hpp"
#include "http/fields.hpp"
#include "platform/keys/keys.hpp"
#include "platform/project/deployments.hpp"
#include "routes/deploy/deploy_preview.hpp"
#include "routes/deploy/deploy_verify.hpp"
#include "routes/deploy/deployment_answer.hpp"
#include "routes/report.hpp"
#include "routes/routes.hpp"
#include "routes/take_lease.hpp"

namespace svc::devapi {
namespace {

json verify_json(const Deployment& deployment) {
    return deployment.verify ? json::parse(*deployment.verify) : json(nullptr);
}

// One deploy, from the request to the answer.
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
        const auto lease = take_lease(
            context_, request_,
            {LeaseKind::deploy, request_.caller.user_id, deployment_.env, deployment_.id},
            response_);
        if (!lease || !ready(*lease)) return;
        deployments_.begin(deployment_, request_.caller.user_id);
        answer(publish(*lease));
    }

  private:
    // A deploy that does not begin, by a refusal or by what was thrown, holds neither name nor
    // lease.
    bool ready(Lease& lease) {
        bool ready = false;
        try {
            ready = promotable() && name() &&
                    (skip_verify_ || verified(context_, request_, deployment_, response_));
        } catch (...) {
            give_up(lease, LeaseEnd::failed, "The deployment failed before it began.");
            throw;
        }
        if (!ready) give_up(lease, LeaseEnd::refused, "");
        return ready;
    }

    void give_up(Lease& lease, LeaseEnd how, const char* error) {
        deployments_.let_go(project_.id, deployment_.env);
        lease.finish({how, 0, error});
    }

    bool read() {
        Fields fields(request_);
        deployment_.id = base::new_uuid();
        deployment_.project_id = project_.id;
        deployment_.subdomain = fields.text("subdomain", 1, 63).value_or("");
        skip_verify_ = fields.boolean("skipVerify").value_or(false);
        dry_run_ = fields.boolean("dryRun").value_or(false);
        deployment_.env = fields.boolean("preview").value_or(false) ? Env::preview : Env::prod;
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
        refuse_no_app(Env::dev, response_);
        return false;
    }

    // The one that was asked for, else the one that it has, else the project's slug.
    bool name() {
        std::string& name = deployment_.subdomain;
        if (name.empty()) name = deployments_.live_name(project_.id, deployment_.env);
        if (name.empty())
            name = deployment_.env == Env::prod
                       ? project_.slug
                       : deployments_.free_name(project_.id, project_.slug + "-preview");
        if (deployments_.hold(project_.id, deployment_.env, name)) return true;
        response_.refuse(DevCode::subdomain_taken,
                         "The subdomain " + name + " is taken. Choose another one.");
        return false;
    }

    ApplyOutcome publish(Lease& lease) {
        Env env = deployment_.env;
        Release release;
        release.env = env;
        release.deployment = deployment_.id;
        release.version = deployment_.version;
        if (env == Env::prod) ask_domains();
        release.site = site_of(context_.store, {project_.id, project_.slug}, env);
        release.site.label = deployment_.subdomain;
        if (env == Env::prod)
            release.keep = [this] {
                context_.apps.take_snapshot({project_.id, Env::prod, "deploy",
                                             "Before deployment " + deployment_.id,
                                             request_.caller.user_id});
            };
        auto outcome = context_.apps.release(lease, deployment_.contract, release,
                                             records(project_keys(context_.store, project_.id)),
                                             stages_to(request_));
        if (outcome.status == ApplyOutcome::Status::applied) context_.apps.share_keys(project_.id);
        return outcome;
    }

    // A failure of DNS does not stop a deploy; the answer says which record is missing.
    void ask_domains() {
        for (const auto& answer : prove_domains(context_.config, context_.store, project_.id))
            if (!answer.why.empty()) warnings_.push_back(answer.domain.host + ": " + answer.why);
        load_published(context_.directory, context_.store);
    }

    // Warns only of the finding about this environment.
    void warn_of_secrets(const diag::Findings& findings) {
        for (const auto& finding : findings.all())
            if (finding.code == diag::kSecretMissing)
                warnings_.push_back(finding.message + " " + finding.fix);
    }

    void answer(const ApplyOutcome& outcome) {
        warn_of_secrets(outcome.findings);
        const auto now = deployments_.find(project_.id, deployment_.id).value_or(deployment_);
        const std::string answers = deployments_.live_name(project_.id, deployment_.env);
        json body = {{"deployment", deployment_json(context_.config, now, answers)},
                     {"verify", verify_json(now)},
                     {"warnings", warnings_}};
        answer_release(outcome, std::move(body),
                       "The database of " + svc::name(deployment_.env) +
                           " does not accept this contract. Nothing was changed there.",
                       response_);
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

}  // namespace

void bind_deploy(RouteTable& table) {
    table.add(
        {"POST", "/projects/:id/deploy", Need::deploy, Role::developer, deploy, 64 * 1024, true});
}

}  // namespace svc::devapi
