// The other rows that a read policy reads. Feeds need them: a row may become visible or hidden
// because another row changed.
#include <algorithm>

#include "plan/access.hpp"
#include "plan/access/read_look.hpp"
#include "plan/names.hpp"
#include "plan/served/served.hpp"

namespace svc::plan {
namespace {

using model::Entity;
using model::Model;

// The row that same_as names.
ServedLook look_above(const Model& model, const Entity& entity,
                      const std::vector<ServedColumn>& columns) {
    ServedLook out;
    out.target = cpp_identifier(decided_by(model, entity).name);
    out.column = column_at(columns, entity.fields[*entity.access.same_as].name);
    return out;
}

ServedLook serve_look(const Model& model, const ReadLook& look) {
    const Entity& target = model.entities[look.entity];
    const std::vector<ServedColumn> columns = serve_columns(model, target);
    ServedLook out;
    out.target = cpp_identifier(target.name);
    out.made = look.made;
    out.who = look.who;
    for (const std::string& name : look.columns) out.columns.push_back(column_at(columns, name));
    std::ranges::sort(out.columns);
    if (look.key) out.key = std::pair(column_at(columns, look.key->column), look.key->of);
    return out;
}

}  // namespace

std::vector<ServedLook> serve_looks(const Model& model, const Entity& entity,
                                    const std::vector<ServedColumn>& columns) {
    std::vector<ServedLook> out;
    if (entity.access.same_as) out.push_back(look_above(model, entity, columns));
    for (const ReadLook& look : read_looks(model, entity)) out.push_back(serve_look(model, look));
    return out;
}

}  // namespace svc::plan
