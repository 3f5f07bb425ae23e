#include "model/resolve.hpp"

#include <utility>

#include "model/parts.hpp"

namespace svc::model {

Resolved resolve(const contract::Contract& contract, const QueryRows& rows) {
    Resolved resolved;
    Model model;
    const Work work{contract, model, resolved.findings, rows};
    resolved.findings.doubt_all(contract.doubtful);
    resolve_app(work);
    resolve_personas(work);
    resolve_auth(work);
    resolve_orgs(work);
    resolve_entities(work);
    resolve_computed(work);
    resolve_lifecycles(work);
    resolve_access(work);
    resolve_rules(work);
    resolve_queries(work);
    resolve_seeds(work);
    resolve_sign_in(work);
    resolve_files(work);
    resolve_ai(work);
    resolve_connectors(work);
    resolve_features(work);
    resolve_payments(work);
    resolve_flows(work);
    resolve_pages(work);
    const bool whole = contract.doubtful.empty() && !resolved.findings.has_errors();
    if (whole) {
        resolved.model = std::move(model);
    } else {
        resolved.draft = std::move(model);
    }
    return resolved;
}

}  // namespace svc::model
