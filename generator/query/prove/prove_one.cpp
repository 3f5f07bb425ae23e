#include "query/prove/prove_one.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "base/ascii.hpp"
#include "base/sql_state.hpp"
#include "plan/types.hpp"
#include "query/prove/masks.hpp"
#include "query/read/nulls.hpp"
#include "query/report.hpp"
#include "query/scratch/resolved_check.hpp"
#include "sql/grammar.hpp"

namespace svc::query {

using sql::byte_of;
namespace {

constexpr std::size_t kMaxColumns = 256;
constexpr std::size_t kMaxName = 63;

bool is_name(const std::string& name) {
    return !name.empty() && name.size() <= kMaxName && base::is_lower(name[0]) &&
           std::all_of(name.begin(), name.end(),
                       [](char c) { return base::is_lower(c) || c == '_' || base::is_digit(c); });
}

// Proves one query and gives it its columns.
class Proof {
  public:
    Proof(const plan::Plan& plan, plan::Query& query, const Read& read, diag::Findings& findings)
        : plan_(plan), query_(query), read_(read), report_(query, findings) {}

    void run(ScratchConnection& scratch) {
        std::vector<std::uint32_t> types;
        for (const plan::QueryParam& param : query_.params) {
            types.push_back(static_cast<std::uint32_t>(std::stoul(param.oid)));
        }
        const Edited text = read_.in_schema(query_.sql, "pg_temp");
        Refusal refusal;
        const auto described = scratch.describe(text.text(), types, refusal);
        if (!described) {
            refused(text, refusal);
            return unknown_columns(scratch, text, types, refusal);
        }
        hold_calls(scratch, text);
        if (read_.conflict) hold_conflict(*read_.conflict);
        const auto& tables = scratch.tables();
        std::set<std::pair<std::string, int>> shown;
        for (std::size_t i = 0; i < described->columns.size(); ++i) {
            const StatementDescription::Column& given = described->columns[i];
            column(given, i);
            if (const auto table = tables.find(given.table); table != tables.end()) {
                hold_readers(table->second, given.number, place(i));
                shown.emplace(table->second, given.number);
            }
        }
        check_accesses(scratch, text, shown);
        if (query_.columns.size() > kMaxColumns) {
            report_.error(0, "QUERY_COLUMNS", "A query has at most 256 columns.");
        }
    }

  private:
    void refused(const Edited& text, const Refusal& refusal) {
        const std::size_t at =
            refusal.position == 0 ? 0 : text.to_source(byte_of(text.text(), refusal.position));
        if (refusal.state == base::sqlstate::kNoColumn) return unknown_column(at, refusal);
        report_.error(at, "QUERY_INVALID", "PostgreSQL refuses this: " + refusal.message + ".",
                      refusal.hint);
    }

    // PostgreSQL reports one unknown column at a time: with a null in its place the next one shows.
    // Other errors may follow from the missing column, so they are not reported until it is fixed.
    void unknown_columns(ScratchConnection& scratch, const Edited& text,
                         const std::vector<std::uint32_t>& types, Refusal refusal) {
        constexpr int kMostReported = 20;
        Nulls nulls(text.text());
        for (int reported = 1;
             reported < kMostReported && refusal.state == base::sqlstate::kNoColumn; ++reported) {
            if (!nulls.put(refusal.position) || !next_refusal(scratch, nulls, types, refusal))
                return;
            const Edited now = nulls.edited();
            const std::size_t at = now.to_source(byte_of(now.text(), refusal.position));
            unknown_column(text.to_source(at), refusal);
        }
    }

    // The choice of a function may depend on the type of the missing column: sum(prce).
    static bool next_refusal(ScratchConnection& scratch, Nulls& nulls,
                             const std::vector<std::uint32_t>& types, Refusal& refusal) {
        for (const char* type : {"unknown", "numeric", "text", "boolean"}) {
            nulls.of_type(type);
            if (scratch.describe(nulls.edited().text(), types, refusal)) return false;
            if (refusal.state == base::sqlstate::kNoColumn && refusal.position != 0) return true;
        }
        return false;
    }

    void unknown_column(std::size_t at, const Refusal& refusal) {
        report_.error(at, "UNKNOWN_FIELD", "PostgreSQL: " + refusal.message + ".",
                      suggested(refusal.hint));
    }

    // The column in the hint: Perhaps you meant to reference the column "p.title".
    static std::string suggested(const std::string& hint) {
        const auto begin = hint.find('"');
        const auto end = hint.find('"', begin + 1);
        if (begin == std::string::npos || end == std::string::npos) return hint;
        return "did you mean " + hint.substr(begin, end + 1 - begin) + "?";
    }

