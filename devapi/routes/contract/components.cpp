// Checks one component at the gates, before it is in a contract. Saves nothing.
#include <algorithm>

#include "apps/apply/apply.hpp"
#include "common/json_slice.hpp"
#include "contract/parse.hpp"
#include "gates/contract.hpp"
#include "http/fields.hpp"
#include "model/resolve.hpp"
#include "pipeline.hpp"
#include "routes/routes.hpp"

namespace svc::devapi {
namespace {

constexpr std::size_t kBodyLimit = std::size_t{2} << 20;
constexpr std::size_t kMostSource = 200'000;  // characters
constexpr std::size_t kMostName = 48;

bool is_component_name(const std::string& name) {
    const auto letter = [](char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); };
    if (name.empty() || name[0] < 'A' || name[0] > 'Z') return false;
    return std::ranges::all_of(name, [&](char c) { return letter(c) || (c >= '0' && c <= '9'); });
}

// None: answered 400.
std::optional<gates::Component> component_of(const Request& request, Response& response) {
    Fields fields(request);
    gates::Component out;
    out.name = fields.required_text("name", 1, kMostName);
    if (!out.name.empty() && !is_component_name(out.name))
        fields.wrong("name", "Must begin with a capital letter, and have letters and digits only.");
    out.source = fields.required_text("source", 1, kMostSource);
    out.sample = "{}";
    if (fields.has("sample")) out.sample = json_member(request.body, "sample").value_or("{}");
    if (!out.sample.starts_with('{')) fields.wrong("sample", "Must be an object.");
    if (!fields.good(response)) return std::nullopt;
    return out;
}

// Beside it: the other components and the client of the app as it is.
gates::Job job_in_project(Context& context, const Project& project) {
    const auto live = context.apps.current_contract(project.id);
    if (!live) return {};
    const auto checked = pipeline::check(live->text);
    const auto parsed = contract::parse(live->text);
    const auto resolved = parsed.contract ? model::resolve(*parsed.contract) : model::Resolved{};
    if (!checked.plan || !resolved.model) return {};
    return gates::job_of(*resolved.model, pipeline::emit(*checked.plan));
}

void put(gates::Job& job, gates::Component component) {
    std::erase_if(job.components,
                  [&](const gates::Component& one) { return one.name == component.name; });
    // The props of pages are checked with the contract, because they may change too.
    job.uses.clear();
    job.components.push_back(std::move(component));
}

json error_json(const gates::GateFinding& one) {
    return {{"file", one.component.empty() ? json() : json(one.component + ".tsx")},
            {"line", one.line},
            {"column", one.column},
            {"message", one.sample ? "sample: " + one.message : one.message}};
}

void send_report(const gates::Report& report, Response& response) {
    if (!report.trouble.empty()) return response.refuse(Code::unavailable, report.trouble);
    json passed = json::array(), errors = json::array();
    for (const gates::Gate gate : report.passed) passed.push_back(base::word(gate));
    if (!report.failed) return response.send(200, {{"ok", true}, {"passed", passed}});
    for (const auto& one : report.errors) errors.push_back(error_json(one));
    response.send(200, {{"ok", false},
                        {"passed", passed},
                        {"stage", base::word(*report.failed)},
                        {"errors", errors}});
}

void check_component(Context& context, const Request& request, Response& response) {
    auto component = component_of(request, response);
    if (!component) return;
    gates::Job job;
    if (request.project) job = job_in_project(context, *request.project);
    put(job, std::move(*component));
    const AppsConfig& config = context.apps.services().config;
    send_report(gates::run(job, built_for(config, request.caller.user_id)), response);
}

}  // namespace

void bind_components(RouteTable& table) {
    for (const char* path : {"/components/check", "/projects/:id/components/check"}) {
        Route route{"POST", path, Need::any, Role::viewer, check_component, kBodyLimit};
        route.reads = true;
        table.add(route);
    }
}

}  // namespace svc::devapi
