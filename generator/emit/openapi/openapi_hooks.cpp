#include "emit/openapi/openapi_hooks.hpp"

#include "emit/fill.hpp"
#include "emit/openapi/openapi_paths.hpp"

namespace svc::emit {
namespace {

// [{name, scheme, …}], as the database takes them.
Json hooks_in(const plan::Plan& plan) {
    if (!plan.flows.hooks) return Json::array();
    return Json::parse(plan.flows.document).value("hooksIn", Json::array());
}

Json path_of(const Json& hook) {
    const std::string scheme = hook["scheme"];
    kainjow::mustache::data data;
    data["name"] = hook["name"].get<std::string>();
    data["signed"] = scheme != "none";
    data[scheme] = true;
    return fill_json("openapi_hook.json.mustache", data);
}

}  // namespace

bool takes_hooks(const plan::Plan& plan) { return !hooks_in(plan).empty(); }

void put_hooks(const plan::Plan& plan, const Json& answers, Json& paths, Json& schemas) {
    for (const Json& hook : hooks_in(plan)) {
        const Json items = path_of(hook);
        for (const auto& [path, item] : items.items()) paths[path] = path_item(item, answers);
    }
    schemas.update(fill_json("openapi_hook_schemas.json.mustache", kainjow::mustache::data()));
}

}  // namespace svc::emit
