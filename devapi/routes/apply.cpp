// Applying a contract: the one call that builds, migrates and swaps.
#include "http/fields.hpp"
#include "routes/apply_answer.hpp"
#include "routes/report.hpp"
#include "routes/routes.hpp"

namespace svc::devapi {
namespace {

void apply(Context& context, const Request& request, Response& response) {
    const auto contract = contract_of(request, response);
    if (!contract) return;
    Fields fields(request);
    const bool force = fields.boolean("force").value_or(false);
    const bool dry = fields.boolean("dryRun").value_or(false);
    if (!fields.good(response)) return;
    const Project& project = *request.project;
    if (dry)
        return send_outcome(context.apps.preview({project.id, project.slug}, std::string(*contract),
                                                 project.role >= Role::admin),
                            response);
    const auto turn = take_turn(context, request, response);
    if (turn) run_apply(context, request, *turn, std::string(*contract), force, response);
}

}  // namespace

void bind_apply(RouteTable& table) {
    table.add(
        {"POST", "/projects/:id/apply", Need::apply, Role::developer, apply, kContractLimit, true});
}

}  // namespace svc::devapi
