#include "model/names.hpp"
#include "model/parts.hpp"

namespace svc::model {

void resolve_relations(Work work, const contract::Entity& in, Entity& out) {
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
                                    " is not a ref to " + out.name + ".",
                                "name the ref field that points to " + out.name);
            work.findings.doubt(relation.name);
            continue;
        }
        out.relations.push_back({relation.name, *many, *by});
    }
}

}  // namespace svc::model
