// Everything of a contract that has a name and is set, added or removed whole.
#include "common/json_slice.hpp"
#include "patch/items.hpp"
#include "patch/operations.hpp"

namespace svc::devapi::patch {
namespace {

constexpr List kQueries{"queries", "name", "query"};
constexpr List kWorkflows{"workflows", "id", "workflow"};
constexpr List kFunctions{"functions", "name", "function"};
constexpr List kPages{"pages", "route", "page"};
constexpr List kComponents{"components", "name", "component"};
constexpr List kPersonas{"personas", "id", "persona"};

std::string name_in(const Edit& edit, const List& list) {
    auto name = text_member(edit.object(list.what), list.key);
    if (!name || name->empty())
        throw EditError(std::string(list.what), "Needs a \"" + std::string(list.key) + "\".");
    return std::move(*name);
}

// In the place of the one of its name, or at the end.
std::string set_item(const std::string& contract, const Edit& edit, const List& list) {
    const auto at = find_item(contract, list, name_in(edit, list));
    const std::string_view item = edit.object(list.what);
    return at ? with_item(contract, list, *at, item) : with_new_item(contract, list, item);
}

std::string remove_item(const std::string& contract, const Edit& edit, const List& list) {
    return without_item(contract, list, need_item(contract, list, edit.name(list.key), list.key));
}

}  // namespace

std::string set_query(const std::string& contract, const Edit& edit, PatchContext&) {
    return set_item(contract, edit, kQueries);
}

std::string remove_query(const std::string& contract, const Edit& edit, PatchContext&) {
    return remove_item(contract, edit, kQueries);
}

std::string set_workflow(const std::string& contract, const Edit& edit, PatchContext&) {
    return set_item(contract, edit, kWorkflows);
}

std::string remove_workflow(const std::string& contract, const Edit& edit, PatchContext&) {
    return remove_item(contract, edit, kWorkflows);
}

std::string set_function(const std::string& contract, const Edit& edit, PatchContext&) {
    return set_item(contract, edit, kFunctions);
}

std::string add_page(const std::string& contract, const Edit& edit, PatchContext&) {
    const std::string route = name_in(edit, kPages);
    if (find_item(contract, kPages, route))
        throw EditError("page", "There is a page at \"" + route + "\" already.");
    return with_new_item(contract, kPages, edit.object("page"));
}

std::string remove_page(const std::string& contract, const Edit& edit, PatchContext&) {
    return remove_item(contract, edit, kPages);
}

std::string set_component(const std::string& contract, const Edit& edit, PatchContext&) {
    return set_item(contract, edit, kComponents);
}

std::string edit_component(const std::string& contract, const Edit& edit, PatchContext&) {
    const std::size_t at = need_item(contract, kComponents, edit.name("name"), "name");
    const std::string_view component = item_at(contract, kComponents, at);
    std::string source = text_member(component, "source").value_or("");
    const std::string find = edit.name("find"), replace = edit.text("replace");
    const std::size_t first = source.find(find);
    if (first == std::string::npos)
        throw EditError("find", "This text does not occur in the source of the component.");
    if (source.find(find, first + 1) != std::string::npos)
        throw EditError("find",
                        "This text occurs more than once in the source of the component. Send more "
                        "of the text around it.");
    source.replace(first, find.size(), replace);
    return with_item(contract, kComponents, at,
                     with_member(component, "source", json_text(source)));
}

std::string set_persona(const std::string& contract, const Edit& edit, PatchContext&) {
    return set_item(contract, edit, kPersonas);
}

// Settings that it does not name stay.
std::string set_app(const std::string& contract, const Edit& edit, PatchContext&) {
    const std::string app(json_member(contract, "app").value_or("{}"));
    return with_member(contract, "app", merged(app, edit.object("app")));
}

}  // namespace svc::devapi::patch
