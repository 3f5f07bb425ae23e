// Features of entities: search, external, softDelete, audit, display.
#include "model/names.hpp"
#include "model/page/page_text.hpp"
#include "model/parts.hpp"
#include "model/values.hpp"

namespace svc::model {
namespace {

void soft_delete(Work work, const contract::SoftDelete& in, Entity& out) {
    out.soft_delete = in.on;
    if (!in.keep) return;
    const std::optional<std::uint32_t> seconds = seconds_of(in.keep->text);
    if (seconds && *seconds > 0) {
        out.keep_deleted = *seconds;
        return;
    }
    work.findings.error("BAD_DURATION", in.keep->path, "\"keep\" must be longer than 0.",
                        "write a whole number and s, m, h or d: \"30d\"");
}

// A field, or text with fields in braces.
void display(Work work, std::size_t entity, const contract::Text& in) {
    Entity& out = work.out.entities[entity];
    if (in.text.find_first_of("{}") == std::string::npos) {
        if (auto column = resolve_column(work, entity, in))
            out.display = {{PageTextPart::Kind::row, in.text, std::move(*column)}};
        return;
    }
    const Page nowhere;
    out.display = read_page_text({work, nowhere, entity, false}, in);
    for (const PageTextPart& part : out.display) {
        if (part.kind != PageTextPart::Kind::user && part.kind != PageTextPart::Kind::route)
            continue;
        work.findings.error("BAD_TEMPLATE", in.path,
                            "A row's name is made of its own fields alone.",
                            "use fields of " + out.name + ": \"{" +
                                (out.fields.empty() ? "id" : out.fields.front().name) + "}\"");
    }
}

}  // namespace

void resolve_features(Work work) {
    for (std::size_t e = 0; e < work.in.entities.size(); ++e) {
        const contract::Entity& in = work.in.entities[e];
        Entity& out = work.out.entities[e];
        soft_delete(work, in.soft_delete, out);
        out.audit = in.audit;
        if (in.search && !in.search->empty()) resolve_search(work, e, *in.search);
        if (in.display) display(work, e, *in.display);
        if (in.external) resolve_external(work, e);
    }
    check_external_refs(work);
}

}  // namespace svc::model
