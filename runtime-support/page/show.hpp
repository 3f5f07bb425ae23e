// A page of the contract, or a standard one, as its visitor sees it.
#pragma once

#include "page/account/sign_in.hpp"
#include "page/visit.hpp"

namespace svc::page {

// The state of the sign-in form of the auth block with this number.
SignInState sign_in_state_of(const Visit& visit, const Block& block, std::size_t number);

// Answers with the page, with status 422 if one of its forms was refused. `state`: how far the form
// of an auth block has come; null: at its beginning.
Task<> show_page(Visit& visit, const SignInState* state);

}  // namespace svc::page
