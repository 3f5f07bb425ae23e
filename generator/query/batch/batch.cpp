#include "query/batch/batch.hpp"

#include <set>

#include "base/sql_state.hpp"
#include "base/utf8.hpp"
#include "query/batch/batch_look.hpp"
#include "sql/allowed.hpp"
#include "sql/grammar.hpp"
#include "sql/library.hpp"
#include "sql/tree.hpp"

namespace svc::query {

using sql::byte_of;
using sql::is_node;
using sql::member;
using sql::parse_sql;
using sql::SyntaxError;
using sql::text;
namespace {

using Json = nlohmann::json;

// PostgreSQL's grammar makes its trees on the stack.
constexpr std::size_t kMostOfOne = 16384;

const std::set<std::string> kDefinitions = {"CreateStmt", "AlterTableStmt", "IndexStmt",
                                            "CreateEnumStmt", "CommentStmt"};

std::string kind_in(const Json& statement) { return statement.begin().key(); }

// The options of EXPLAIN. An option of a later PostgreSQL is refused until it is listed.
constexpr std::string_view kOptions =
    " analyze buffers costs format generic_plan settings summary timing verbose wal ";

bool explains(const Json& explain) {
    for (const Json& option : member(explain, "options"))
        if (!sql::lists(kOptions, text(member(option, "DefElem"), "defname"))) return false;
    const Json& explained = member(explain, "query");
    return is_node(explained) && is_row_statement(kind_in(explained));
}

bool taken(const Json& statement) {
    const std::string kind = kind_in(statement);
    if (kind == "VariableShowStmt") return true;
    return kind == "ExplainStmt" ? explains(statement.begin().value()) : is_row_statement(kind);
}

// The member "location" of a node is its position.
void without_places(Json& tree) {
    if (tree.is_object()) tree.erase("location");
    if (tree.is_structured())
        for (Json& child : tree) without_places(child);
}

// The beginning of the statement that EXPLAIN is about: the first word from which the text parses
// as this statement.
std::size_t explained_at(const std::string& text, Json wanted) {
    constexpr std::size_t kMostTried = 200;
    const auto letter = [](char c) { return (c | 32) >= 'a' && (c | 32) <= 'z'; };
    without_places(wanted);
    std::size_t tried = 0;
    for (std::size_t at = 1; at < text.size() && tried < kMostTried; ++at) {
        const bool begins = (letter(text[at]) && !letter(text[at - 1])) || text[at] == '(';
        if (!begins) continue;
        ++tried;
        SyntaxError error;
        auto tree = parse_sql(text.substr(at), error);
        if (!tree || tree->size() != 1) continue;
        without_places((*tree)[0]);
        if ((*tree)[0].at("stmt") == wanted) return at;
    }
    return std::string::npos;
}

bool is_silent(const Json& statement) {
    if (kind_in(statement) == "SelectStmt") return false;
    const Json& written = statement.begin().value();
    return !written.contains("returningList") && !written.contains("returningClause");
}

class BatchReader {
  public:
    explicit BatchReader(const std::string& sql) : sql_(sql) {}

    Batch read() {
        const sql::PgQueryLibrary& library = sql::pg_query_library();
        const PgQuerySplitResult cut = library.split(sql_.c_str());
        if (cut.error != nullptr)
            refuse_at(byte_of(sql_, cut.error->cursorpos), cut.error->message,
                      base::sqlstate::kSyntax);
        std::size_t reached = 0;
        for (int i = 0; i < cut.n_stmts && batch_.refused.empty(); ++i) {
            const auto at = static_cast<std::size_t>(cut.stmts[i]->stmt_location);
            const auto length = static_cast<std::size_t>(cut.stmts[i]->stmt_len);
            between(reached, at);
            if (batch_.refused.empty()) statement(at, length);
            reached = at + length;
        }
        if (batch_.refused.empty()) between(reached, sql_.size());
        library.free_split(cut);
        if (batch_.refused.empty() && definitions_ > 0) only_definitions();
        return std::move(batch_);
    }

