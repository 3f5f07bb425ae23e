// Showing that a domain is one's own.
#include "base/ascii.hpp"
#include "routes/domain_answer.hpp"
#include "routes/routes.hpp"
#include "settings/platform_hosts.hpp"

namespace svc::devapi {
namespace {

void verify_domain(Context& context, const Request& request, Response& response) {
    const std::string host = base::lower(request.params.at("host"));
    const auto answers = prove_domains(context.config, context.store, request.project->id, host);
    if (answers.empty()) return response.not_found("Domain");
    load_published(context.directory, context.store);
    json domain = domain_json(answers.front().domain);
    if (!answers.front().why.empty()) domain["missing"] = answers.front().why;
    response.send(200, {{"domain", std::move(domain)}});
}

}  // namespace

json domain_json(const Domain& domain) {
    return {
        {"host", domain.host},
        {"verified", domain.proof == "dns" || domain.proof == "skipped"},
        {"proof", domain.proof.empty() ? json(nullptr) : json(domain.proof)},
        {"record", {{"name", record_name(domain.host)}, {"type", "TXT"}, {"value", domain.token}}}};
}

json domains_json(const std::vector<Domain>& domains) {
    json out = json::array();
    for (const Domain& domain : domains) out.push_back(domain_json(domain));
    return out;
}

void bind_domains(RouteTable& table) {
    table.add({"POST", "/projects/:id/domains/:host/verify", Need::deploy, Role::developer,
               verify_domain});
}

}  // namespace svc::devapi
