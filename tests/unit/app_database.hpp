// A database of a test's own with the tables of svc, on the server of SVC_TEST_DATABASE_URL; gone
// with the object. It is a copy of one that is made once: the tables take ten times as long.
#pragma once

#include <unistd.h>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>

#include "migrate/system_sql.hpp"
#include "pq/connection.hpp"

namespace svc::test {

inline const char* server_url() { return std::getenv("SVC_TEST_DATABASE_URL"); }

class AppDatabase {
  public:
    AppDatabase() {
        static int made = 0;
        name_ = "svc_unit_" + std::to_string(getpid()) + "_" + std::to_string(++made);
        run(server_url(), "create database " + name_ + " template " + pattern());
        url_ = url_of(name_);
    }
    ~AppDatabase() { pq::Connection(server_url()).run("drop database " + name_ + " with (force)"); }
    AppDatabase(const AppDatabase&) = delete;
    AppDatabase& operator=(const AppDatabase&) = delete;

    const std::string& url() const { return url_; }
    // The first value of the last statement, empty if there is none.
    std::string sql(const std::string& text) const { return run(url_, text); }

  private:
    static std::string run(const std::string& url, const std::string& text) {
        const pq::Connection connection(url);
        const pq::Result result = connection.run(text);
        if (!pq::done(result)) throw std::runtime_error(connection.error_message());
        return PQntuples(result.get()) > 0 ? PQgetvalue(result.get(), 0, 0) : "";
    }

    static const std::string& pattern() {
        static const std::string kName = [] {
            std::string name = "svc_unit_" + std::to_string(getpid()) + "_pattern";
            run(server_url(), "create database " + name);
            run(url_of(name), system_sql());
            return name;
        }();
        return kName;
    }

    static std::string url_of(const std::string& name) {
        std::string url;
        PQconninfoOption* options = PQconninfoParse(server_url(), nullptr);
        for (auto* option = options; option && option->keyword; ++option) {
            const bool given = option->val && std::string(option->keyword) != "dbname";
            if (given) url += std::string(option->keyword) + "='" + option->val + "' ";
        }
        PQconninfoFree(options);
        return url + "dbname='" + name + "'";
    }

    static std::string system_sql() {
        std::string sql;
        for (const char* name : migrate::kSystemFiles) sql += migrate::embedded(name);
        for (const std::string role : {":data_role", ":system_role"})
            for (auto at = sql.find(role); at != std::string::npos; at = sql.find(role, at))
                sql.replace(at, role.size(), "current_user");
        return sql;
    }

    std::string name_, url_;
};

}  // namespace svc::test
