#include "data/envelope.hpp"

#include "db/pg_types.hpp"

namespace svc::data {

void append_fields(std::string& out, const Entity& entity, const ColumnSet& columns) {
    char separator = '[';
    for (unsigned i = 0; i < entity.columns.size(); ++i) {
        if (!columns[i]) continue;
        const Column& column = entity.columns[i];
        out += separator;
        out += R"({"name":")";
        out += column.name;
        out += R"(","type":")";
        out += std::to_string(db::oid(column.type));
        out += "\"}";
        separator = ',';
    }
    out += separator == '[' ? "[]" : "]";
}

Envelope::Envelope(const Entity& entity, Visible visible, std::string& body, std::size_t limit)
    : entity_(entity), visible_(visible), body_(body), limit_(limit) {
    body_ = R"({"ok":true,"rows":[)";
}

void Envelope::row(const Row& row) {
    if (rows_ == limit_) {
        truncated_ = true;
        return;
    }
    if (rows_++ != 0) body_ += ',';
    entity_.write_row(row, visible_.columns, body_);
}

void Envelope::finish() {
    body_ += R"(],"rowCount":)";
    body_ += std::to_string(rows_);
    body_ += R"(,"fields":)";
    fields();
    body_ += truncated_ ? R"(,"truncated":true})" : R"(,"truncated":false})";
}

void Envelope::fields() {
    if (visible_.all) {
        body_ += entity_.fields_json;
        return;
    }
    append_fields(body_, entity_, visible_.columns);
}

}  // namespace svc::data
