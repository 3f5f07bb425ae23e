#include "platform/domains.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace svc::devapi {
namespace {

constexpr std::size_t kLongestHost = 253;

}  // namespace

bool is_label(const std::string& label) {
    const auto plain = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
    };
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
    // What ends in a number is an address, or taken for one.
    return labels > 1 && last.find_first_not_of("0123456789") != std::string::npos;
}

std::vector<std::string> domains_of(pqxx::work& tx, const std::string& project) {
    std::vector<std::string> out;
    for (const auto& row : tx.exec_params(
             "select host from project_domain where project_id = $1 order by host", project))
        out.emplace_back(row[0].c_str());
    return out;
}

void set_domains(pqxx::work& tx, const std::string& project,
                 const std::vector<std::string>& hosts) {
    const std::string list = nlohmann::json(hosts).dump();
    // The table's key decides between two who ask at the same moment: the second waits for the
    // first.
    tx.exec_params(
        "insert into project_domain (host, project_id) select h, $1 from "
        "jsonb_array_elements_text($2::jsonb) h order by h on conflict (host) do nothing",
        project, list);
    const auto taken = tx.exec_params(
        "select host from project_domain where project_id <> $1 and host in "
        "(select jsonb_array_elements_text($2::jsonb)) order by host limit 1",
        project, list);
    if (!taken.empty()) throw DomainTaken{taken[0][0].c_str()};
    tx.exec_params(
        "delete from project_domain where project_id = $1 and host not in "
        "(select jsonb_array_elements_text($2::jsonb))",
        project, list);
}

}  // namespace svc::devapi
