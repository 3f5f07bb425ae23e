#include "data/sent_row.hpp"

#include <libpq-fe.h>

#include <memory>
#include <new>
#include <vector>

#include "data/envelope.hpp"
#include "data/writers.hpp"

namespace svc::data {

namespace {

struct FreeResult {
    void operator()(PGresult* result) const { PQclear(result); }
};
using Held = std::unique_ptr<PGresult, FreeResult>;

// A result of one row without a round trip, so that the printers of real rows print it.
Held as_result(const Values& values, std::string_view id) {
    Held result(PQmakeEmptyPGresult(nullptr, PGRES_TUPLES_OK));
    std::vector<PGresAttDesc> columns(values.size());
    const int count = static_cast<int>(columns.size());
    bool built = result && PQsetResultAttrs(result.get(), count, columns.data()) != 0;
    for (int i = 0; built && i < count; ++i) {
        const Values::Slot& slot = values[static_cast<unsigned>(i)];
        const bool given = slot.state == Sent<std::string>::given;
        std::string text = i == 0 ? std::string(id) : slot.text;
        const int length = i == 0 || given ? static_cast<int>(text.size()) : -1;
        built = PQsetvalue(result.get(), 0, i, text.data(), length) != 0;
    }
    if (!built) throw std::bad_alloc();
    return result;
}

}  // namespace

void write_sent_row(std::string& body, const Entity& entity, const Values& values,
                    std::string_view id) {
    const Held result = as_result(values, id);
    ColumnSet shown{0};
    body = R"({"ok":true,"rows":[)";
    for (unsigned i = 0; i < values.size(); ++i) {
        if (i != 0 && values[i].state == Sent<std::string>::absent) continue;
        shown.add(i);
        const std::string key =
            (i == 0 ? "{\"" : ",\"") + std::string(entity.columns[i].name) + "\":";
        writer(entity.columns[i].type)(body, key, Row(result.get(), 0), static_cast<int>(i));
    }
    body += R"(}],"rowCount":1,"fields":)";
    append_fields(body, entity, shown);
    body += R"(,"truncated":false})";
}

}  // namespace svc::data
