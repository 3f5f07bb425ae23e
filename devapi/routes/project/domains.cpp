// Hosts of a project: ask for one, prove it, release it.
#include "base/ascii.hpp"
#include "domains/public_suffix.hpp"
#include "http/fields.hpp"
#include "routes/project/domain_answer.hpp"
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

// Adds one host, because a list of all hosts would remove those that another call adds at the same
// time.
void add_domain(Context& context, const Request& request, Response& response) {
    Fields fields(request);
    const std::string host = base::lower(request.params.at("host"));
    if (std::string trouble = host_trouble(context.config, host); !trouble.empty())
        fields.wrong("host", std::move(trouble));
    if (!fields.good(response)) return;
    const std::string& project = request.project->id;
    const AddedDomain added = add_domain(context.store, project, host, kMostDomains);
    if (added == AddedDomain::too_many)
        return response.refuse(Code::conflict, "The project has " + std::to_string(kMostDomains) +
                                                   " hosts of its own already. Remove one first.");
    if (context.config.domains_unproven)
        prove_domains(context.config, context.store, project, host);
    load_published(context.directory, context.store);
    for (const Domain& domain : domains_of(context.store, project))
        if (domain.host == host)
            return response.send(added == AddedDomain::made ? 201 : 200,
                                 {{"domain", domain_json(domain)}});
    response.not_found("Domain");  // somebody has removed it since
}

void remove_domain(Context& context, const Request& request, Response& response) {
    const std::string host = base::lower(request.params.at("host"));
    if (!remove_domain(context.store, request.project->id, host))
        return response.not_found("Domain");
    load_published(context.directory, context.store);
    response.send(200, {{"removed", host}});
}

}  // namespace

std::string host_trouble(const Config& config, const std::string& host) {
    if (!is_host_name(host))
        return "'" + host + "' is not a host name. Write it like shop.example.com.";
    if (is_platforms(config, host) || is_given_out(config, host))
        return "'" + host + "' belongs to the platform.";
    if (is_public_suffix(host))
        return "Anybody can register names below '" + host +
               "'. Use a host of your own, such as shop.example.com.";
    return {};
}

json domain_json(const Domain& domain) {
    return {
        {"host", domain.host},
        {"verified", domain.proof == DomainProof::dns || domain.proof == DomainProof::skipped},
        {"proof", domain.proof ? json(base::word(*domain.proof)) : json(nullptr)},
        {"record", {{"name", record_name(domain.host)}, {"type", "TXT"}, {"value", domain.token}}}};
}

json domains_json(const std::vector<Domain>& domains) {
    json out = json::array();
    for (const Domain& domain : domains) out.push_back(domain_json(domain));
    return out;
}

void bind_domains(RouteTable& table) {
    const char* one = "/projects/:id/domains/:host";
    table.add({"PUT", one, Need::deploy, Role::developer, add_domain});
    table.add({"DELETE", one, Need::deploy, Role::developer, remove_domain});
    table.add({"POST", "/projects/:id/domains/:host/verify", Need::deploy, Role::developer,
               verify_domain});
}

}  // namespace svc::devapi
