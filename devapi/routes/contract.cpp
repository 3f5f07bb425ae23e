// Reading the contract back, and checking one.
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
    response.send(200, {{"report", report_json(context.apps.check(std::string(*contract)))}});
}

}  // namespace

void bind_contract(RouteTable& table) {
    table.add({"GET", "/projects/:id/contract", Need::any, Role::viewer, show});
    table.add({"POST", "/projects/:id/check", Need::any, Role::viewer, check, kContractLimit});
}

}  // namespace svc::devapi
