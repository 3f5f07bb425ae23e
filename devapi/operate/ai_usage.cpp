#include "operate/ai_usage.hpp"

#include <pqxx/pqxx>

namespace svc::devapi {
namespace {

constexpr const char* kHas = "select to_regclass('svc.ai_day') is not null";

}  // namespace

std::string ai_usage_json(const std::string& database, int days) {
    pqxx::connection connection(database);
    pqxx::read_transaction tx(connection);
    tx.exec0("set local statement_timeout = '10s'");
    if (!tx.exec1(kHas)[0].as<bool>()) return "[]";
    return tx.exec_params1("select svc.ai_usage($1)", days)[0].c_str();
}

}  // namespace svc::devapi
