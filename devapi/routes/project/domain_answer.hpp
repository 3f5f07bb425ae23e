// Domains of a project as requests name them and answers show them.
#pragma once

#include <vector>

#include "domains/proof.hpp"
#include "http/dev_request.hpp"

namespace svc::devapi {

// {host, verified, proof, record: {name, type, value}}. A host from before records were required
// leads to its project, but is not verified.
json domain_json(const Domain& domain);
json domains_json(const std::vector<Domain>& domains);

inline constexpr std::size_t kMostDomains = 20;  // of a project
// The reason why no project may have the host (in lower case). Empty: a project may.
std::string host_trouble(const Config& config, const std::string& host);

}  // namespace svc::devapi
