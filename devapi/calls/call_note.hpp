// The audit record of a call of the developer API.
#pragma once

#include "http/route_table.hpp"

namespace svc::devapi {

// Records who did what, and the answer: for every call of a known caller that changes something or
// tried to. If the record cannot be written, a line is logged, because the call is already
// answered.
void note_call(Context& context, const Route& route, const Request& request,
               const Response& response) noexcept;

}  // namespace svc::devapi
