#include <algorithm>
#include <set>

#include "contract/shape/shape.hpp"
#include "model/expr/typing.hpp"
#include "model/names.hpp"
#include "model/parts.hpp"

namespace svc::model {
namespace {

void parent(Work work, const contract::Text& in, const std::string& name, Entity& out) {
    const std::optional<std::size_t> field = find_field(out, name);
    if (!field) {
        work.findings.missing("UNKNOWN_FIELD", name, in.path,
                              out.name + " has no field \"" + name + "\".",
                              did_you_mean(name, field_names(out)));
    } else if (out.fields[*field].type != FieldType::ref) {
        work.findings.error("BAD_OWNER", in.path,
                            "\"" + name + "\" is not a ref field, so it names no parent.",
                            "name the ref field that points to the parent");
    } else {
        out.owner.parent = field;
    }
}

// An external table has columns of an owner only where its author says so.
void owner(Work work, const contract::Text& in, Entity& out) {
    constexpr std::string_view kParent = "parent:";
    const std::string text = in.text.empty() && out.external ? "none" : in.text;
    if (text.starts_with(kParent)) return parent(work, in, text.substr(kParent.size()), out);
    out.owner.user = text.empty() || text == "user" || text == "user+org";
    out.owner.org = text == "org" || text == "user+org";
    if (!out.owner.user && !out.owner.org && text != "none") {
        for (const char* column : {"user_id", "org_id"}) work.findings.doubt(column);
        work.findings.error("UNKNOWN_VALUE", in.path, "\"" + text + "\" is not a valid owner.",
                            did_you_mean(text, {"user", "org", "user+org", "none"},
                                         "use user, org, user+org, none or parent:<ref field>"));
    }
    if (out.owner.org && work.out.org_roles.empty()) {
        work.findings.error("ORGS_OFF", in.path,
                            "An owner \"org\" needs organisations, and this app has none.",
                            "add \"orgs\": {\"enabled\": true}");
    }
}

void fields(Work work, const contract::Entity& in, Entity& out) {
    NameTable names(in.external ? NameKind::foreign_field : NameKind::field, work.findings);
    for (const contract::Field& field : in.fields) {
        names.add(field.name);
        Field made;
        resolve_field(work, field, made);
        out.fields.push_back(std::move(made));
    }
    std::set<std::string> renamed;
    for (const contract::Field& field : in.fields) {
        if (!field.renamed_from) continue;
        const std::string& former = field.renamed_from->text;
        const std::vector<std::string> made = builtin_columns(out);
        if (contains(made, former) || !contract::is_identifier(former)) {
            work.findings.error("BAD_OPTION", field.renamed_from->path,
                                "\"" + former + "\" cannot be the former column of a field.",
                                "write the former name of this field");
            continue;
        }
        if (find_field(out, former) || !renamed.insert(former).second) {
            work.findings.error("BAD_OPTION", field.renamed_from->path,
                                "\"" + former + "\" is the name of another field.",
                                "write the former name of this field");
        }
    }
}

// A name that is taken would let two entities have one table.
void former_names(Work work) {
    std::set<std::string> renamed;
    for (std::size_t i = 0; i < work.in.entities.size(); ++i) {
        const contract::Entity& in = work.in.entities[i];
        if (!in.renamed_from || in.external) continue;
        const std::string& former = in.renamed_from->text;
        const auto refuse = [&](const std::string& why,
                                const std::string& fix = "write the former name of this entity") {
            work.findings.error("BAD_OPTION", in.renamed_from->path, "\"" + former + "\" " + why,
                                fix);
        };
        if (!contract::is_identifier(former)) {
            refuse("cannot be the former table of an entity.");
        } else if (former == in.name.text) {
            refuse("is the name that the entity has.");
        } else if (find_entity(work.out, former)) {
            refuse("is the name of another entity of this contract.",
                   "give that entity another name: a former name stays that of its table");
        } else if (!renamed.insert(former).second) {
            refuse("is the former name of another entity.");
        } else {
            work.out.entities[i].renamed_from = former;
        }
    }
}

// The field of the states: the author's own enum of exactly those, or one that is made here.
void lifecycle_field(Work work, const contract::Entity& in, Entity& out) {
    if (!in.lifecycle) return;
    const contract::Lifecycle& lifecycle = *in.lifecycle;
    std::vector<std::string> states;
    for (const contract::Text& state : lifecycle.states) states.push_back(state.text);
    std::optional<std::size_t> index = find_field(out, lifecycle.field.text);
    if (!index) {
        NameTable(NameKind::field, work.findings).add(lifecycle.field);
        Field field;
        field.name = lifecycle.field.text;
        field.label = words(field.name);
        field.type = FieldType::enum_;
        field.values = states;
        for (const std::string& state : states) field.labels.push_back(words(state));
        field.path = lifecycle.path;
        index = out.fields.size();
        out.fields.push_back(std::move(field));
    }
    Field& field = out.fields[*index];
    std::set<std::string> given(field.values.begin(), field.values.end());
    const bool same = field.type == FieldType::enum_ &&
                      given == std::set<std::string>(states.begin(), states.end());
    if (!same && !work.findings.doubts(lifecycle.path + "/states")) {
        work.findings.error("BAD_LIFECYCLE", lifecycle.field.path,
                            "\"" + field.name + "\" must be an enum of the lifecycle's states.",
                            "remove the field: the lifecycle adds it");
    }
    field.lifecycle = true;
    field.required = true;
    field.default_value = {Default::Kind::literal, lifecycle.initial.text};
    Lifecycle made;
    made.field = *index;
    out.lifecycle = made;
}

}  // namespace

std::optional<std::size_t> resolve_entity(Work work, const contract::Text& name) {
    const std::optional<std::size_t> entity = find_entity(work.out, name.text);
    if (!entity) unknown_entity(work, name);
    return entity;
}

std::optional<std::size_t> resolve_own_field(Work work, std::size_t entity,
                                             const contract::Text& name) {
    const Entity& of = work.out.entities[entity];
    const std::optional<std::size_t> field = find_field(of, name.text);
    if (!field) {
        work.findings.missing("UNKNOWN_FIELD", name.text, name.path,
                              of.name + " has no field \"" + name.text + "\".",
                              did_you_mean(name.text, field_names(of)));
    }
    return field;
}

void unknown_entity(Work work, const contract::Text& name) {
    const std::vector<std::string> known = entity_names(work.out);
    work.findings.missing("UNKNOWN_ENTITY", name.text, name.path,
                          "There is no entity \"" + name.text + "\".",
                          did_you_mean(name.text, known, "the entities are " + joined(known)));
}

void resolve_entities(Work work) {
    NameTable names(NameKind::entity, work.findings);
    for (const contract::Entity& in : work.in.entities) {
        names.add(in.name);
        Entity out;
        out.name = in.name.text;
        out.label = in.label.text.empty() ? words(out.name) : in.label.text;
        out.path = in.path;
        if (in.external) out.external.emplace();
        work.out.entities.push_back(std::move(out));
    }
    former_names(work);
    for (std::size_t i = 0; i < work.in.entities.size(); ++i) {
        const contract::Entity& in = work.in.entities[i];
        Entity& out = work.out.entities[i];
        fields(work, in, out);
        lifecycle_field(work, in, out);
        owner(work, in.owner, out);
        resolve_keys(work, in, out);
    }
    for (std::size_t i = 0; i < work.in.entities.size(); ++i) {
        resolve_relations(work, work.in.entities[i], work.out.entities[i]);
    }
}

void resolve_computed(Work work) {
    for (std::size_t e = 0; e < work.in.entities.size(); ++e) {
        const contract::Entity& in = work.in.entities[e];
        for (std::size_t f = 0; f < in.fields.size(); ++f) {
            if (!in.fields[f].computed) continue;
            Field& field = work.out.entities[e].fields[f];
            const ExprScope scope{.model = work.out, .entity = e, .computed = true};
            ExprPtr expr = read_value(*in.fields[f].computed, scope, field, work.findings);
            const auto uses_computed = [&](const Expr& node, const auto& self) -> bool {
                const bool here = node.steps.size() == 1 && node.steps[0].builtin.empty() &&
                                  node.steps[0].field < in.fields.size() &&
                                  in.fields[node.steps[0].field].computed.has_value();
                return here || std::any_of(node.args.begin(), node.args.end(),
                                           [&](const ExprPtr& arg) { return self(*arg, self); });
            };
            if (expr && uses_computed(*expr, uses_computed)) {
                work.findings.error("BAD_OPERAND", in.fields[f].computed->path,
                                    "A computed field cannot use another computed field.",
                                    "write the other field's expression here");
            }
            field.computed = std::move(expr);
        }
    }
}

}  // namespace svc::model
