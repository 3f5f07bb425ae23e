// A form that a browser has sent to a page: finds its block and does what the form asks for.
#pragma once

#include <optional>

#include "page/account/sign_in.hpp"
#include "page/visit.hpp"

namespace svc::page {

// The number of the block whose form was sent. Nothing if the page has no such block.
std::optional<std::size_t> block_of(const Visit& visit);

// Refuses a form of a visitor whose session has ended since the form was opened: as a guest's row,
// the row would have no owner, and perhaps everybody could read it. The browser forgets the
// session.
Progress leave_lapsed(Visit& visit);

// Reads a form that may hold files, while it comes.
Task<Progress> read_files(Visit& visit);

// Does what a form of a block asks for. `state`: that of the sign-in form of an auth block.
Task<Progress> act(Visit& visit, std::size_t number, std::optional<SignInState>& state);

}  // namespace svc::page
