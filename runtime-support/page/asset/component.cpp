// Components of the contract. The server sends the place and the props; the rest is done by the
// scripts that the generator made of the component (web/components/mount.js).
#include "base/json_text.hpp"
#include "page/asset/assets.hpp"
#include "page/block.hpp"

namespace svc::page {
namespace {

std::string props_json(const Visit& visit, const Block& block) {
    std::string out = "{";
    for (const Pair& prop : block.props) {
        if (out.size() > 1) out += ',';
        base::append_json(out, prop.name);
        out += ':' + filled_json(visit, prop.value);
    }
    return out + "}";
}

}  // namespace

void write_component(Visit& visit, const Block& block, Html& out) {
    out << "<div class=\"block component\"";
    out.attribute("data-component", block.component_name)
            .attribute("data-props", props_json(visit, block))
        << "><noscript><p class=\"empty\">This part of the page needs JavaScript, which your "
           "browser has turned off.</p></noscript></div>";
    visit.need_script(asset_path(visit.site(), visit.site().scripts->front().name));
}

}  // namespace svc::page
