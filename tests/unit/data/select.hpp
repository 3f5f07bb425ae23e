// Rows of things, and what a list or one row of them answers to `select`.
#pragma once

#include "data/actions.hpp"
#include "unit/data/fixture.hpp"
#include "unit/data/thing.hpp"

namespace svc::data {

inline std::string id(int number) {
    const std::string text = std::to_string(number);
    return "00000000-0000-7000-8000-" + std::string(12 - text.size(), '0') + text;
}

class DataSelect : public DataTest {
  protected:
    void SetUp() override {
        DataTest::SetUp();
        if (!database) return;
        std::string table = test::kThingTable;
        table.replace(table.find(":role"), 5, role);
        database->sql(table);
    }

    int ask(const Caller& who, const std::string& query, const std::string& one = "") {
        test::FakeExchange exchange("GET", "/");
        const_cast<http::Head&>(exchange.head()).query = query;
        const Action action = one.empty() ? Action::list : Action::get;
        const Route route{Method::get, "", action, &test::kThing};
        return answered(exchange,
                        perform(route, one, exchange, who, test::kItemApp, *pool, kSigner));
    }

    void make(int number, const std::string& columns, const std::string& values) {
        database->sql("insert into thing (id" + (columns.empty() ? "" : ", " + columns) +
                      ") values ('" + id(number) + "'" + (values.empty() ? "" : ", " + values) +
                      ")");
    }
    void below(int number, int above, const std::string& more = "null") {
        make(number, "above_id, kind", "'" + id(above) + "', " + more);
    }

    // The text between the brackets of "rows".
    std::string rows() const {
        const auto begin = body.find("\"rows\":[") + 8;
        return body.substr(begin, body.find("],\"rowCount\"") - begin);
    }
};

}  // namespace svc::data
