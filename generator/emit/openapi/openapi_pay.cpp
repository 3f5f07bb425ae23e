#include "emit/openapi/openapi_pay.hpp"

#include "emit/fill.hpp"
#include "emit/openapi/openapi_paths.hpp"

namespace svc::emit {
namespace {

// The settings of payments as the database reads them; null: none.
Json payments_of(const plan::Plan& plan) {
    if (plan.flows.document.empty()) return nullptr;
    return Json::parse(plan.flows.document).value("payments", Json(nullptr));
}

}  // namespace

bool takes_payments(const plan::Plan& plan) { return !payments_of(plan).is_null(); }

void put_payments(const plan::Plan& plan, const Json& answers, Json& paths, Json& schemas) {
    const Json payments = payments_of(plan);
    if (payments.is_null()) return;
    kainjow::mustache::data data;
    data["order"] = payments["order_table"].get<std::string>();
    const Json items = fill_json("openapi_pay.json.mustache", data);
    for (const auto& [path, item] : items.items()) paths[path] = path_item(item, answers);
    schemas.update(fill_json("openapi_pay_schemas.json.mustache", data));
    if (!payments["card"].get<bool>()) return;
    data["name"] = std::string("card");
    data["signed"] = true;
    data["stripe"] = true;
    const Json hook = fill_json("openapi_hook.json.mustache", data);
    for (const auto& [path, item] : hook.items()) paths[path] = path_item(item, answers);
}

}  // namespace svc::emit
