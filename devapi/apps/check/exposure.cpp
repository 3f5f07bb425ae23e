#include "apps/check/exposure.hpp"

#include <algorithm>

#include "check/exposure/exposure_diff.hpp"

namespace svc::devapi {
namespace {

// An entity that got another name is the same one.
void follow_names(const plan::Plan& plan, check::Exposure& before) {
    for (const plan::Table& table : plan.tables) {
        const auto at =
            std::ranges::find(before.entities, table.renamed_from, &check::EntityExposure::name);
        const auto same =
            std::ranges::find(before.entities, table.name, &check::EntityExposure::name);
        if (at != before.entities.end() && same == before.entities.end()) at->name = table.name;
    }
}

}  // namespace

std::string exposure_change(const std::optional<std::string>& live,
                            const pipeline::Checked& checked) {
    if (!live || !checked.plan) return "null";
    pipeline::Checked before = pipeline::check(*live);
    if (!before.plan) return "null";
    follow_names(*checked.plan, before.exposure);
    return check::json_text(check::compare(before.exposure, checked.exposure));
}

}  // namespace svc::devapi
