#include "emit/openapi/openapi_files.hpp"

#include <algorithm>

#include "emit/fill.hpp"
#include "emit/openapi/openapi_paths.hpp"

namespace svc::emit {

bool has_files(const plan::Plan& plan) {
    const auto holds = [](const plan::ServedEntity& entity) { return !entity.files.empty(); };
    return !plan.files.usual || std::ranges::any_of(plan.entities, holds);
}

void put_files(const plan::Plan& plan, const Json& answers, Json& paths, Json& schemas) {
    if (!has_files(plan)) return;
    const kainjow::mustache::data none;
    schemas.update(fill_json("openapi_file_schemas.json.mustache", none));
    const Json fixed = fill_json("openapi_files.json.mustache", none);
    for (const auto& [path, item] : fixed.items()) paths[path] = path_item(item, answers);
}

}  // namespace svc::emit
