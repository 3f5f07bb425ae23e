#include "patch/operations.hpp"

namespace svc::devapi::patch {

const std::vector<Operation>& operations() {
    static const std::vector<Operation> all = {
        {"add_entity", {"entity"}, add_entity},
        {"update_entity", {"entity", "set"}, update_entity},
        {"remove_entity", {"entity"}, remove_entity},
        {"adopt_table", {"table", "owner"}, adopt_table},
        {"add_field", {"entity", "field"}, add_field},
        {"update_field", {"entity", "field"}, update_field},
        {"remove_field", {"entity", "field"}, remove_field},
        {"set_access", {"entity", "access"}, set_access},
        {"set_query", {"query"}, set_query},
        {"remove_query", {"name"}, remove_query},
        {"set_workflow", {"workflow"}, set_workflow},
        {"remove_workflow", {"id"}, remove_workflow},
        {"set_function", {"function"}, set_function},
        {"add_page", {"page"}, add_page},
        {"remove_page", {"route"}, remove_page},
        {"set_component", {"component"}, set_component},
        {"edit_component", {"name", "find", "replace"}, edit_component},
        {"set_persona", {"persona"}, set_persona},
        {"set_app", {"app"}, set_app},
    };
    return all;
}

}  // namespace svc::devapi::patch
