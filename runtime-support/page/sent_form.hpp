// A form that a browser has sent to a page: finds its block and does what the form asks for.
#pragma once

#include <optional>

#include "page/account/sign_in.hpp"
#include "page/visit.hpp"

namespace svc::page {

// Number of the block whose form was sent; nothing where the page has none of it.
std::optional<std::size_t> block_of(const Visit& visit);

// A visitor who was signed in when a form was opened does not send it as a guest: its row would be
// nobody's, and perhaps everybody could read it. The browser forgets the session that has ended.
Progress leave_lapsed(Visit& visit);

// Reads a form that may hold files, while it comes.
Task<Progress> read_files(Visit& visit);

// Does what a form of a block asks for. `state`: that of the sign-in form of an auth block.
Task<Progress> act(Visit& visit, std::size_t number, std::optional<SignInState>& state);

}  // namespace svc::page
