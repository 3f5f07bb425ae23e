#include "data/sql/raw_rows.hpp"

#include <functional>
#include <set>

#include "base/json_text.hpp"
#include "data/envelope.hpp"

namespace svc::data::sql {
namespace {

using Writer = void (*)(Out&, std::string_view, const Row&, int);

// The writer for a type's oid; a type without a JSON form is written as text.
Writer writer(unsigned type) {
    switch (type) {
        case 16:
            return write_boolean;
        case 20:  // int8, int4, int2
        case 21:
        case 23:
            return write_number;
        case 700:  // float4, float8, numeric
        case 701:
        case 1700:
            return write_decimal;
        case 114:  // json, jsonb
        case 3802:
            return write_json;
        case 1184:
            return write_timestamp;
        case 1009:  // text[]
            return write_tags;
        default:
            return write_text;
    }
}

// a, a_2, a_3; a column that is called a_2 itself keeps that.
std::vector<std::string> distinct_names(std::span<const db::ResultColumn> columns) {
    std::set<std::string, std::less<>> taken;
    for (const auto& column : columns) taken.emplace(column.name);
    std::set<std::string_view> seen;
    std::vector<std::string> out;
    for (const auto& column : columns) {
        std::string name(column.name);
        if (!seen.insert(column.name).second) {
            for (int n = 2; !taken.insert(name).second; ++n)
                name = std::string(column.name) + '_' + std::to_string(n);
        }
        out.push_back(std::move(name));
    }
    return out;
}

}  // namespace

void RawRows::columns(std::span<const db::ResultColumn> columns) {
    if (!shown_.empty()) return;  // rows that come in parts describe their columns each time
    const std::vector<std::string> names = distinct_names(columns);
    for (std::size_t i = 0; i < columns.size(); ++i) {
        const std::string& name = names[i];
        std::string key = shown_.empty() ? "{" : ",";
        base::append_json_utf8(key, name);
        key += ':';
        shown_.push_back(
            {static_cast<int>(i), name, std::move(key), columns[i].type, writer(columns[i].type)});
    }
}

void RawRows::row(const Row& row) {
    if (rows_ == limit_ || printed_.size() > kMostBytes) {
        truncated_ = true;
        return;
    }
    if (rows_++ != 0) printed_ += ',';
    for (const ShownColumn& column : shown_) column.write(printed_, column.key, row, column.index);
    printed_ += shown_.empty() ? "{}" : "}";
}

void RawRows::finish(std::size_t row_count) {
    body_ = R"({"ok":true,"rows":[)";
    body_ += printed_;
    body_ += "],\"rowCount\":" + std::to_string(row_count) + ",\"fields\":[";
    for (const ShownColumn& column : shown_) {
        if (&column != &shown_.front()) body_ += ',';
        body_ += "{\"name\":";
        base::append_json_utf8(body_, column.name);
        body_ += ",\"type\":\"" + std::to_string(column.type) + "\"}";
    }
    body_ += truncated_ ? R"(],"truncated":true})" : R"(],"truncated":false})";
}

}  // namespace svc::data::sql
