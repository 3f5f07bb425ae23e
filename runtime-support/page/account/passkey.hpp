// Passkeys on pages. A browser makes and shows them by a script (web/app/passkey.ts), which puts
// what the browser says into a form; the form is sent as every other.
#pragma once

#include "page/visit.hpp"

namespace svc::page {

// A form that the script asks for a passkey before it is sent. The stylesheet hides it where no
// script runs, so that nothing moves once one does.
// `what`: "login" or "register".
void open_passkey_form(Html& out, std::string_view what, std::string_view look);
// {"credential": …, "name"?} of such a form; empty where it brought none.
std::string passkey_body(const Visit& visit);

// Writes the caller's passkeys on the account's page. Nothing if the app has none.
Task<> write_passkeys(Visit& visit, Html& out);

}  // namespace svc::page
