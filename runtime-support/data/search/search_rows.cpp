#include "data/search/search_rows.hpp"

#include "base/json_text.hpp"
#include "data/envelope.hpp"
#include "http/text.hpp"

namespace svc::data::search {

namespace {

// Marks of the begin and end of a found word until the text around it is escaped, and a replacement
// of '<' meanwhile, since PostgreSQL drops text that looks like a tag.
constexpr char kMarkBegin = '\x02', kMarkEnd = '\x03', kLess = '\x04';

std::string as_html(std::string_view text) {
    std::string out;
    for (const char c : http::escape_html(text)) {
        if (c == kMarkBegin) {
            out += "<mark>";
        } else if (c == kMarkEnd) {
            out += "</mark>";
        } else if (c == kLess) {
            out += "&lt;";
        } else {
            out += c;
        }
    }
    return out;
}

}  // namespace

SearchRows::SearchRows(const Entity& entity, Visible visible, bool snippets, std::size_t& bytes)
    : entity_(entity), visible_(visible), snippets_(snippets), bytes_(bytes) {
    std::string classes;
    bool all = true;
    for (const SearchField& field : entity.search->fields) {
        if (!visible.columns[field.column]) {
            all = false;
            continue;
        }
        fields_.push_back(field.column);
        classes += classes.empty() ? '{' : ',';
        classes += field.weight_class;
    }
    asks_ = !fields_.empty();
    if (!all) classes_ = classes + '}';
}

db::Command SearchRows::command(std::string_view words, std::string_view limit) {
    params_ = {words, classes_ ? db::Param(*classes_) : std::nullopt, limit};
    Statement find = entity_.search->find;
    if (snippets_) {
        sql_ = snippet_sql();
        find = {.name = "?", .types = find.types, .sql = sql_};
    }
    return {.statement = find, .params = params_, .sink = this, .row_by_row = true};
}

// The snippets come after the columns of the row, which were read under the policy.
std::string SearchRows::snippet_sql() const {
    const std::string config =
        "'pg_catalog." + std::string(entity_.search->config) + "'::regconfig";
    // A text's own characters of these kinds go.
    const std::string kept =
        std::string("'<") + kMarkBegin + kMarkEnd + kLess + "', '" + kLess + "'";
    std::string sql = "select s.*";
    for (const unsigned field : fields_) {
        sql +=
            ",\nts_headline(" + config + ", left(translate(s." +
            quoted_name(entity_.columns[field].name) + ", " + kept + "), " +
            std::to_string(entity_.search->max_length) + "), websearch_to_tsquery(" + config +
            ", $1), 'StartSel=" + kMarkBegin + ", StopSel=" + kMarkEnd +
            ", MaxFragments=2, MaxWords=25, MinWords=8, ShortWord=0, FragmentDelimiter=\" … \"')";
    }
    return sql + "\nfrom (" + std::string(entity_.search->find.sql) + ") s";
}

void SearchRows::row(const Row& row) {
    if (bytes_ > kMostBytes) {
        truncated_ = true;
        return;
    }
    const std::size_t before = rows_.size();
    if (!rows_.empty()) rows_ += ',';
    entity_.write_row(row, visible_.columns, rows_);
    bytes_ += rows_.size() - before;
    if (snippets_) print_snippets(row);
}

void SearchRows::print_snippets(const Row& row) {
    snippets_json_ += snippets_json_.empty() ? "{" : ",{";
    int column = static_cast<int>(entity_.columns.size());
    for (const unsigned field : fields_) {
        const std::string_view text = row.text(column++);
        if (text.find(kMarkBegin) == std::string_view::npos) continue;
        if (snippets_json_.back() != '{') snippets_json_ += ',';
        base::append_json_utf8(snippets_json_, entity_.columns[field].name);
        snippets_json_ += ':';
        base::append_json_utf8(snippets_json_, as_html(text));
    }
    snippets_json_ += '}';
}

void SearchRows::print(std::string& out) const {
    out += R"({"table":)";
    base::append_json_utf8(out, entity_.name);
    out.append(R"(,"rows":[)").append(rows_).append("]");
    if (snippets_) out += R"(,"snippets":[)" + snippets_json_ + ']';
    if (truncated_) out += R"(,"truncated":true)";
    out += '}';
}

}  // namespace svc::data::search
