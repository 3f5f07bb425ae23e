#include "domains/proof.hpp"

#include <algorithm>
#include <map>

#include "domains/txt_records.hpp"

namespace svc::devapi {
namespace {

using Records = std::map<std::string, TxtRecords>;  // by name

std::string what_is_missing(const TxtRecords& records, const Domain& domain) {
    if (records.hold(domain.token)) return {};
    const std::string name = record_name(domain.host);
    if (records.status == TxtRecords::Status::unknown)
        return "DNS does not answer right now (" + records.trouble + "). Try again.";
    return records.texts.empty() ? "There is no TXT record at " + name + " yet."
                                 : "The TXT record at " + name + " has another value.";
}

// The record of the project that has the host counts first.
bool is_kept_by_another(Store& store, const TxtRecords& records, const Domain& domain) {
    const auto holder = holder_of(store, domain.host);
    if (!holder || holder->project == domain.project) return false;
    if (records.hold(holder->token)) return true;
    end_proof(store, *holder);
    return false;
}

DomainAnswer prove(Store& store, const Records& found, Domain domain) {
    const TxtRecords& records = found.at(record_name(domain.host));
    if (std::string why = what_is_missing(records, domain); !why.empty())
        return {std::move(domain), std::move(why)};
    if (is_kept_by_another(store, records, domain) || !keep_proof(store, domain, DomainProof::dns))
        return {
            std::move(domain),
            "Another project owns this host, and the TXT record of that project is still there."};
    domain.proof = DomainProof::dns;
    return {std::move(domain), {}};
}

// A shown proof stays: it is valid longer than the operator's permission.
DomainAnswer take_unproven(Store& store, Domain domain) {
    if (domain.proof) return {std::move(domain), {}};
    if (!keep_proof(store, domain, DomainProof::skipped))
        return {std::move(domain), "Another project owns this host."};
    domain.proof = DomainProof::skipped;
    return {std::move(domain), {}};
}

}  // namespace

std::string record_name(const std::string& host) { return "_svc." + host; }

std::vector<DomainAnswer> prove_domains(const Config& config, Store& store,
                                        const std::string& project, const std::string& host) {
    std::vector<Domain> domains = domains_of(store, project);
    if (!host.empty())
        std::erase_if(domains, [&host](const Domain& each) { return each.host != host; });
    std::vector<DomainAnswer> out;
    out.reserve(domains.size());
    if (config.domains_unproven) {
        for (Domain& domain : domains) out.push_back(take_unproven(store, std::move(domain)));
        return out;
    }
    std::vector<std::string> names;
    names.reserve(domains.size());
    for (const Domain& domain : domains) names.push_back(record_name(domain.host));
    const Records records = txt_records(config.dns_server, names);
    for (Domain& domain : domains) out.push_back(prove(store, records, std::move(domain)));
    return out;
}

}  // namespace svc::devapi
