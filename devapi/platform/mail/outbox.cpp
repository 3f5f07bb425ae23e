#include "platform/mail/outbox.hpp"

#include <pqxx/pqxx>

#include "auth/link/link_token.hpp"
#include "common/iso_time.hpp"

namespace svc::devapi {
namespace {

std::vector<std::string> first_column(const pqxx::result& rows) {
    std::vector<std::string> out;
    for (const auto& row : rows) out.emplace_back(row[0].c_str());
    return out;
}

// The account's id, if there is one.
std::optional<std::string> account_as(pqxx::work& tx, const std::string& as) {
    const auto rows = tx.exec_params(
        "select a.id from svc.account a left join svc.seed s on s.entity = '@users' and s.row_id = "
        "a.id "
        "where (a.email = lower($1) or a.persona = $1) and not a.disabled "
        "order by a.email = lower($1) desc, s.row_id is null, a.created_at, a.id limit 1",
        as);
    if (rows.empty()) return std::nullopt;
    return rows[0][0].as<std::string>();
}

// A persona of the contract that is live, without an account yet.
std::optional<std::string> make_account(pqxx::work& tx, const std::string& persona) {
    const auto rows = tx.exec_params(
        "insert into svc.account (email, name, persona, verified_at) "
        "select 'demo-' || $1 || '-' || substr(gen_random_uuid()::text, 1, 8) || '@example.test', "
        "coalesce(p ->> 'label', $1), $1, now() "
        "from svc.contract c, json_array_elements(c.contract::json -> 'personas') p "
        "where p ->> 'id' = $1 limit 1 returning id",
        persona);
    if (rows.empty()) return std::nullopt;
    return rows[0][0].as<std::string>();
}

}  // namespace

std::vector<std::string> read_outbox(const std::string& database_url, const OutboxQuery& query) {
    pqxx::connection connection(database_url);
    pqxx::read_transaction tx(connection);
    return first_column(tx.exec_params(
        std::string(
            "select json_build_object('id', id, 'to', recipient, 'subject', subject, 'text', body, "
            "'links', links, 'createdAt', ") +
            iso_millis("created_at") +
            ")::text from svc.mail where ended_at is null and ($1 = '' or recipient = lower($1)) "
            "order by created_at desc, id desc limit $2",
        query.to, query.limit));
}

std::vector<std::string> demo_accounts(const std::string& database_url) {
    pqxx::connection connection(database_url);
    pqxx::read_transaction tx(connection);
    return first_column(tx.exec(
        "select json_build_object('as', coalesce(a.email, p ->> 'id'), 'persona', p ->> 'id', "
        "'label', p ->> 'label', 'email', a.email, 'name', a.name)::text "
        "from svc.contract c cross join json_array_elements(c.contract::json -> 'personas') with "
        "ordinality "
        "as persona (p, place) left join lateral (select email, name from svc.account "
        "where persona = p ->> 'id' and not disabled order by created_at, id limit 5) a on true "
        "order by place, a.email"));
}

std::optional<DemoLink> make_demo_link(const std::string& database_url, const std::string& as) {
    pqxx::connection connection(database_url);
    pqxx::work tx(connection);
    auto account = account_as(tx, as);
    if (!account) account = make_account(tx, as);
    if (!account) return std::nullopt;
    const auth::link::LinkToken token;
    const auto rows = tx.exec_params(
        std::string("insert into svc.token (hash, purpose, account_id, email, data, expires_at) "
                    "select $1::bytea, 'magic', id, email, 'demo', now() + interval '15 minutes' "
                    "from svc.account where id = $2::uuid "
                    "returning ") +
            iso_millis("expires_at"),
        token.hash, *account);
    tx.exec_params0(
        "insert into svc.audit (event, account_id, detail) values ('demo_link', $1::uuid, $2)",
        *account, as);
    tx.commit();
    return DemoLink{token.value, rows[0][0].c_str()};
}

}  // namespace svc::devapi
