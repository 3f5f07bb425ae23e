// Passkeys on pages. A script (web/app/passkey.ts) asks the browser to create or show a passkey,
// and puts the answer into a form, which is sent like any other.
#pragma once

#include "page/visit.hpp"

namespace svc::page {

// A form that the script asks for a passkey before it is sent. The stylesheet hides it where no
// script runs, so that nothing moves once one does.
// `what`: "login" or "register".
void open_passkey_form(Html& out, std::string_view what, std::string_view look);
// {"credential": …, "name"?} of such a form; empty if the form has no credential.
std::string passkey_body(const Visit& visit);

// Writes the caller's passkeys on the account's page. Nothing if the app has none.
Task<> write_passkeys(Visit& visit, Html& out);

}  // namespace svc::page
