// The parts of the sign-in forms.
#pragma once

#include "page/account/sign_in.hpp"

namespace svc::page {

struct SignInField {
    std::string_view name, label, type, complete;
    bool focus = false;
    bool optional = false;
    std::string hint = {};
};
// An input of one line, with what is wrong with it.
void write_line(Html& out, const Visit& visit, const SignInField& line);

// Writes the address to open after the sign-in as a hidden input.
void write_next(Html& out, const Visit& visit);
void open_sign_in_form(Html& out, const Visit& visit, const SignInState& state);
// `act` says what the form is for; the button's own words follow.
void close_sign_in_form(Html& out, std::string_view act, std::string_view words,
                        std::string_view look);

}  // namespace svc::page
