#include "operate/held.hpp"

#include <pqxx/pqxx>

#include "operate/id_list.hpp"
#include "operate/reading.hpp"
#include "operate/runs.hpp"

namespace svc::devapi {
namespace {

constexpr const char* kHasHeld = "select to_regprocedure('svc.held_counts()') is not null";

constexpr int kPart = 1000;  // runs that one statement releases or drops, at most

int change_held(const std::string& database, const char* sql, HeldKind kind,
                const std::optional<std::vector<std::string>>& ids) {
    pqxx::connection connection(database);
    const auto listed = ids ? std::optional(id_list(*ids)) : std::nullopt;
    const std::string of_kind(base::word(kind));
    int out = 0;
    for (int part = kPart; part >= kPart;) {
        pqxx::work tx(connection);
        part = tx.exec_params(sql, of_kind, listed)[0][0].as<int>();
        tx.commit();
        out += part;
        if (kind != HeldKind::runs) break;
    }
    return out;
}

}  // namespace

bool has_held(const std::string& database) {
    pqxx::connection connection(database);
    pqxx::read_transaction tx(connection);
    return tx.exec1(kHasHeld)[0].as<bool>();
}

std::string held_counts_json(const std::string& database) {
    Reading reading(database);
    if (reading.tx.exec1(kHasHeld)[0].as<bool>())
        return reading.tx.exec1("select svc.held_counts()")[0].c_str();
    return "{\"runs\":" + std::to_string(held_runs(database)) + ",\"mails\":0,\"deliveries\":0}";
}

std::string held_json(const std::string& database, int limit) {
    Reading reading(database);
    return reading.tx.exec_params("select svc.held($1)", limit)[0][0].c_str();
}

int release_held(const std::string& database, HeldKind kind,
                 const std::optional<std::vector<std::string>>& ids) {
    return change_held(database, "select svc.release_held($1, $2::uuid[])", kind, ids);
}

int drop_held(const std::string& database, HeldKind kind,
              const std::optional<std::vector<std::string>>& ids) {
    return change_held(database, "select svc.drop_held($1, $2::uuid[])", kind, ids);
}

}  // namespace svc::devapi
