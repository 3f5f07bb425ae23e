#include "emit/page/site_parts.hpp"
#include "emit/text.hpp"

namespace svc::emit {

std::string entity_address(const std::string& cpp_value) {
    return cpp_value.empty() ? "" : "&" + cpp_value + "::entity";
}

std::string text_parts(const plan::SiteText& text, const std::string& name, Constants& out) {
    std::vector<std::string> parts;
    parts.reserve(text.size());
    for (const plan::SitePart& part : text)
        parts.push_back("{" + out.value("Part", base::word(part.kind)) + ", " +
                        cpp_literal(part.of) + "}");
    const bool one_value = text.size() == 1 && text[0].kind != plan::PartKind::text;
    if (!one_value) return out.row("Part", name, parts);
    const plan::SitePart& only = text[0];
    return out.shared("Part", "k" + pascal_words(base::word(only.kind)) + pascal_words(only.of),
                      parts);
}

std::string site_value(const plan::SiteValue& value, const std::string& name, Constants& out) {
    Members members;
    members.text("json", value.json);
    members.code("text", text_parts(value.text, name, out));
    return members.braced();
}

}  // namespace svc::emit
