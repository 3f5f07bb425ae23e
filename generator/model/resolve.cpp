#include "model/resolve.hpp"

#include <utility>

#include "model/parts.hpp"

namespace svc::model {

Resolved resolve(const contract::Contract& contract) {
    Resolved resolved;
    Model model;
    const Work work{contract, model, resolved.findings};
    resolve_app(work);
    resolve_personas(work);
    resolve_auth(work);
    resolve_entities(work);
    if (!resolved.findings.has_errors()) {
        resolve_computed(work);
        resolve_lifecycles(work);
        resolve_access(work);
        resolve_rules(work);
        resolve_seeds(work);
    }
    if (!resolved.findings.has_errors()) resolved.model = std::move(model);
    return resolved;
}

}  // namespace svc::model
