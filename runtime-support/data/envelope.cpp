#include "data/envelope.hpp"

#include "data/etag.hpp"
#include "db/pg_types.hpp"

namespace svc::data {
namespace {

constexpr std::string_view kBegin = R"({"ok":true,"rows":[)";

}  // namespace

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
    : write_row_(entity.write_row),
      fields_json_(entity.fields_json),
      entity_(&entity),
      visible_(visible),
      body_(body),
      limit_(limit) {
    body_ = kBegin;
}

Envelope::Envelope(const Query& query, std::string& body, std::size_t limit)
    : write_row_(query.write_row),
      fields_json_(query.fields_json),
      visible_{ColumnSet::all()},
      body_(body),
      limit_(limit) {
    body_ = kBegin;
}

void Envelope::row(const Row& row) {
    if (rows_ == limit_) {
        truncated_ = true;
        return;
    }
    if (rows_++ != 0) body_ += ',';
    write_row_(row, visible_.columns, body_);
    if (keeps_version_) version_ = row_version(*entity_, row);
}

void Envelope::end_rows(std::size_t row_count) {
    body_ += R"(],"rowCount":)";
    body_ += std::to_string(row_count);
}

void Envelope::finish(std::size_t row_count) {
    end_rows(row_count);
    body_ += R"(,"fields":)";
    fields();
    body_ += truncated_ ? R"(,"truncated":true)" : R"(,"truncated":false)";
    body_.append(members_).append("}");
}

void Envelope::finish_page(std::string_view next_cursor) {
    end_rows(rows_);
    if (next_cursor.empty()) {
        body_ += R"(,"nextCursor":null,"hasMore":false)";
    } else {
        body_.append(R"(,"nextCursor":")").append(next_cursor).append(R"(","hasMore":true)");
    }
    body_.append(members_).append("}");
}

void Envelope::fields() {
    if (visible_.all) {
        body_ += fields_json_;
        return;
    }
    append_fields(body_, *entity_, visible_.columns);
}

}  // namespace svc::data
