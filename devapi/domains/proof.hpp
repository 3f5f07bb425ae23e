// Checks that a project owns a domain: by a TXT record at _svc.<host> with the token that the
// project got.
#pragma once

#include <string>
#include <vector>

#include "platform/project/domains.hpp"
#include "platform/store.hpp"
#include "settings/config.hpp"

namespace svc::devapi {

std::string record_name(const std::string& host);  // _svc.<host>

struct DomainAnswer {
    Domain domain;    // as it is now
    std::string why;  // what is missing, for people; empty if nothing is
};

// Looks up the records of the project's domains, of `host` alone where one is named, and stores the
// result. A proven domain whose record is gone stays proven until another project shows a record of
// its own. Blocks on DNS for 5 s at most. With SVC_DOMAINS_UNPROVEN nothing is looked up.
std::vector<DomainAnswer> prove_domains(const Config& config, Store& store,
                                        const std::string& project, const std::string& host = {});

}  // namespace svc::devapi
