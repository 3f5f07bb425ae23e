#include "check/page/pages.hpp"

#include <algorithm>
#include <string>

#include "check/page/principals.hpp"

namespace svc::check {
namespace {

using model::Block;
using model::BlockKind;
using model::Column;
using model::Field;
using model::Principal;

template <typename Test>
bool any_of(const std::vector<Principal>& principals, const Test& test) {
    return std::any_of(principals.begin(), principals.end(), test);
}

const Field* field_of(const model::Model& model, std::size_t entity, const Column& column) {
    return column.builtin.empty() ? &model.entities[entity].fields[column.field] : nullptr;
}

// Columns whose values the block brings to light.
std::vector<Column> shown(const Block& block) {
    std::vector<Column> out = block.fields;
    for (const auto& column :
         {block.image, block.by, block.column, block.group_by, block.date_field}) {
        if (column) out.push_back(*column);
    }
    if (block.sort) out.push_back(block.sort->column);
    for (const model::FilterClause& clause : block.filter) out.push_back(clause.column);
    for (const model::PageTextPart& part : block.link) {
        if (part.kind == model::PageTextPart::Kind::row) out.push_back(part.column);
    }
    return out;
}

void hidden_fields(const model::Model& model, const Block& block, diag::Findings& findings) {
    for (const Column& column : shown(block)) {
        const Field* field = field_of(model, *block.entity, column);
        if (field == nullptr) continue;
        const bool seen = any_of(block.to, [&](const Principal& principal) {
            return is_listed(model, field->read, principal);
        });
        if (seen) continue;
        findings.warning("HIDDEN_FIELD_SHOWN", column.path,
                         "Nobody who sees this block may read \"" + field->name + "\".",
                         "show the block to others, or let one of these callers read the field");
    }
}

bool nothing_to_see(const model::Model& model, const Block& block, std::size_t entity,
                    diag::Findings& findings) {
    const bool seen = any_of(block.to, [&](const Principal& principal) {
        return may_read(model, model.entities[entity], principal);
    });
    if (seen) return false;
    findings.warning("BLOCK_SHOWS_NOTHING", block.path,
                     "Nobody who sees this block may read \"" + model.entities[entity].name + "\".",
                     "show the block to others, or let one of these callers read the entity");
    return true;
}

void query_for_nobody(const model::Model& model, const Block& block, diag::Findings& findings) {
    const auto query =
        std::find_if(model.queries.begin(), model.queries.end(),
                     [&](const model::Query& other) { return other.name == *block.query; });
    const bool run = query == model.queries.end() || any_of(block.to, [&](const Principal& who) {
                         return may_run(model, *query, who);
                     });
    if (run) return;
    findings.warning("BLOCK_SHOWS_NOTHING", block.path,
                     "Nobody who sees this block may run \"" + *block.query + "\".",
                     "show the block to others, or let one of these callers run the query");
}

bool in_form(const Block& block, std::size_t field) {
    return std::any_of(block.fields.begin(), block.fields.end(),
                       [&](const Column& column) { return column.field == field; }) ||
           std::any_of(block.set.begin(), block.set.end(),
                       [&](const auto& preset) { return preset.first == field; });
}

bool must_be_sent(const Field& field) {
    return field.required && field.default_value.kind == model::Default::Kind::none &&
           !field.computed && !field.lifecycle && field.type != model::FieldType::sequence;
}

void unsendable(const model::Model& model, const Block& block, const Field& field,
                const std::string& path, diag::Findings& findings) {
    const bool sent = any_of(block.to, [&](const Principal& principal) {
        return is_listed(model, field.write, principal);
    });
    if (sent) return;
    findings.warning("FORM_FOR_NOBODY", path,
                     "Nobody who sees this form may send \"" + field.name + "\".",
                     "show the form to others, or let one of these callers write the field");
}

void form(const model::Model& model, const Block& block, diag::Findings& findings) {
    const model::Entity& entity = model.entities[*block.entity];
    const bool changes = !block.id.empty();
    const bool possible = any_of(block.to, [&](const Principal& principal) {
        return changes ? may_update(model, entity, principal)
                       : may_create(model, entity, principal);
    });
    if (!possible) {
        findings.warning("FORM_FOR_NOBODY", block.path,
                         std::string("Nobody who sees this form may ") +
                             (changes ? "update" : "create") + " rows of \"" + entity.name + "\".",
                         "show it to others, or let one of these callers use them");
    }
    for (const Column& column : block.fields) {
        unsendable(model, block, entity.fields[column.field], column.path, findings);
    }
    for (const auto& [field, value] : block.set) {
        unsendable(model, block, entity.fields[field],
                   block.path + "/set/" + entity.fields[field].name, findings);
    }
    if (changes || block.fields.empty()) return;
    for (std::size_t i = 0; i < entity.fields.size(); ++i) {
        if (!must_be_sent(entity.fields[i]) || in_form(block, i)) continue;
        findings.warning(
            "FORM_LACKS_FIELD", block.path,
            "This form does not send the required field \"" + entity.fields[i].name + "\".",
            "add it to \"fields\" or \"set\"");
    }
}

// Buttons that everybody who sees them is refused at.
void actions(const model::Model& model, const Block& block, diag::Findings& findings) {
    const model::Entity& entity = model.entities[*block.entity];
    const bool possible = any_of(block.to, [&](const Principal& principal) {
        return (block.remove && may_delete(model, entity, principal)) ||
               std::any_of(block.transitions.begin(), block.transitions.end(), [&](std::size_t i) {
                   return may_make(model, entity.lifecycle->transitions[i], principal);
               });
    });
    if (possible) return;
    findings.warning("BLOCK_SHOWS_NOTHING", block.path,
                     "Nobody who sees this block may use any of its buttons.",
                     "show it to others, or let one of these callers use them");
}

void sign_in(const Block& block, diag::Findings& findings) {
    const bool reached = any_of(block.to, [](const Principal& principal) {
        return principal.kind == Principal::Kind::any || principal.kind == Principal::Kind::guest;
    });
    if (reached) return;
    findings.warning("SIGN_IN_HIDDEN", block.path,
                     "Only signed-in callers see this block, so nobody can sign in here.",
                     "add \"guest\" to \"to\"");
}

void check_block(const model::Model& model, const Block& block, diag::Findings& findings) {
    if (block.kind == BlockKind::form) return form(model, block, findings);
    if (block.kind == BlockKind::auth) return sign_in(block, findings);
    for (const std::size_t entity : block.entities) {
        nothing_to_see(model, block, entity, findings);
    }
    if (block.query) query_for_nobody(model, block, findings);
    if (!block.entity) return;
    if (block.kind == BlockKind::upload) {
        const Field& field = model.entities[*block.entity].fields[block.file_field];
        unsendable(model, block, field, block.path + "/field", findings);
    }
    if (nothing_to_see(model, block, *block.entity, findings)) return;
    if (block.kind == BlockKind::actions) return actions(model, block, findings);
    hidden_fields(model, block, findings);
}

}  // namespace

void check_pages(const model::Model& model, diag::Findings& findings) {
    for (const model::Page& page : model.pages) {
        for (const Block& block : page.body) check_block(model, block, findings);
    }
    unused_components(model, findings);
}

}  // namespace svc::check
