#include "query/read/read.hpp"

#include <algorithm>
#include <utility>

#include "base/ascii.hpp"
#include "query/read/scan.hpp"
#include "query/read/walk.hpp"
#include "query/report.hpp"
#include "sql/grammar.hpp"

namespace svc::query {

using sql::parse_sql;
using sql::SyntaxError;
namespace {

// PostgreSQL's grammar makes its trees on the stack.
constexpr std::size_t kMaxBytes = 16384;

class QueryReader {
  public:
    QueryReader(const plan::Query& query, const std::vector<std::string>& entities,
                diag::Findings& findings)
        : query_(query), entities_(entities), report_(query, findings), findings_(findings) {}

    std::optional<Read> run() {
        if (findings_.doubts(of_query("/mode")) || findings_.doubts(of_query("/params"))) {
            return std::nullopt;
        }
        if (query_.sql.size() > kMaxBytes) {
            report_.error(0, "QUERY_TOO_LARGE", "The query has more than 16,384 bytes.",
                          "split it in two");
            return std::nullopt;
        }
        placeholders();
        if (!report_.failed() && !doubtful_) parse();
        if (report_.failed() || doubtful_) return std::nullopt;
        return std::move(read_);
    }

  private:
    void placeholders() {
        std::vector<bool> used(query_.params.size());
        for (const Placeholder& found : scan(query_.sql).placeholders) {
            const auto& params = query_.params;
            const auto param = std::find_if(params.begin(), params.end(), [&](const auto& each) {
                return each.name == found.name;
            });
            if (param == params.end()) {
                undeclared(found);
                continue;
            }
            const auto index = static_cast<std::size_t>(param - params.begin());
            used[index] = true;
            // A name or number right before it would swallow the dollar.
            const bool joined = found.at > 0 && is_word(query_.sql[found.at - 1]);
            read_.params.push_back({found.at, found.name.size() + 1,
                                    (joined ? " $" : "$") + std::to_string(index + 1)});
        }
        if (report_.failed() || doubtful_) return;
        for (std::size_t i = 0; i < used.size(); ++i) {
            if (!used[i]) unused(query_.params[i].name);
        }
    }

    static bool is_word(char c) {
        return base::is_alphanumeric(c) || c == '_' || c == '$' ||
               static_cast<unsigned char>(c) >= 0x80;
    }

    void undeclared(const Placeholder& found) {
        if (findings_.doubts(found.name)) {
            doubtful_ = true;
            return;
        }
        std::vector<std::string> known;
        for (const plan::QueryParam& param : query_.params) known.push_back(param.name);
        const std::string near = diag::nearest(found.name, known);
        report_.error(found.at, "UNKNOWN_PARAM",
                      "The query has no parameter \"" + found.name + "\".",
                      near.empty() ? "declare it in \"params\"" : "did you mean :" + near + "?");
    }

    std::string of_query(const char* below) const {
        return query_.path.substr(0, query_.path.rfind('/')) + below;
    }

    void unused(const std::string& name) {
        findings_.warning("UNUSED_PARAM", of_query("/params/") + name + "#key",
                          "The SQL does not use the parameter \"" + name + "\".",
                          "use it as :" + name + ", or remove it");
    }

    void parse() {
        const Edited text(query_.sql, read_.params);
        SyntaxError error;
        const auto statements = parse_sql(text.text(), error);
        if (!statements) {
            const std::size_t at = text.to_source(error.at);
            const bool of_param = std::any_of(read_.params.begin(), read_.params.end(),
                                              [&](const Edit& edit) { return edit.at == at; });
            report_.error(at, "QUERY_SYNTAX", "PostgreSQL cannot read this: " + error.message + ".",
                          of_param ? "in a slice, write a space after the colon"
                                   : "correct the SQL at this place");
            return;
        }
        if (statements->is_null()) {
            return report_.error(
                0, "QUERY_TOO_LARGE",
                "The query is too large: it is nested too deeply, or it assigns a large "
                "expression to several columns at once, (a, b) = (…).",
                "make it simpler");
        }
        if (statements->size() != 1) {
            const bool none = statements->empty();
            const std::size_t second =
                none ? 0 : (*statements)[1].value("stmt_location", std::size_t{0});
            report_.error(
                text.to_source(second), "QUERY_STATEMENT",
                none ? "The query has no statement." : "A named query must be one statement.",
                none ? "write a select, an insert, an update or a delete"
                     : "split it into two queries");
            return;
        }
        statement((*statements)[0], text);
    }

