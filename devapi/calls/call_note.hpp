// The audit record of a call of the developer API.
#pragma once

#include "http/route_table.hpp"

namespace svc::devapi {

// Records who did what, and how it was answered: of whatever changes something, or tried to, by
// somebody who is known. A record that cannot be written is a line of the log: the call was
// answered already.
void note_call(Context& context, const Route& route, const Request& request,
               const Response& response) noexcept;

}  // namespace svc::devapi
