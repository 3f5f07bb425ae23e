// Statements of the runtime's own.
#pragma once

#include "db/pool.hpp"

namespace svc::identity {

// The SQL casts its parameters, so their types need no list. Views, as in db::Command.
inline db::Command command(std::string_view name, std::string_view sql,
                           std::span<const db::Param> params, db::RowSink* sink = nullptr) {
    db::Command command;
    command.statement.name = name;
    command.statement.sql = sql;
    command.params = params;
    command.sink = sink;
    return command;
}

}  // namespace svc::identity
