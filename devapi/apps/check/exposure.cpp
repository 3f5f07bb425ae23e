#include "apps/check/exposure.hpp"

#include "check/exposure/exposure_diff.hpp"

namespace svc::devapi {

std::string exposure_change(const std::optional<std::string>& live,
                            const pipeline::Checked& checked) {
    if (!live || !checked.plan) return "null";
    const pipeline::Checked before = pipeline::check(*live);
    if (!before.plan) return "null";
    return check::json_text(check::compare(before.exposure, checked.exposure));
}

}  // namespace svc::devapi
