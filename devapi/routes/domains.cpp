// Showing that a domain is one's own.
#include "routes/domain_answer.hpp"
#include "routes/environment.hpp"
#include "routes/routes.hpp"

namespace svc::devapi {
namespace {

void verify_domain(Context& context, const Request& request, Response& response) {
    if (!may_change(request, "prod", response)) return;
    const auto answers = prove_domains(context.config, context.store, request.project->id, true);
    load_published(context.directory, context.store);
    for (const DomainAnswer& answer : answers)
        if (answer.domain.host == request.params.at("host"))
            return response.send(200, {{"domain", answers_json({answer})[0]}});
    response.not_found("Domain");
}

}  // namespace

json domain_json(const Domain& domain) {
    return {
        {"host", domain.host},
        {"verified", !domain.proof.empty()},
        {"proof", domain.proof.empty() ? json(nullptr) : json(domain.proof)},
        {"record", {{"name", record_name(domain.host)}, {"type", "TXT"}, {"value", domain.token}}}};
}

json domains_json(const std::vector<Domain>& domains) {
    json out = json::array();
    for (const Domain& domain : domains) out.push_back(domain_json(domain));
    return out;
}

json answers_json(const std::vector<DomainAnswer>& answers) {
    json out = json::array();
    for (const DomainAnswer& answer : answers) {
        out.push_back(domain_json(answer.domain));
        if (!answer.why.empty()) out.back()["missing"] = answer.why;
    }
    return out;
}

void bind_domains(RouteTable& table) {
    table.add({"POST", "/projects/:id/domains/:host/verify", Need::apply, Role::developer,
               verify_domain});
}

}  // namespace svc::devapi
