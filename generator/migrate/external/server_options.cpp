#include "migrate/external/server_options.hpp"

#include <tuple>

namespace svc::migrate {
namespace {

// PostgreSQL's list of "name=value".
Options read_options(const pqxx::row& row) {
    Options out;
    for (const auto& field : row) {
        auto items = field.as_array();
        for (auto [what, text] = items.get_next(); what != pqxx::array_parser::juncture::done;
             std::tie(what, text) = items.get_next()) {
            if (what != pqxx::array_parser::juncture::string_value) continue;
            const auto equals = text.find('=');
            out[text.substr(0, equals)] = text.substr(equals + 1);
        }
    }
    return out;
}

}  // namespace

std::optional<Options> server_options(pqxx::transaction_base& tx, const std::string& server) {
    const auto rows = tx.exec_params(
        "select coalesce(srvoptions, '{}') from pg_foreign_server where srvname = $1", server);
    if (rows.empty()) return std::nullopt;
    return read_options(rows[0]);
}

std::optional<Options> account_options(pqxx::transaction_base& tx, const std::string& server,
                                       const std::string& role) {
    const auto rows = tx.exec_params(
        "select coalesce(umoptions, '{}') from pg_user_mappings where srvname = $1 and"
        " usename = $2",
        server, role);
    if (rows.empty()) return std::nullopt;
    return read_options(rows[0]);
}

std::string altered(pqxx::transaction_base& tx, const Options& now, const Options& wanted) {
    std::string out;
    const auto add = [&out](const std::string& one) { out += (out.empty() ? "" : ", ") + one; };
    for (const auto& [name, value] : wanted) {
        const auto at = now.find(name);
        if (at != now.end() && at->second == value) continue;
        add((at == now.end() ? "add " : "set ") + tx.quote_name(name) + " " + tx.quote(value));
    }
    for (const auto& [name, value] : now) {
        if (!wanted.contains(name)) add("drop " + tx.quote_name(name));
    }
    return out;
}

std::string created(pqxx::transaction_base& tx, const Options& wanted) {
    std::string out;
    for (const auto& [name, value] : wanted) {
        out += (out.empty() ? "" : ", ") + tx.quote_name(name) + " " + tx.quote(value);
    }
    return out;
}

}  // namespace svc::migrate
