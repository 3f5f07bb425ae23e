#include "check/lint/lint.hpp"

namespace svc::check {

// A restore brings back the row alone that was deleted: what went with it for good is lost.
void lint_deletes(const Lint& lint, const model::Entity& entity) {
    if (entity.soft_delete) return;
    for (const model::Field& field : entity.fields) {
        if (field.type != model::FieldType::ref || field.on_delete != model::OnDelete::cascade)
            continue;
        const model::Entity& parent = lint.model.entities[field.ref_entity];
        if (!parent.soft_delete) continue;
        lint.findings.warning(
            "CASCADE_FOR_GOOD", field.path + "/onDelete",
            "A deleted " + parent.name + " can be restored, but its rows of " + entity.name +
                " are purged with it.",
            "give " + entity.name + " \"softDelete\", or use \"onDelete\": \"restrict\"");
    }
}

}  // namespace svc::check
