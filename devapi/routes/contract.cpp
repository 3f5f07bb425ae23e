// Reading the contract back, and checking one.
#include "http/fields.hpp"
#include "http/json_slice.hpp"
#include "routes/report.hpp"
#include "routes/routes.hpp"

namespace svc::devapi {
namespace {

// Put together by hand: the contract keeps its author's order and digits.
void show(Context& context, const Request& request, Response& response) {
    const AppState state = context.apps.state(request.project->id);
    const std::string contract =
        state.contract ? with_member(*state.contract, "seeds", "\"UNCHANGED\"") : "null";
    response.body =
        "{\"contract\":" + contract + ",\"built\":" + (state.built ? "true" : "false") + "}";
}

void check(Context& context, const Request& request, Response& response) {
    const auto contract = contract_of(request, response);
    if (!contract) return;
    Fields fields(request);
    const bool all = fields.boolean("exposure").value_or(false);
    if (!fields.good(response)) return;
    const CheckOutcome outcome = context.apps.check(request.project->id, std::string(*contract),
                                                    request.project->role >= Role::admin);
    json answer = {{"report", report_json(outcome.findings)},
                   {"exposure", json::parse(outcome.exposure)}};
    if (all) {
        answer["matrix"] = json::parse(outcome.matrix);
        answer["table"] = outcome.table;
    }
    response.send(200, answer);
}

}  // namespace

void bind_contract(RouteTable& table) {
    table.add({"GET", "/projects/:id/contract", Need::any, Role::viewer, show});
    table.add({"POST", "/projects/:id/check", Need::any, Role::viewer, check, kContractLimit, false,
               false, true});
}

}  // namespace svc::devapi
