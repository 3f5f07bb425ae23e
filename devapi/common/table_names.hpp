// The tables of an app, for messages about an unknown table name.
#pragma once

namespace svc::devapi {

// SQL: the names of tables and views, in order.
inline constexpr const char* kTableNames =
    "select relname from pg_class where relnamespace = 'public'::regnamespace "
    "and relkind in ('r', 'p', 'v') order by relname";

}  // namespace svc::devapi