    // PostgreSQL looks for the constraint when it plans, which it does not do here.
    void hold_conflict(const Conflict& conflict) {
        for (const plan::Table& table : plan_.tables) {
            if (table.name != conflict.table || table.external) continue;
            if (conflict.columns == std::set<std::string>{"id"}) return;
            for (const auto& unique : table.uniques) {
                if (conflict.columns == std::set<std::string>(unique.begin(), unique.end())) return;
            }
        }
        report_.error(conflict.at, "QUERY_INVALID",
                      "No unique constraint of " + conflict.table + " covers these columns.",
                      "use id, or a unique field or group of fields");
    }

    void hold_calls(ScratchConnection& scratch, const Edited& text) {
        std::vector<std::string> types;
        for (const plan::QueryParam& param : query_.params) types.push_back(param.sql_type);
        std::optional<Refusal> refusal;
        const auto found =
            check_resolved(scratch, text.text(), types, StatementAuthor::author, refusal);
        if (refusal) return refused(text, *refusal);
        if (!found) return;
        const std::size_t at =
            found->at < 0 ? 0 : text.to_source(static_cast<std::size_t>(found->at));
        if (found->what != Violation::What::function)
            return report_.error(
                at, found->what == Violation::What::type ? "QUERY_TYPE" : "QUERY_FORBIDDEN",
                found->message, "cast to a type for strings, numbers, dates, JSON or ranges");
        report_.error(at, "QUERY_FUNCTION", "A named query may not call " + found->name + "().",
                      "PostgreSQL reads the name as a function, because no column has it");
    }

    void check_accesses(ScratchConnection& scratch, const Edited& text,
                        const std::set<std::pair<std::string, int>>& shown) {
        std::vector<std::string> types;
        for (const plan::QueryParam& param : query_.params) types.push_back(param.sql_type);
        Refusal refusal;
        const auto accesses = scratch.column_accesses(text.text(), types, refusal);
        if (!accesses) return refused(text, refusal);
        check_masks(plan_, read_, *accesses, shown, report_);
    }

    void column(const StatementDescription::Column& given, std::size_t index) {
        const std::size_t at = place(index);
        const std::string ordinal = "Column " + std::to_string(index + 1) + " of the result ";
        if (!is_name(given.name)) {
            const bool none = given.name == "?column?";
            return report_.error(
                at, "QUERY_COLUMNS",
                none ? ordinal + "has no name."
                     : ordinal + "has the name \"" + given.name + "\", which is not valid.",
                "give it a name of lower-case letters, digits and _: … as total");
        }
        if (!names_.insert(given.name).second) {
            return report_.error(at, "QUERY_COLUMNS",
                                 "Two columns of the result have the name \"" + given.name + "\".",
                                 "give one of them another name: … as other");
        }
        const plan::TypeNames* type = plan::result_type(given.type);
        if (type == nullptr) {
            return report_.error(
                at, "QUERY_COLUMNS",
                "The column \"" + given.name +
                    "\" of the result has a type that JSON answers do not support.",
                "cast it to text, date, timestamptz, numeric or jsonb");
        }
        query_.columns.push_back({given.name, type->type, type->writer, std::to_string(given.type),
                                  std::string(plan::result_sql(given.type))});
    }

    std::size_t place(std::size_t column) const {
        return column < read_.columns.size() ? read_.columns[column] : 0;
    }

    // A "read" list hides a field from the API; a query's author may show it, and should know.
    // Columns that every table has (tableoid, xmin) are not secret.
    void hold_readers(const std::string& table, int number, std::size_t at) {
        if (number <= 0) return;
        for (const plan::ServedEntity& entity : plan_.entities) {
            if (entity.name != table) continue;
            const plan::ServedColumn& column =
                entity.columns.at(static_cast<std::size_t>(number) - 1);
            if (!is_kept_from_some(plan_, query_, column.readers)) return;
            report_.warning(
                at, "QUERY_SHOWS_HIDDEN_FIELD",
                "The query shows \"" + column.name + "\" of " + table +
                    " to callers who may not read it.",
                "remove the column, or allow the query only to callers who may read it");
        }
    }

    const plan::Plan& plan_;
    plan::Query& query_;
    const Read& read_;
    Report report_;
    std::set<std::string> names_;
};

}  // namespace

void prove_one(const plan::Plan& plan, plan::Query& query, const Read& read,
               ScratchConnection& scratch, diag::Findings& findings) {
    Proof(plan, query, read, findings).run(scratch);
}

}  // namespace svc::query
