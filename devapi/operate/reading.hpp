// One reading of an app's database: a transaction that writes nothing, on a connection of its own.
#pragma once

#include <pqxx/pqxx>
#include <string>

namespace svc::devapi {

// Throws pqxx::failure.
struct Reading {
    // `patience`: the time that a statement may take, as PostgreSQL writes it.
    explicit Reading(const std::string& database, const std::string& patience = "10s")
        : connection(database), tx(connection) {
        tx.exec0("set local statement_timeout = '" + patience + "'");
    }

    pqxx::connection connection;
    pqxx::read_transaction tx;
};

}  // namespace svc::devapi