    void statement(const nlohmann::json& statement, const Edited& text) {
        std::size_t begin = statement.value("stmt_location", std::size_t{0});
        const std::size_t length = statement.value("stmt_len", std::size_t{0});
        const std::size_t end = length == 0 ? text.text().size() : begin + length;
        begin = std::min(text.text().find_first_not_of(" \t\r\n", begin), end);
        const Rules rules{query_.writes, entities_, [&](Mistake mistake) {
                              report_.error(text.to_source(mistake.at), mistake.code,
                                            std::move(mistake.message), std::move(mistake.fix));
                          }};
        const WalkResult walked = walk(statement.at("stmt"), begin, rules);
        hold_params(walked, text);
        for (const std::size_t at : walked.relations) read_.relations.push_back(text.to_source(at));
        for (const std::size_t at : walked.columns) read_.columns.push_back(text.to_source(at));
        for (const auto& [name, at] : walked.reads) read_.reads[name] = text.to_source(at);
        for (const auto& [name, at] : walked.writes) read_.writes[name] = text.to_source(at);
        read_.tables = walked.tables;
        read_.conflict = walked.conflict;
        if (read_.conflict) read_.conflict->at = text.to_source(read_.conflict->at);
        cut(text.to_source(begin), text.to_source(end));
    }

    // PostgreSQL finds a parameter exactly where this reader put one: a $1 of the author does not
    // count, and what the reader's scanner took for one must not be part of something else.
    void hold_params(const WalkResult& walked, const Edited& text) {
        std::set<std::size_t> ours;
        for (const Edit& edit : read_.params) ours.insert(edit.at);
        std::set<std::size_t> theirs;
        for (const std::size_t at : walked.params) theirs.insert(text.to_source(at));
        for (const std::size_t at : theirs) {
            if (ours.count(at) != 0) continue;
            report_.error(at, "UNKNOWN_PARAM",
                          "A named query has parameters with names, not with numbers.",
                          "declare it in \"params\" and write :name");
        }
        for (const std::size_t at : ours) {
            if (theirs.count(at) != 0 || report_.failed()) continue;
            report_.error(at, "QUERY_SYNTAX", "A parameter is not allowed here.");
        }
    }

    // Removes blanks and semicolons before and after the statement.
    void cut(std::size_t begin, std::size_t end) {
        while (end > begin &&
               std::string_view(" \t\r\n;").find(query_.sql[end - 1]) != std::string_view::npos) {
            --end;
        }
        read_.params.push_back({0, begin, ""});
        read_.params.push_back({end, query_.sql.size() - end, ""});
    }

    const plan::Query& query_;
    const std::vector<std::string>& entities_;
    Report report_;
    diag::Findings& findings_;
    Read read_;
    bool doubtful_ = false;  // for a mistake elsewhere
};

}  // namespace

Edited Read::in_schema(const std::string& sql, const std::string& schema) const {
    std::vector<Edit> edits = params;
    for (const std::size_t at : relations) edits.push_back({at, 0, schema + "."});
    return {sql, std::move(edits)};
}

Read::Pieces Read::pieces(const std::string& sql) const {
    std::vector<Edit> edits = params;
    for (const std::size_t at : relations) edits.push_back({at, 0, "public."});
    std::sort(edits.begin(), edits.end(), [](const Edit& a, const Edit& b) { return a.at < b.at; });
    Pieces out;
    std::string text;
    std::size_t at = 0;
    for (const Edit& edit : edits) {
        text += sql.substr(at, edit.at - at);
        at = edit.at + edit.length;
        if (const std::size_t sign = edit.text.find('$'); sign < 2) {
            out.texts.push_back(std::exchange(text, {}) + edit.text.substr(0, sign));
            out.params.push_back(std::stoul(edit.text.substr(sign + 1)) - 1);
        } else {
            text += edit.text;
        }
    }
    out.texts.push_back(text + sql.substr(at));
    return out;
}

std::optional<Read> read(const plan::Query& query, const std::vector<std::string>& entities,
                         diag::Findings& findings) {
    return QueryReader(query, entities, findings).run();
}

}  // namespace svc::query
