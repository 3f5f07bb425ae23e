// The operations of a patch on a contract: one function for each, from text to text.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "apps/database/unmanaged.hpp"
#include "patch/edit.hpp"

namespace svc::devapi::patch {

// The data that operations use beside the contract.
struct PatchContext {
    // The table in the dev database.
    std::function<Unmanaged(const std::string& table)> table = {};
    // The objects of adopted tables that the contract defines from now on: they are dropped when
    // the contract's own are made.
    std::vector<migrate::Replaced> replaced = {};
};

// Throws EditError.
using Apply = std::string (*)(const std::string& contract, const Edit& edit, PatchContext& context);

struct Operation {
    std::string_view name;
    std::vector<std::string_view> members;  // that it takes beside `op`
    Apply apply;
};

const std::vector<Operation>& operations();

// ---- the functions, by family ----

std::string add_entity(const std::string& contract, const Edit& edit, PatchContext& context);
std::string update_entity(const std::string& contract, const Edit& edit, PatchContext& context);
std::string remove_entity(const std::string& contract, const Edit& edit, PatchContext& context);
std::string adopt_table(const std::string& contract, const Edit& edit, PatchContext& context);
std::string set_access(const std::string& contract, const Edit& edit, PatchContext& context);

std::string add_field(const std::string& contract, const Edit& edit, PatchContext& context);
std::string update_field(const std::string& contract, const Edit& edit, PatchContext& context);
std::string remove_field(const std::string& contract, const Edit& edit, PatchContext& context);

std::string set_query(const std::string& contract, const Edit& edit, PatchContext& context);
std::string remove_query(const std::string& contract, const Edit& edit, PatchContext& context);
std::string set_workflow(const std::string& contract, const Edit& edit, PatchContext& context);
std::string remove_workflow(const std::string& contract, const Edit& edit, PatchContext& context);
std::string set_function(const std::string& contract, const Edit& edit, PatchContext& context);
std::string add_page(const std::string& contract, const Edit& edit, PatchContext& context);
std::string remove_page(const std::string& contract, const Edit& edit, PatchContext& context);
std::string set_component(const std::string& contract, const Edit& edit, PatchContext& context);
std::string edit_component(const std::string& contract, const Edit& edit, PatchContext& context);
std::string set_persona(const std::string& contract, const Edit& edit, PatchContext& context);
std::string set_app(const std::string& contract, const Edit& edit, PatchContext& context);

}  // namespace svc::devapi::patch
