// Entities and their fields.
#include "common/json_slice.hpp"
#include "patch/items.hpp"
#include "patch/operations.hpp"

namespace svc::devapi::patch {
namespace {

// The name of an object that an edit brings.
std::string own_name(std::string_view object, const List& list, std::string_view member) {
    auto name = text_member(object, list.key);
    if (!name || name->empty())
        throw EditError(std::string(member), "Needs a \"" + std::string(list.key) + "\".");
    return std::move(*name);
}

void must_be_new(std::string_view object, const List& list, std::string_view name) {
    if (find_item(object, list, name))
        throw EditError(std::string(list.what), "The " + std::string(list.what) + " \"" +
                                                    std::string(name) + "\" already exists.");
}

std::size_t entity_at(const std::string& contract, const Edit& edit) {
    return need_item(contract, kEntities, edit.name("entity"), "entity");
}

// The contract with what `change` makes of the entity that the edit names.
template <class Change>
std::string with_changed_entity(const std::string& contract, const Edit& edit, Change change) {
    const std::size_t at = entity_at(contract, edit);
    return with_item(contract, kEntities, at,
                     change(std::string(item_at(contract, kEntities, at))));
}

// The contract with what `change` makes of each seed of this entity; seeds may be UNCHANGED.
template <class Change>
std::string with_changed_seeds(const std::string& contract, const std::string& entity,
                               Change change) {
    const auto seeds = json_member(contract, "seeds");
    const auto rows = seeds ? json_member(*seeds, entity) : std::nullopt;
    if (!rows) return contract;
    std::string list(*rows);
    for (std::size_t i = json_elements(list).size(); i-- > 0;)
        list = with_element(list, i, change(json_elements(list)[i]));
    return with_member(contract, "seeds", with_member(*seeds, entity, list));
}

}  // namespace

std::string add_entity(const std::string& contract, const Edit& edit, PatchContext&) {
    const std::string_view entity = edit.object("entity");
    must_be_new(contract, kEntities, own_name(entity, kEntities, "entity"));
    return with_new_item(contract, kEntities, entity);
}

std::string update_entity(const std::string& contract, const Edit& edit, PatchContext&) {
    const std::string_view set = edit.object("set");
    if (json_member(set, "name"))
        throw EditError(
            "set",
            "A patch cannot rename an entity, because other parts of the contract name it. Change "
            "the name everywhere in the contract, and give the entity \"renamedFrom\".");
    return with_changed_entity(contract, edit,
                               [&](const std::string& entity) { return merged(entity, set); });
}

// Its seeds are removed with it: they would have no table.
std::string remove_entity(const std::string& contract, const Edit& edit, PatchContext&) {
    const std::string name = edit.name("entity");
    const std::string rest = without_item(contract, kEntities, entity_at(contract, edit));
    const auto seeds = json_member(rest, "seeds");
    return seeds ? with_member(rest, "seeds", without_member(*seeds, name)) : rest;
}

std::string set_access(const std::string& contract, const Edit& edit, PatchContext&) {
    const std::string_view access = edit.value("access");
    if (access != "null") edit.object("access");
    return with_changed_entity(contract, edit, [&](const std::string& entity) {
        return access == "null" ? without_member(entity, "access")
                                : with_member(entity, "access", access);
    });
}

std::string add_field(const std::string& contract, const Edit& edit, PatchContext&) {
    const std::string_view field = edit.object("field");
    const std::string name = own_name(field, kFields, "field");
    return with_changed_entity(contract, edit, [&](const std::string& entity) {
        must_be_new(entity, kFields, name);
        return with_new_item(entity, kFields, field);
    });
}

// Finds the field by its name, or by `renamedFrom` if it still has that name.
std::string update_field(const std::string& contract, const Edit& edit, PatchContext&) {
    const std::string_view changes = edit.object("field");
    const std::string name = own_name(changes, kFields, "field");
    const auto former = text_member(changes, "renamedFrom");
    bool renamed = false;
    std::string changed = with_changed_entity(contract, edit, [&](const std::string& entity) {
        auto at = find_item(entity, kFields, name);
        if (!at && former) {
            at = find_item(entity, kFields, *former);
            renamed = at.has_value();
        }
        if (!at) at = need_item(entity, kFields, name, "field");
        return with_item(entity, kFields, *at, merged(item_at(entity, kFields, *at), changes));
    });
    if (!renamed) return changed;
    return with_changed_seeds(changed, edit.name("entity"), [&](std::string_view row) {
        return with_renamed_member(row, *former, name);
    });
}

std::string remove_field(const std::string& contract, const Edit& edit, PatchContext&) {
    const std::string name = edit.name("field");
    const std::string rest = with_changed_entity(contract, edit, [&](const std::string& entity) {
        return without_item(entity, kFields, need_item(entity, kFields, name, "field"));
    });
    return with_changed_seeds(rest, edit.name("entity"),
                              [&](std::string_view row) { return without_member(row, name); });
}

}  // namespace svc::devapi::patch
