// A whole server of an app without a socket: two personas, one table, one query, a key of a page
// and a key of a server.
#pragma once

#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <exception>
#include <memory>
#include <string>

#include "base/sha256.hpp"
#include "identity/token.hpp"
#include "ops/service/app_service.hpp"
#include "unit/app_database.hpp"
#include "unit/http/fake_exchange.hpp"

namespace svc::test::service {

inline constexpr Persona kPersonas[] = {
    {"customer", "Customer", Kind::consumer, true,
     principal::kSignedIn | principal::kConsumer | 1U << principal::kFirstPersona,
     "customer,consumer,signed_in"},
    {"clerk", "Clerk", Kind::staff, false,
     principal::kSignedIn | principal::kStaff | 2U << principal::kFirstPersona,
     "clerk,staff,signed_in"},
};

// A table whose one row is the caller, as policies see it.
inline void write_who(const Row& row, const ColumnSet&, Out& out) {
    write_plain(out, "{\"id\":", row, 0);
    write_text(out, ",\"names\":", row, 1);
    write_text(out, ",\"claims\":", row, 2);
    out += '}';
}
inline constexpr Column kColumns[] = {{"id", Type::uuid}, {"names"}, {"claims"}};
inline Entity who_entity() {
    Entity who{};
    who.name = "who";
    who.columns = kColumns;
    who.fields_json = "[]";
    who.access.read = kEveryone;
    who.list =
        "select svc.user_id() as id, current_setting('svc.principals') as names,"
        " current_setting('svc.claims') as claims";
    who.write_row = write_who;
    return who;
}
inline const Entity kWho = who_entity();
inline const Entity* const kEntities[] = {&kWho};
inline const Route kRoutes[] = {{Method::get, "/api/v1/who", Action::list, &kWho},
                                {Method::get, "/api/v1/who/<id>", Action::get, &kWho}};

inline constexpr Query kOne = {
    .name = "reports/one",
    .description = "",
    .allow = kEveryone,
    .statement = {"query_reports_one", {}, "select 1 as one"},
    .fields_json = R"([{"name":"one","type":"23"}])",
    .write_row =
        [](const Row& row, const ColumnSet&, Out& out) {
            write_number(out, R"({"one":)", row, 0);
            out += '}';
        },
};
inline const Query* const kQueries[] = {&kOne};

inline App test_app() {
    App app{};
    app.name = "Test";
    app.timezone = "UTC";
    app.personas = kPersonas;
    app.entities = kEntities;
    app.routes = kRoutes;
    app.queries = kQueries;
    return app;
}

class AppServiceTest : public testing::Test {
  protected:
    void SetUp() override {
        if (!server_url()) GTEST_SKIP() << "SVC_TEST_DATABASE_URL is not set";
        database_ = std::make_unique<AppDatabase>();
        settings_.data_url = settings_.system_url = database_->url();
        settings_.project = "p1";
        add_key("browser", "dpk_c_a", "{https://shop.example}");
        add_key("server", "dpk_s_a", "{}");
        start();
    }

    void start() {
        service_.reset();
        service_ = std::make_unique<ops::AppService>(io_, app_, settings_, nullptr);
        wait(service_->open());
    }

    void add_key(const std::string& kind, const std::string& value, const std::string& origins) {
        database_->sql(
            "insert into svc.app_key (id, kind, hash, prefix, origins) values"
            " (gen_random_uuid(), '" +
            kind + "', '" + identity::bytea_text(base::sha256(value)) + "', 'dpk', '" + origins +
            "')");
    }

    void wait(Task<> task) {
        std::exception_ptr failed;
        bool done = false;
        asio::co_spawn(io_, std::move(task), [&](std::exception_ptr error) {
            failed = error;
            done = true;
        });
        io_.restart();
        while (!done && io_.run_one() > 0) continue;
        if (failed) std::rethrow_exception(failed);
    }

    using Answer = std::unique_ptr<FakeExchange>;
    Answer send(const std::string& method, const std::string& path, Headers headers,
                const std::string& body = {}) {
        auto exchange = std::make_unique<FakeExchange>(method, path, std::move(headers), body);
        wait(service_->handle(*exchange));
        return exchange;
    }

    // As a page of the shop does it.
    Answer page(const std::string& method, const std::string& path, Headers more = {},
                const std::string& body = {}) {
        more.insert(more.end(), {{"Authorization", "Bearer dpk_c_a"},
                                 {"Origin", "https://shop.example"},
                                 {"Host", "shop.example"},
                                 {"x-svc-data-api", "1"}});
        return send(method, path, std::move(more), body);
    }
    Answer server(const std::string& path, Headers more = {}) {
        more.insert(more.end(), {{"Authorization", "Bearer dpk_s_a"}, {"x-svc-data-api", "1"}});
        return send("GET", path, std::move(more));
    }
    Answer sign_up(const std::string& email, const std::string& more = {}) {
        return page("POST", "/__svc/auth/signup", {},
                    R"({"email":")" + email + R"(","password":"long enough")" + more + "}");
    }
    Answer log_in(const std::string& email, const std::string& password) {
        return page("POST", "/__svc/auth/login", {},
                    R"({"email":")" + email + R"(","password":")" + password + R"("})");
    }
    Answer who(const std::string& token) {
        return page("GET", "/__svc/api/v1/who", {{"x-svc-app-session", token}});
    }

    std::unique_ptr<AppDatabase> database_;
    asio::io_context io_;
    App app_ = test_app();
    ops::Settings settings_;
    std::unique_ptr<ops::AppService> service_;
};

}  // namespace svc::test::service
