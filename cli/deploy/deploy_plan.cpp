#include "cli/deploy/deploy_plan.hpp"

#include <cstdio>
#include <utility>

#include "cli/confirm.hpp"
#include "cli/contract/contract_file.hpp"
#include "cli/contract/stages.hpp"
#include "cli/exit_code.hpp"
#include "cli/terminal.hpp"

namespace svc::cli {
namespace {

using json = nlohmann::json;

Reply dry_run(CliContext& context, const std::string& project, json wanted) {
    wanted["dryRun"] = true;
    return context.call(
        "Looking",
        {.method = "POST", .path = project_path(project, "/deploy"), .body = wanted.dump()});
}

std::string head_line(const json& plan) {
    const std::string env = text_of(plan, "env"),
                      version = "Version " + plan.value("version", json()).dump();
    const json live = plan.value("live", json());
    if (live.is_null()) return version + " is the first one on " + env + ".\n";
    if (plan.value("changes", json::array()).empty())
        return version + " has the same contract as version " + live.dump() + ", which is on " +
               env + " now.\n";
    return version + " replaces version " + live.dump() + " on " + env + ":\n";
}

void show(const json& plan) {
    print(head_line(plan) + difference_lines(plan.value("changes", json())) + exposure_lines(plan) +
          plan_lines(plan.value("plan", json())) +
          unmanaged_lines(plan.value("unmanaged", json())));
    std::fflush(stdout);
}

}  // namespace

int plan_deploy(CliContext& context, const std::string& project, json wanted, bool yes) {
    const Reply reply = dry_run(context, project, std::move(wanted));
    const json plan = json::parse(reply.body, nullptr, false);
    if (!reply.ok() || !plan.is_object()) return kDone;
    show(plan);
    if (yes || !is_interactive() || plan.value("live", json()).is_null()) return kDone;
    return confirm(context, "This changes what answers on " + text_of(plan, "env") + ".", false);
}

int show_deploy_plan(CliContext& context, const std::string& project, json wanted) {
    const auto plan = context.accept(dry_run(context, project, std::move(wanted)));
    if (!plan) return kRefused;
    if (!context.wants_json()) show(*plan);
    return kDone;
}

}  // namespace svc::cli
