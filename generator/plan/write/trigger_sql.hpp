// Writes triggers and their functions.
#pragma once

#include <string>
#include <string_view>

#include "model/model.hpp"
#include "plan/plan.hpp"

namespace svc::plan {

// Policies hold for who writes: a caller, not the owner or one of the owner's functions. For a
// trigger's own condition, or a function with the writer's rights.
std::string by_caller(const model::Entity& entity);

// The rights of a function: with the owner's rights it also reads rows that the writer may not see.
enum class Rights { writer, owner };

// A statement that refuses the write. `code` is a SQLSTATE; `message` is SQL; `column` may be
// empty.
std::string raise(std::string_view code, const std::string& message, const std::string& column);
// svc.<entity>_<purpose>(), of statements.
Routine trigger_function(const model::Entity& entity, const std::string& purpose,
                         const std::string& body, Rights rights);
// <entity>_<name>, before each row that `when` ("insert or update") names and `condition` (empty:
// every one) holds for; `call` is a function of svc with its arguments.
Routine trigger(const model::Entity& entity, const std::string& name, const std::string& when,
                const std::string& condition, const std::string& call);

}  // namespace svc::plan
