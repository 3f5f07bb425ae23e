// Domains of a project as answers show them.
#pragma once

#include <vector>

#include "domains/proof.hpp"
#include "http/dev_request.hpp"

namespace svc::devapi {

// {host, verified, proof, record: {name, type, value}}
json domain_json(const Domain& domain);
json domains_json(const std::vector<Domain>& domains);
// The same with `missing`, where something is.
json answers_json(const std::vector<DomainAnswer>& answers);

}  // namespace svc::devapi
