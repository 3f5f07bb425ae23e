// Words of other languages and services, and the corresponding names here.
#pragma once

#include <string>
#include <string_view>

namespace svc::model {

// The operator for a word in its place: "and" is &&. Empty if the word is not known.
std::string operator_for(std::string_view word);
// The operator for a character that no expression has: "=" is ==. Empty if none is known.
std::string instead_of_symbol(std::string_view symbol);
// The expression for a function that does not exist, called on `subject` if it is a bare name:
// auth.uid() is user.id.
std::string instead_of_function(std::string_view name, std::string_view subject);
// The principal for that of another service: "anon" is guest. Empty if none is known.
std::string instead_of_principal(std::string_view name);
// The name for the first name of an unknown path: auth, current_user.
std::string instead_of_name(std::string_view name);

}  // namespace svc::model
