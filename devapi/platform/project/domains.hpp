// Hosts of projects' own, under which their apps are to be reached.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/words.hpp"
#include "platform/store.hpp"

namespace svc::devapi {

// Labels of a host name: lower-case letters, digits, and hyphens inside.
inline constexpr std::size_t kLongestLabel = 63;
bool is_label(const std::string& label);

// A full host name in lower case, of letters, digits and hyphens (others in their ASCII form,
// xn--…); without port, wildcard or dot at its end. No address.
bool is_host_name(const std::string& host);

enum class DomainProof : std::uint8_t {
    dns,      // its record was seen
    skipped,  // the operator asks for none
    before    // it is older than proofs are
};

struct Domain {
    std::string host, project;
    std::string token;                 // that its TXT record holds
    std::optional<DomainProof> proof;  // none: not proven, so it leads nowhere
};

// The domains of a project, in the order of their names.
std::vector<Domain> domains_of(Store& store, const std::string& project);
std::vector<std::string> proven_hosts(pqxx::work& tx, const std::string& project);
// The project that is proven to own the host.
std::optional<Domain> holder_of(Store& store, const std::string& host);

// Sets the hosts that the project asks for. A new host gets its own token and no proof. Other
// projects may ask for the same host.
void set_domains(pqxx::work& tx, const std::string& project, const std::vector<std::string>& hosts);

// Adds a host, also during parallel requests. `most`: the most hosts of a project.
enum class AddedDomain { made, had, too_many };
AddedDomain add_domain(Store& store, const std::string& project, const std::string& host,
                       std::size_t most);
// False if the project did not ask for it.
bool remove_domain(Store& store, const std::string& project, const std::string& host);

// Returns false if another project is proven to own the host.
bool keep_proof(Store& store, const Domain& domain, DomainProof proof);
void end_proof(Store& store, const Domain& domain);
// Requires a record again for all hosts that were taken without one.
void end_skipped_proofs(Store& store);

}  // namespace svc::devapi

// As project_domain stores them and answers contain them.
template <>
struct svc::base::Words<svc::devapi::DomainProof> {
    static constexpr std::array<std::string_view, 3> kAll = {"dns", "skipped", "before"};
};
