#include "migrate/flows.hpp"

namespace svc::migrate {

void set_flows(pqxx::transaction_base& tx, const plan::Plan& plan) {
    const std::string& document = plan.flows.document;
    tx.exec("select svc.unpin_tools()");
    tx.exec_params("select svc.set_flows($1::jsonb)", document.empty() ? "{}" : document);
}

}  // namespace svc::migrate
