#include <algorithm>
#include <set>

#include "contract/shape.hpp"
#include "model/expr/typing.hpp"
#include "model/names.hpp"
#include "model/parts.hpp"

namespace svc::model {
namespace {

// A name that the owner's parent, an index or a unique may use.
bool is_column(const Entity& entity, const std::string& name) {
    const std::vector<std::string> made = builtin_columns(entity);
    return find_field(entity, name) || std::find(made.begin(), made.end(), name) != made.end();
}

void check_column(Work work, const Entity& entity, const std::string& name,
                  const std::string& path) {
    if (is_column(entity, name)) return;
    std::vector<std::string> known = field_names(entity);
    for (const std::string& made : builtin_columns(entity)) known.push_back(made);
    work.findings.missing("UNKNOWN_FIELD", name, path,
                          entity.name + " has no field \"" + name + "\".",
                          did_you_mean(name, known));
}

void parent(Work work, const contract::Text& in, const std::string& name, Entity& out) {
    const std::optional<std::size_t> field = find_field(out, name);
    if (!field) {
        work.findings.missing("UNKNOWN_FIELD", name, in.path,
                              out.name + " has no field \"" + name + "\".",
                              did_you_mean(name, field_names(out)));
    } else if (out.fields[*field].type != FieldType::ref) {
        work.findings.error("BAD_OWNER", in.path,
                            "\"" + name + "\" is no ref, so nothing stands above it.",
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
        work.findings.error(
            "UNKNOWN_VALUE", in.path, "\"" + text + "\" is no owner.",
            did_you_mean(text, {"user", "org", "user+org", "none"},
                         "it is one of user, org, user+org, none, parent:<ref field>"));
    }
    if (out.owner.org && work.out.org_roles.empty()) {
        work.findings.error("ORGS_OFF", in.path, "Rows of organisations need organisations.",
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
                                "\"" + former + "\" is no column that a field can have been.",
                                "name the column that this field was before");
            continue;
        }
        if (find_field(out, former) || !renamed.insert(former).second) {
            work.findings.error("BAD_OPTION", field.renamed_from->path,
                                "\"" + former + "\" is the name of another field.",
                                "name the column that this field was before");
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
        field.path = lifecycle.path;
        index = out.fields.size();
        out.fields.push_back(std::move(field));
    }
    Field& field = out.fields[*index];
    std::set<std::string> given(field.values.begin(), field.values.end());
    const bool same = field.type == FieldType::enum_ &&
                      given == std::set<std::string>(states.begin(), states.end());
    if (!same && !work.findings.doubts(lifecycle.path + "/states")) {
        work.findings.error(
            "BAD_LIFECYCLE", lifecycle.field.path,
            "\"" + field.name + "\" is declared, but not as an enum of the lifecycle's states.",
            "take the field out: the lifecycle makes it");
    }
    field.lifecycle = true;
    field.required = true;
    field.default_value = {Default::Kind::literal, lifecycle.initial.text};
    Lifecycle made;
    made.field = *index;
    out.lifecycle = made;
}

void relations(Work work, const contract::Entity& in, Entity& out) {
    NameTable names(NameKind::relation, work.findings);
    for (const contract::Relation& relation : in.relations) {
        const contract::Text name{relation.name, contract::name_of(relation.path)};
        names.add(name);
        if (find_field(out, relation.name)) {
            work.findings.error("NAME_TAKEN", name.path,
                                "\"" + relation.name + "\" is also a field of " + out.name + ".",
                                "choose another name");
        }
        const std::optional<std::size_t> many = resolve_entity(work, relation.many);
        if (!many) {
            work.findings.doubt(relation.name);
            continue;
        }
        const std::optional<std::size_t> by = resolve_own_field(work, *many, relation.by);
        if (!by) work.findings.doubt(relation.name);
        if (!by || work.out.entities[*many].fields[*by].broken) continue;
        const Field& field = work.out.entities[*many].fields[*by];
        if (field.type != FieldType::ref || work.out.entities[field.ref_entity].name != out.name) {
            work.findings.error("BAD_RELATION", relation.by.path,
                                "\"" + field.name + "\" of " + relation.many.text +
                                    " is no ref to " + out.name + ".",
                                "name the ref field that points back here");
            work.findings.doubt(relation.name);
            continue;
        }
        out.relations.push_back({relation.name, *many, *by});
    }
}

std::vector<std::string> plain_texts(const contract::Texts& texts) {
    std::vector<std::string> out;
    for (const contract::Text& text : texts) out.push_back(text.text);
    return out;
}

// A list of no columns; `at` is its place in the list of lists.
void no_columns(Work work, const Entity& entity, const char* key, std::size_t at) {
    const std::string path = contract::child(contract::child(entity.path, key), at);
    work.findings.missing("BAD_OPTION", path, path, "This list names no field.",
                          "name fields, or take it out");
}

void uniques(Work work, const contract::Entity& in, Entity& out) {
    std::set<std::vector<std::string>> seen;
    for (std::size_t i = 0; i < in.unique.size(); ++i) {
        const contract::Texts& columns = in.unique[i];
        if (columns.empty()) no_columns(work, out, "unique", i);
        std::vector<std::string> made;
        for (const contract::Text& column : distinct(work, columns)) {
            check_column(work, out, column.text, column.path);
            made.push_back(column.text);
        }
        if (!made.empty() && !seen.insert(made).second) {
            work.findings.error("BAD_OPTION", columns.front().path,
                                "These are said to be unique together already.", "take them out");
            continue;
        }
        if (!made.empty()) out.unique.push_back(std::move(made));
    }
}

void indexes(Work work, const contract::Entity& in, Entity& out) {
    std::set<std::vector<std::string>> seen;
    for (std::size_t i = 0; i < in.indexes.size(); ++i) {
        const contract::Texts& columns = in.indexes[i];
        if (columns.empty()) no_columns(work, out, "indexes", i);
        std::vector<std::string> names;
        std::vector<IndexColumn> made;
        for (const contract::Text& column : columns) {
            const bool descending = column.text.starts_with("-");
            const std::string name = column.text.substr(descending ? 1 : 0);
            check_column(work, out, name, column.path);
            if (contains(names, name)) {
                work.findings.error("BAD_OPTION", column.path,
                                    "\"" + name + "\" stands here a second time.", "take it out");
            }
            names.push_back(name);
            made.push_back({name, descending});
        }
        if (!columns.empty() && !seen.insert(plain_texts(columns)).second) {
            work.findings.error("BAD_OPTION", columns.front().path,
                                "There is such an index already.", "take it out");
            continue;
        }
        if (!made.empty()) out.indexes.push_back(std::move(made));
    }
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
    for (std::size_t i = 0; i < work.in.entities.size(); ++i) {
        const contract::Entity& in = work.in.entities[i];
        Entity& out = work.out.entities[i];
        fields(work, in, out);
        lifecycle_field(work, in, out);
        owner(work, in.owner, out);
        uniques(work, in, out);
        indexes(work, in, out);
    }
    for (std::size_t i = 0; i < work.in.entities.size(); ++i) {
        relations(work, work.in.entities[i], work.out.entities[i]);
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
                                    "A computed field cannot use a computed field.",
                                    "write that field's expression out here");
            }
            field.computed = std::move(expr);
        }
    }
}

}  // namespace svc::model
