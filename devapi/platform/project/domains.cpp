#include "platform/project/domains.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/ascii.hpp"
#include "base/base64url.hpp"
#include "base/crypto.hpp"

namespace svc::devapi {
namespace {

constexpr std::size_t kLongestHost = 253;
constexpr std::size_t kTokenBytes = 24;
constexpr const char* kDomains =
    "select host, project_id, token, coalesce(proof, '') from project_domain";

Domain read_domain(const pqxx::row& row) {
    return {row[0].c_str(), row[1].c_str(), row[2].c_str(),
            base::read_word<DomainProof>(row[3].c_str())};
}

void insert_domain(pqxx::work& tx, const std::string& project, const std::string& host) {
    tx.exec_params(
        "insert into project_domain (host, project_id, token) values ($1, $2, $3)"
        " on conflict (host, project_id) do nothing",
        host, project, base::base64url(base::random_bytes(kTokenBytes)));
}

}  // namespace

bool is_label(const std::string& label) {
    const auto plain = [](char c) { return base::is_lower(c) || base::is_digit(c) || c == '-'; };
    return !label.empty() && label.size() <= kLongestLabel && label.front() != '-' &&
           label.back() != '-' && std::all_of(label.begin(), label.end(), plain);
}

bool is_host_name(const std::string& host) {
    if (host.size() > kLongestHost) return false;
    std::size_t labels = 0, begin = 0;
    std::string last;
    for (bool more = true; more; ++labels) {
        const auto end = host.find('.', begin);
        more = end != std::string::npos;
        last = host.substr(begin, more ? end - begin : end);
        if (!is_label(last)) return false;
        begin = end + 1;
    }
    // A host whose last label is a number is an address, or is read as one.
    return labels > 1 && last.find_first_not_of("0123456789") != std::string::npos;
}

std::vector<Domain> domains_of(Store& store, const std::string& project) {
    return store.transact([&](pqxx::work& tx) {
        std::vector<Domain> out;
        for (const auto& row : tx.exec_params(
                 std::string(kDomains) + " where project_id = $1 order by host", project))
            out.push_back(read_domain(row));
        return out;
    });
}

std::vector<std::string> proven_hosts(pqxx::work& tx, const std::string& project) {
    std::vector<std::string> out;
    for (const auto& row : tx.exec_params("select host from project_domain where project_id = $1"
                                          " and proof is not null order by host",
                                          project))
        out.emplace_back(row[0].c_str());
    return out;
}

std::optional<Domain> holder_of(Store& store, const std::string& host) {
    return store.transact([&](pqxx::work& tx) -> std::optional<Domain> {
        const auto rows =
            tx.exec_params(std::string(kDomains) + " where host = $1 and proof is not null", host);
        if (rows.empty()) return std::nullopt;
        return read_domain(rows[0]);
    });
}

// Changes of one project's domains wait for each other.
AddedDomain add_domain(Store& store, const std::string& project, const std::string& host,
                       std::size_t most) {
    return store.transact([&](pqxx::work& tx) {
        tx.exec_params("select from project where id = $1 for update", project);
        const auto now = tx.exec_params1(
            "select count(*), coalesce(bool_or(host = $2), false) from project_domain where "
            "project_id = $1",
            project, host);
        if (now[1].as<bool>()) return AddedDomain::had;
        if (now[0].as<std::size_t>() >= most) return AddedDomain::too_many;
        insert_domain(tx, project, host);
        return AddedDomain::made;
    });
}

bool remove_domain(Store& store, const std::string& project, const std::string& host) {
    return store.transact([&](pqxx::work& tx) {
        return !tx.exec_params(
                      "delete from project_domain where project_id = $1 and host = $2 returning "
                      "host",
                      project, host)
                    .empty();
    });
}

void set_domains(pqxx::work& tx, const std::string& project,
                 const std::vector<std::string>& hosts) {
    tx.exec_params("select from project where id = $1 for update", project);
    for (const std::string& host : hosts) insert_domain(tx, project, host);
    tx.exec_params(
        "delete from project_domain where project_id = $1 and host not in "
        "(select jsonb_array_elements_text($2::jsonb))",
        project, nlohmann::json(hosts).dump());
}

// The index of proven hosts decides between two who show theirs at the same moment.
bool keep_proof(Store& store, const Domain& domain, DomainProof proof) try {
    store.transact([&](pqxx::work& tx) {
        tx.exec_params("update project_domain set proof = $3 where host = $1 and project_id = $2",
                       domain.host, domain.project, std::string(base::word(proof)));
    });
    return true;
} catch (const pqxx::unique_violation&) {
    return false;
}

void end_skipped_proofs(Store& store) {
    store.transact([](pqxx::work& tx) {
        tx.exec0("update project_domain set proof = null where proof = 'skipped'");
    });
}

void end_proof(Store& store, const Domain& domain) {
    store.transact([&](pqxx::work& tx) {
        tx.exec_params("update project_domain set proof = null where host = $1 and project_id = $2",
                       domain.host, domain.project);
    });
}

}  // namespace svc::devapi
