// What people write who know another language: what it is called here.
#pragma once

#include <string>
#include <string_view>

namespace svc::model {

// Of a word that stands where an operator is needed: "and" is &&. Empty if it is not one.
std::string operator_for(std::string_view word);
// Of a character that no expression has: "=" is ==. Empty if nobody knows.
std::string instead_of_symbol(std::string_view symbol);
// Of a function that is not there, called on `subject` if it is a bare name: auth.uid() is
// user.id.
std::string instead_of_function(std::string_view name, std::string_view subject);
// Of a principal of other services: "anon" is guest. Empty if nobody knows.
std::string instead_of_principal(std::string_view name);
// Of the first name of a path that leads nowhere: auth, current_user.
std::string instead_of_name(std::string_view name);

}  // namespace svc::model
