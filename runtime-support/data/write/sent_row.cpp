#include "data/write/sent_row.hpp"

#include <libpq-fe.h>

#include <memory>
#include <new>
#include <vector>

#include "data/envelope.hpp"
#include "data/writers.hpp"

namespace svc::data::write {

namespace {

struct FreeResult {
    void operator()(PGresult* result) const { PQclear(result); }
};
using Held = std::unique_ptr<PGresult, FreeResult>;

// A result of one row without a round trip, so that the printers of real rows print it.
Held as_result(const json::Values& values, std::string_view id) {
    Held result(PQmakeEmptyPGresult(nullptr, PGRES_TUPLES_OK));
    std::vector<PGresAttDesc> columns(values.size());
    const int count = static_cast<int>(columns.size());
    bool built = result && PQsetResultAttrs(result.get(), count, columns.data()) != 0;
    for (int i = 0; built && i < count; ++i) {
        const json::Slot& slot = values[static_cast<unsigned>(i)];
        const bool given = slot.state == json::Slot::given;
        std::string text = i == 0 ? std::string(id) : slot.text;
        const int length = i == 0 || given ? static_cast<int>(text.size()) : -1;
        built = PQsetvalue(result.get(), 0, i, text.data(), length) != 0;
    }
    if (!built) throw std::bad_alloc();
    return result;
}

}  // namespace

void KeyOf::row(const Row& row) {
    text = row.text(0);
    json.clear();
    write_key(json, "", row, 0);
}

SentRows::SentRows(const Entity& entity, std::string& body) : entity_(entity), body_(body) {
    body_ = R"({"ok":true,"rows":[)";
}

void SentRows::begin_row() {
    if (rows_++ != 0) body_ += ',';
}

void SentRows::sent(const json::Values& values, std::string_view id) {
    begin_row();
    const Held result = as_result(values, id);
    for (unsigned i = 0; i < values.size(); ++i) {
        if (i != 0 && values[i].state == json::Slot::absent) continue;
        shown_.add(i);
        const std::string key =
            (i == 0 ? "{\"" : ",\"") + std::string(entity_.columns[i].name) + "\":";
        writer(entity_.columns[i].type)(body_, key, Row(result.get(), 0), static_cast<int>(i));
    }
    body_ += '}';
}

void SentRows::seen(std::string_view row, const ColumnSet& columns) {
    begin_row();
    body_ += row;
    for (unsigned i = 0; i < entity_.columns.size(); ++i) {
        if (columns[i]) shown_.add(i);
    }
}

void SentRows::finish() {
    body_ += "],\"rowCount\":" + std::to_string(rows_) + ",\"fields\":";
    append_fields(body_, entity_, shown_);
    body_ += R"(,"truncated":false})";
}

}  // namespace svc::data::write
