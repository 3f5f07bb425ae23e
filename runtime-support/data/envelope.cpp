#include "data/envelope.hpp"

#include <algorithm>

#include "data/etag.hpp"

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
        out += std::to_string(shown_oid(column.type));
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

void Envelope::take(select::Shape& shape, http::Reply& reply) {
    selected_ = shape.selected();
    format_ = shape.format();
    reply_ = &reply;
    if (format_ == Format::json) return;
    body_.clear();
    if (format_ != Format::csv) return;
    fields(line_);
    csv_.emplace(line_);
    csv_->header(body_);
}

void Envelope::row(const Row& row) {
    if (full()) {
        truncated_ = true;
        return;
    }
    const bool first = rows_++ == 0;
    if (keeps_version_) version_ = row_version(*entity_, row);
    if (format_ != Format::json) return print_alone(row);
    if (!first) body_ += ',';
    print(row, body_);
}

void Envelope::print(const Row& row, std::string& out) {
    if (selected_ != nullptr) {
        selected_->write(row, out);
    } else {
        write_row_(row, visible_.columns, out);
    }
    if (files_ != nullptr && entity_ != nullptr && !csv_) add_links(row, out);
}

bool Envelope::shows(std::uint16_t column) const {
    if (!visible_.columns[column]) return false;
    if (selected_ == nullptr) return true;
    const auto& members = selected_->members();
    return std::ranges::any_of(members, [&](const select::Selected& member) {
        return member.link == nullptr && member.column == column;
    });
}

void Envelope::add_links(const Row& row, std::string& out) const {
    for (const std::uint16_t column : entity_->files) {
        if (!shows(column)) continue;
        out.back() = ',';
        out.append("\"").append(entity_->columns[column].name).append("_url\":");
        if (row.null(column)) {
            out += "null}";
            continue;
        }
        out += '"';
        files_->append_url(out, row.text(column));
        out += "\"}";
    }
}

void Envelope::print_alone(const Row& row) {
    if (!csv_) {
        print(row, body_);
        body_ += '\n';
        return;
    }
    line_.clear();
    print(row, line_);
    csv_->line(line_, body_);
}

void Envelope::count(std::string_view number, std::optional<bool> estimated) {
    count_ = number;
    estimated_ = estimated;
}

void Envelope::end_rows(std::size_t row_count) {
    body_ += R"(],"rowCount":)";
    body_ += std::to_string(row_count);
}

void Envelope::end() {
    if (selected_ != nullptr && selected_->cut()) body_ += R"(,"linksTruncated":true)";
    if (!count_.empty()) body_.append(R"(,"count":)").append(count_);
    if (estimated_) body_ += *estimated_ ? R"(,"estimated":true)" : R"(,"estimated":false)";
    body_ += '}';
}

void Envelope::finish(std::size_t row_count) {
    if (format_ != Format::json) return finish_alone(row_count);
    end_rows(row_count);
    body_ += R"(,"fields":)";
    fields(body_);
    body_ += truncated_ ? R"(,"truncated":true)" : R"(,"truncated":false)";
    end();
}

void Envelope::finish_page(std::string_view next_cursor) {
    if (format_ != Format::json) {
        if (!next_cursor.empty()) reply_->header("x-svc-next-cursor", next_cursor);
        return finish_alone(rows_);
    }
    end_rows(rows_);
    if (next_cursor.empty()) {
        body_ += R"(,"nextCursor":null,"hasMore":false)";
    } else {
        body_.append(R"(,"nextCursor":")").append(next_cursor).append(R"(","hasMore":true)");
    }
    end();
}

void Envelope::finish_alone(std::size_t row_count) {
    reply_->content_type = content_type(format_);
    reply_->header("Vary", "Accept");
    reply_->header("x-svc-row-count", std::to_string(row_count));
    reply_->header("x-svc-truncated", truncated_ ? "true" : "false");
    if (selected_ != nullptr && selected_->cut()) reply_->header("x-svc-links-truncated", "true");
    if (!count_.empty()) reply_->header("x-svc-count", count_);
    if (estimated_) reply_->header("x-svc-estimated", *estimated_ ? "true" : "false");
}

void Envelope::fields(std::string& out) const {
    if (selected_ != nullptr) {
        selected_->append_fields(out);
    } else if (visible_.all) {
        out += fields_json_;
    } else {
        append_fields(out, *entity_, visible_.columns);
    }
}

}  // namespace svc::data
