#include "domains/proof.hpp"

#include <algorithm>

#include "domains/txt_records.hpp"

namespace svc::devapi {
namespace {

using Answer = TxtRecords::Answer;

struct Shown {
    bool shown = false;
    bool sure = false;  // the name's server said so
    std::string why;
};

Shown look_up(const Config& config, const Domain& domain) {
    const TxtRecords records = txt_records(record_name(domain.host), config.dns_server);
    if (records.answer == Answer::failed)
        return {false, false, "DNS does not answer just now (" + records.why + "). Try again."};
    if (std::ranges::find(records.values, domain.token) != records.values.end())
        return {true, true, {}};
    return {false, true,
            records.values.empty()
                ? "There is no TXT record at " + record_name(domain.host) + " yet."
                : "The TXT record at " + record_name(domain.host) + " holds another value."};
}

// Another project's that is proven, and whose own record still stands, keeps the host.
bool is_kept_by_another(const Config& config, Store& store, const Domain& domain) {
    const auto holder = holder_of(store, domain.host);
    if (!holder || holder->project == domain.project) return false;
    const Shown theirs = look_up(config, *holder);
    if (theirs.shown || !theirs.sure) return true;
    end_proof(store, *holder);
    return false;
}

DomainAnswer prove(const Config& config, Store& store, Domain domain) {
    if (config.domains_unproven) {
        if (!keep_proof(store, domain, "skipped"))
            return {domain, "Another project has this host."};
        domain.proof = "skipped";
        return {domain, {}};
    }
    const Shown own = look_up(config, domain);
    if (!own.shown) return {domain, own.why};
    if (is_kept_by_another(config, store, domain) || !keep_proof(store, domain, "dns"))
        return {domain, "Another project has shown a record of its own, which still stands."};
    domain.proof = "dns";
    return {domain, {}};
}

}  // namespace

std::string record_name(const std::string& host) { return "_svc." + host; }

std::vector<DomainAnswer> prove_domains(const Config& config, Store& store,
                                        const std::string& project, bool again) {
    std::vector<DomainAnswer> out;
    for (const Domain& domain : domains_of(store, project))
        out.push_back(again || domain.proof.empty() ? prove(config, store, domain)
                                                    : DomainAnswer{domain, {}});
    return out;
}

}  // namespace svc::devapi
