#include "apps/process/app_users.hpp"

#include <fstream>
#include <regex>
#include <stdexcept>

namespace svc::devapi {
namespace {

// The columns of /proc/self/uid_map: the first inside, the first outside, the count.
bool maps_all(const char* file, const UserRange& range) {
    std::ifstream lines(file);
    unsigned long inside = 0, outside = 0, count = 0;
    while (lines >> inside >> outside >> count)
        if (inside <= range.first && range.last < inside + count) return true;
    return false;
}

// The smallest number that nobody has. Two svcd that look at the same time: one waits.
std::string take_number(Store& store, const UserRange& range, const std::string& project,
                        const std::string& purpose) {
    return store.transact([&](pqxx::work& tx) {
        tx.exec0("lock table unix_user in exclusive mode");
        const auto known = tx.exec_params(
            "select uid from unix_user where project_id = $1 and purpose = $2", project, purpose);
        const auto first = range.first + 1, last = range.last;
        if (!known.empty() && known[0][0].as<unsigned>() >= first &&
            known[0][0].as<unsigned>() <= last)
            return std::string(known[0][0].c_str());
        const auto taken = tx.exec_params(
            "insert into unix_user (project_id, purpose, uid) select $1::uuid, $2::text, n from "
            "generate_series($3::integer, $4::integer) n where not exists (select from unix_user u "
            "where u.uid = n) order by n limit 1 on conflict (project_id, purpose) do update set "
            "uid = excluded.uid returning uid",
            project, purpose, first, last);
        if (taken.empty())
            throw std::runtime_error(
                "No unix user is left for the servers of this project. Set SVC_APP_USERS to a "
                "wider range.");
        return std::string(taken[0][0].c_str());
    });
}

}  // namespace

UserRange user_range(const std::string& text) {
    static const std::regex kRange("([0-9]{4,9})-([0-9]{4,9})");
    std::smatch parts;
    if (text == "off") return {};
    if (!std::regex_match(text, parts, kRange))
        throw std::invalid_argument(
            "SVC_APP_USERS is '" + text +
            "', but must be a range of unix users, such as 70000-74999, or off.");
    const UserRange range{static_cast<unsigned>(std::stoul(parts[1])),
                          static_cast<unsigned>(std::stoul(parts[2]))};
    if (range.first < 1000 || range.last <= range.first)
        throw std::invalid_argument("SVC_APP_USERS is '" + text +
                                    "'. The first number must be at least 1000, and the last must "
                                    "be greater than the first.");
    return range;
}

bool has_users(const UserRange& range) {
    return maps_all("/proc/self/uid_map", range) && maps_all("/proc/self/gid_map", range);
}

AppUsers::AppUsers(Store& store, UserRange range) : store_(store), range_(range) {}

std::string AppUsers::of(const std::string& project, const std::string& purpose) {
    const std::lock_guard lock(mutex_);
    std::string& user = known_[{project, purpose}];
    if (user.empty()) user = take_number(store_, range_, project, purpose);
    return user;
}

void AppUsers::forget(const std::string& project) {
    const std::lock_guard lock(mutex_);
    std::erase_if(known_, [&](const auto& one) { return one.first.first == project; });
    store_.transact([&](pqxx::work& tx) {
        tx.exec_params0("delete from unix_user where project_id = $1", project);
    });
}

}  // namespace svc::devapi
