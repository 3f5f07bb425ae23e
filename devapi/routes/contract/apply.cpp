// Applying a contract: the one call that builds, migrates and swaps.
#include "http/fields.hpp"
#include "routes/contract/apply_answer.hpp"
#include "routes/contract/base_version.hpp"
#include "routes/report.hpp"
#include "routes/routes.hpp"
#include "routes/take_lease.hpp"

namespace svc::devapi {
namespace {

// Under the lease: of two that started from the same version, the second one finds the first.
// False: answered.
bool may_take_place(Context& context, const Request& request, std::optional<int> base,
                    ApplyRequest& wanted, Response& response) {
    const auto live = context.apps.current_contract(request.project->id);
    if (base) return is_live_one(context, request, *base, live, response);
    if (live) wanted.notices = not_based(context, request, *live, wanted.contract);
    return true;
}

void apply(Context& context, const Request& request, Response& response) {
    const auto contract = contract_of(request, response);
    if (!contract) return;
    Fields fields(request);
    ApplyRequest wanted{std::string(*contract), fields.boolean("force").value_or(false)};
    const bool dry = fields.boolean("dryRun").value_or(false);
    const auto base = base_version_of(fields);
    if (!fields.good(response)) return;
    if (dry) {
        if (may_take_place(context, request, base, wanted, response))
            run_preview(context, request, wanted, response);
        return;
    }
    const auto lease =
        take_lease(context, request, {LeaseKind::apply, request.caller.user_id}, response);
    if (!lease) return;
    if (!may_take_place(context, request, base, wanted, response))
        return lease->finish(
            {LeaseEnd::refused, 0, "The contract was not based on the live version."});
    run_apply(context, request, *lease, wanted, response);
}

}  // namespace

void bind_apply(RouteTable& table) {
    table.add(
        {"POST", "/projects/:id/apply", Need::apply, Role::developer, apply, kContractLimit, true});
}

}  // namespace svc::devapi
