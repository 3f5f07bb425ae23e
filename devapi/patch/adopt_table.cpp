// An unmanaged table becomes an entity.
#include "contract/shape/shape.hpp"
#include "patch/adoption.hpp"
#include "patch/items.hpp"
#include "patch/operations.hpp"

namespace svc::devapi::patch {

std::string adopt_table(const std::string& contract, const Edit& edit, PatchContext& context) {
    const std::string name = edit.name("table");
    auto owner = edit.optional_text("owner");
    if (!contract::is_identifier(name))
        throw EditError("table",
                        "Must be the name of a table in the schema public, and a valid name of an "
                        "entity: [a-z][a-z0-9_]*, at most 48 bytes.");
    if (find_item(contract, kEntities, name))
        throw EditError("table", "The entity \"" + name + "\" already exists.");
    const Unmanaged table = context.table ? context.table(name) : Unmanaged{};
    if (!table.there) throw EditError("table", "The dev database has no table \"" + name + "\".");
    if (table.managed)
        throw EditError("table", "The table \"" + name + "\" already belongs to the contract.");
    if (!table.trouble.empty())
        throw EditError("table", "The table \"" + name + "\" cannot be adopted. " + table.trouble);
    Adoption adoption(contract, name, table, std::move(owner));
    std::string adopted = with_new_item(contract, kEntities, adoption.entity());
    for (auto& one : adoption.replaced()) context.replaced.push_back(std::move(one));
    return adopted;
}

}  // namespace svc::devapi::patch
