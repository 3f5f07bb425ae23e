// Our own SQL if there is no schema but that of temporary objects.
#pragma once

#include <string>
#include <string_view>

namespace svc::query {

// public.order and svc.user_id() as pg_temp.order and pg_temp.user_id(), outside of texts.
std::string in_temporary(std::string_view sql);

}  // namespace svc::query