  private:
    void refuse_at(std::size_t byte, std::string why,
                   std::string_view sqlstate = base::sqlstate::kForbidden) {
        batch_.refused = std::move(why);
        batch_.sqlstate = sqlstate;
        batch_.position = base::characters(std::string_view(sql_).substr(0, byte)) + 1;
    }

    // The text between statements must be empty: the scanner leaves out words without a keyword.
    void between(std::size_t from, std::size_t to) {
        const std::string text = sql_.substr(from, to - from);
        if (text.find_first_not_of(" \t\r\n;") == std::string::npos) return;
        if (text.size() > kMostOfOne)
            return refuse_at(from,
                             "A comment can have at most " + std::to_string(kMostOfOne) + " bytes.",
                             base::sqlstate::kTooLarge);
        SyntaxError error;
        const auto tree = parse_sql(text, error);
        if (!tree) return refuse_at(from + error.at, error.message, base::sqlstate::kSyntax);
        if (!tree->empty())
            refuse_at(from, "PostgreSQL's grammar cannot read this.", base::sqlstate::kSyntax);
    }

    void statement(std::size_t at, std::size_t length) {
        const std::string text = sql_.substr(at, length);
        if (text.size() > kMostOfOne)
            return refuse_at(at,
                             "One statement can have at most " + std::to_string(kMostOfOne) +
                                 " bytes. Split it.",
                             base::sqlstate::kTooLarge);
        SyntaxError error;
        const auto tree = parse_sql(text, error);
        if (!tree) return refuse_at(at + error.at, error.message, base::sqlstate::kSyntax);
        if (tree->is_null())
            return refuse_at(at, "The statement is nested too deeply.",
                             base::sqlstate::kTooComplex);
        if (tree->empty()) return;  // a comment
        if (tree->size() != 1)
            return refuse_at(at, "PostgreSQL's grammar cannot read this.", base::sqlstate::kSyntax);
        add(at, text, tree->front().at("stmt"));
    }

    void add(std::size_t at, const std::string& text, const Json& statement) {
        if (batch_.statements.size() + definitions_ == kBatchStatements)
            return refuse_at(at, "One transaction runs at most 100 statements.",
                             base::sqlstate::kTooLarge);
        if (kDefinitions.contains(kind_in(statement))) {
            if (definitions_++ == 0) first_definition_ = at;
            return;
        }
        if (!taken(statement))
            return refuse_at(
                at,
                "This statement is not allowed here. Use SELECT, INSERT, UPDATE, DELETE, MERGE, "
                "VALUES, EXPLAIN or SHOW.");
        const std::string kind = kind_in(statement);
        BatchStatement out;
        out.text = text;
        out.characters = base::characters(std::string_view(sql_).substr(0, at));
        if (kind == "VariableShowStmt") {
            out.rows_from = std::string::npos;
            batch_.statements.push_back(std::move(out));
            return;
        }
        const bool explain = kind == "ExplainStmt";
        const Json& rows = explain ? member(statement.begin().value(), "query") : statement;
        StatementCheck looked = look_at(rows);
        if (!looked.refused.empty()) return refuse_at(at + looked.at, looked.refused);
        if (explain) out.rows_from = explained_at(text, rows);
        if (out.rows_from == std::string::npos)
            return refuse_at(
                at, "PostgreSQL's grammar cannot read this. Write EXPLAIN without comments.");
        out.cursor = !explain && kind == "SelectStmt" && !looked.writes;
        out.silent = !explain && is_silent(statement);
        out.own_types = std::move(looked.own_types);
        batch_.statements.push_back(std::move(out));
    }

    void only_definitions() {
        refuse_at(first_definition_,
                  "Send definitions and statements about rows in separate calls.");
        batch_.definitions = batch_.statements.empty();
    }

    const std::string& sql_;
    Batch batch_;
    std::size_t definitions_ = 0, first_definition_ = 0;
};

}  // namespace

Batch read_batch(const std::string& sql) { return BatchReader(sql).read(); }

}  // namespace svc::query
