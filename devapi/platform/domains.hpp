// Hosts of projects' own, under which their apps are to be reached.
#pragma once

#include <string>
#include <vector>

#include "platform/store.hpp"

namespace svc::devapi {

// Of a host name: letters of lower case, digits and hyphens inside.
inline constexpr std::size_t kLongestLabel = 63;
bool is_label(const std::string& label);

// A full host name in lower case, of letters, digits and hyphens (others in their ASCII form,
// xn--…); without port, wildcard or dot at its end. No address.
bool is_host_name(const std::string& host);

// In the order of their names.
std::vector<std::string> domains_of(pqxx::work& tx, const std::string& project);
struct DomainTaken {
    std::string host;
};
// The project has these and no others. Throws DomainTaken where one is another project's; the
// transaction must not be committed then.
void set_domains(pqxx::work& tx, const std::string& project, const std::vector<std::string>& hosts);

}  // namespace svc::devapi
