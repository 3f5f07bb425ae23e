#include "query/prove.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "base/ascii.hpp"
#include "base/utf8.hpp"
#include "plan/names.hpp"
#include "plan/types.hpp"
#include "query/hold.hpp"
#include "query/masks.hpp"
#include "query/nulls.hpp"
#include "query/read.hpp"
#include "query/report.hpp"
#include "query/session.hpp"
#include "sql/grammar.hpp"

namespace svc::query {

using sql::byte_of;
namespace {

constexpr std::size_t kMaxColumns = 256;
constexpr std::size_t kMaxName = 63;

using Reads = std::vector<std::optional<Read>>;

// Types and the primary key are all that preparing looks at; a value of a computed column is never
// asked for, only that nobody sends one.
std::string temporary_table(const plan::Table& table) {
    std::string columns;
    for (const plan::Column& column : table.columns) {
        columns += (columns.empty() ? "" : ", ") + plan::ident(column.name) + " " + column.sql_type;
        if (column.name == "id") columns += " primary key";
        if (!column.generated_sql.empty()) {
            columns += " generated always as (null::" + column.sql_type + ") stored";
        }
    }
    return "create temporary table " + plan::ident(table.name) + " (" + columns + ");";
}

void make_tables(Session& session, const plan::Plan& plan, const Reads& reads) {
    std::set<std::string> wanted;
    for (const auto& read : reads) {
        if (read) wanted.insert(read->tables.begin(), read->tables.end());
    }
    std::string sql;
    for (const plan::Table& table : plan.tables) {
        if (wanted.count(table.name) != 0) sql += temporary_table(table);
    }
    session.make_tables(sql);
}

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

    void run(Session& session) {
        std::vector<std::uint32_t> types;
        for (const plan::QueryParam& param : query_.params) {
            types.push_back(static_cast<std::uint32_t>(std::stoul(param.oid)));
        }
        const Edited text = read_.in_schema(query_.sql, "pg_temp");
        Refusal refusal;
        const auto described = session.describe(text.text(), types, refusal);
        if (!described) {
            refused(text, refusal);
            return unknown_columns(session, text, types, refusal);
        }
        hold_calls(session, text);
        if (read_.conflict) hold_conflict(*read_.conflict);
        const auto& tables = session.tables();
        std::set<std::pair<std::string, int>> told;
        for (std::size_t i = 0; i < described->columns.size(); ++i) {
            const Described::Column& given = described->columns[i];
            column(given, i);
            if (const auto table = tables.find(given.table); table != tables.end()) {
                hold_readers(table->second, given.number, place(i));
                told.emplace(table->second, given.number);
            }
        }
        hold_touched(session, text, told);
        if (query_.columns.size() > kMaxColumns) {
            report_.error(0, "QUERY_COLUMNS", "A query has at most 256 columns.");
        }
    }

  private:
    void refused(const Edited& text, const Refusal& refusal) {
        const std::size_t at =
            refusal.position == 0 ? 0 : text.to_source(byte_of(text.text(), refusal.position));
        if (refusal.state == "42703") return unknown_column(at, refusal);
        report_.error(at, "QUERY_INVALID", "PostgreSQL refuses this: " + refusal.message + ".",
                      refusal.hint);
    }

    // PostgreSQL tells of one at a time: with a null in its place the next one shows. What else it
    // refuses then may be for want of what is missing already, and is left until that is mended.
    void unknown_columns(Session& session, const Edited& text,
                         const std::vector<std::uint32_t>& types, Refusal refusal) {
        constexpr int kMostTold = 20;
        Nulls nulls(text.text());
        for (int told = 1; told < kMostTold && refusal.state == "42703"; ++told) {
            if (!nulls.put(refusal.position) || !next_refusal(session, nulls, types, refusal))
                return;
            const Edited now = nulls.edited();
            const std::size_t at = now.to_source(byte_of(now.text(), refusal.position));
            unknown_column(text.to_source(at), refusal);
        }
    }

    // What a function could mean may hang on the type of what is missing: sum(prce).
    static bool next_refusal(Session& session, Nulls& nulls,
                             const std::vector<std::uint32_t>& types, Refusal& refusal) {
        for (const char* type : {"unknown", "numeric", "text", "boolean"}) {
            nulls.of_type(type);
            if (session.describe(nulls.edited().text(), types, refusal)) return false;
            if (refusal.state == "42703" && refusal.position != 0) return true;
        }
        return false;
    }

    void unknown_column(std::size_t at, const Refusal& refusal) {
        report_.error(at, "UNKNOWN_FIELD", "PostgreSQL: " + refusal.message + ".",
                      suggested(refusal.hint));
    }

    // Of: Perhaps you meant to reference the column "p.title".
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
                      "No unique constraint of " + conflict.table + " is about these columns.",
                      "name id, or a field or group of fields that is unique");
    }

    void hold_calls(Session& session, const Edited& text) {
        std::vector<std::string> types;
        for (const plan::QueryParam& param : query_.params) types.push_back(param.sql_type);
        std::optional<Refusal> refusal;
        const auto found = hold_resolved(session, text.text(), types, Reach::author, refusal);
        if (refusal) return refused(text, *refusal);
        if (!found) return;
        const std::size_t at =
            found->at < 0 ? 0 : text.to_source(static_cast<std::size_t>(found->at));
        if (found->what != Objection::What::function)
            return report_.error(
                at, found->what == Objection::What::type ? "QUERY_TYPE" : "QUERY_FORBIDDEN",
                found->message, "cast to a type of texts, numbers, dates, JSON or ranges");
        report_.error(
            at, "QUERY_FUNCTION", "A named query may not call " + found->name + "().",
            "where there is no column of this name, PostgreSQL takes it for the function");
    }

    void hold_touched(Session& session, const Edited& text,
                      const std::set<std::pair<std::string, int>>& told) {
        std::vector<std::string> types;
        for (const plan::QueryParam& param : query_.params) types.push_back(param.sql_type);
        Refusal refusal;
        const auto touched = session.touched(text.text(), types, refusal);
        if (!touched) return refused(text, refusal);
        hold_masks(plan_, read_, *touched, told, report_);
    }

    void column(const Described::Column& given, std::size_t index) {
        const std::size_t at = place(index);
        const std::string ordinal = "Column " + std::to_string(index + 1) + " of the result ";
        if (!is_name(given.name)) {
            const bool none = given.name == "?column?";
            return report_.error(
                at, "QUERY_COLUMNS",
                none ? ordinal + "has no name."
                     : ordinal + "is called \"" + given.name + "\", which cannot be a name.",
                "give it one of lower-case letters, digits and _: … as total");
        }
        if (!names_.insert(given.name).second) {
            return report_.error(at, "QUERY_COLUMNS",
                                 "Two columns of the result are called \"" + given.name + "\".",
                                 "give one of them another name: … as other");
        }
        const plan::TypeNames* type = plan::result_type(given.type);
        if (type == nullptr) {
            return report_.error(at, "QUERY_COLUMNS",
                                 "The column \"" + given.name +
                                     "\" of the result has a type that no answer can hold.",
                                 "cast it to text, date, timestamptz, numeric or jsonb");
        }
        query_.columns.push_back({given.name, plan::cpp_identifier(given.name),
                                  std::string(type->runtime), std::string(type->cpp),
                                  std::string(type->writer), std::to_string(given.type),
                                  std::string(plan::result_sql(given.type))});
    }

    std::size_t place(std::size_t column) const {
        return column < read_.columns.size() ? read_.columns[column] : 0;
    }

    // A "read" list hides a field from the API; a query's author may show it, and should know.
    // Columns that every table has (tableoid, xmin) are nobody's secret.
    void hold_readers(const std::string& table, int number, std::size_t at) {
        if (number <= 0) return;
        for (const plan::ServedEntity& entity : plan_.entities) {
            if (entity.name != table) continue;
            const plan::ServedColumn& column =
                entity.columns.at(static_cast<std::size_t>(number) - 1);
            if (!is_kept_from_some(plan_, query_, column.readers)) return;
            report_.warning(at, "QUERY_SHOWS_HIDDEN_FIELD",
                            "The query shows \"" + column.name + "\" of " + table +
                                " to callers who may not read it.",
                            "leave it out, or let only those run the query who may");
        }
    }

    const plan::Plan& plan_;
    plan::Query& query_;
    const Read& read_;
    Report report_;
    std::set<std::string> names_;
};

// One row more than the server shows tells that there are more. What is beyond is never made: a
// product of tables has more rows than anybody waits for. A line of its own ends a comment.
std::string bounded(const std::string& sql) {
    return "select * from (\n" + sql + "\n) _q limit 10001";
}

plan::Statement statement(const plan::Query& query, const Read& read) {
    const std::string sql = read.in_schema(query.sql, "public").text();
    plan::Statement out{plan::statement_name(query.name), query.writes ? sql : bounded(sql), {}};
    for (const plan::QueryParam& param : query.params) out.types.push_back(param.sql_type);
    return out;
}

constexpr std::size_t kShown = 60;

std::string shortened(const std::string& text) {
    if (text.size() <= kShown) return text;
    std::size_t end = kShown;  // not within a character
    while (end > 0 && base::continues_character(text[end])) --end;
    return text.substr(0, end) + "…";
}

// Asked of all of them at once, as most contracts are right.
void try_values(Session& session, const plan::Pattern& pattern, diag::Findings& findings) {
    const std::string matches = " ~ " + plan::literal(pattern.text);
    std::string all;
    for (const plan::PatternValue& value : pattern.values) {
        all += (all.empty() ? "" : ", ") + plan::literal(value.text);
    }
    Refusal refusal;
    const std::string list = "select bool_and(v" + matches + ") from unnest(array[" + all + "]) v";
    if (all.empty() || session.ask(list, refusal) != false) return;
    for (const plan::PatternValue& value : pattern.values) {
        if (session.ask("select " + plan::literal(value.text) + matches, refusal) != false)
            continue;
        findings.error(value.code, value.path,
                       value.of + " does not match the pattern " + pattern.text + ".");
    }
}

// PostgreSQL reads a pattern only when a row meets it: a wrong one must show now.
void try_patterns(Session& session, const plan::Plan& plan, Budget& budget,
                  diag::Findings& findings) {
    for (const plan::Pattern& pattern : plan.patterns) {
        budget.begin(pattern.path, "The pattern " + shortened(pattern.text));
        Refusal refusal;
        if (session.ask("select '' ~ " + plan::literal(pattern.text), refusal)) {
            try_values(session, pattern, findings);
            continue;
        }
        findings.error("BAD_PATTERN", pattern.path,
                       "PostgreSQL cannot read this pattern: " + refusal.message + ".",
                       "Write a POSIX regular expression.");
    }
}

bool refuses(Session& session, const plan::SeedRule& rule, std::size_t first, std::size_t count) {
    std::string rows;
    for (std::size_t i = first; i < first + count; ++i) {
        rows += (rows.empty() ? "" : " union all ") + ("select * from " + rule.rows[i].sql + " _r");
    }
    Refusal refusal;
    const std::string question =
        "select coalesce(bool_or(" + rule.refuse + "), false) from (" + rows + ") \"new\"";
    // What cannot be answered here is told when the row is written.
    return session.ask(question, refusal).value_or(false);
}

// Many rows at a time, as most keep to the rules.
void try_rule(Session& session, const plan::SeedRule& rule, Budget& budget,
              diag::Findings& findings) {
    constexpr std::size_t kAtATime = 100;
    for (std::size_t begin = 0; begin < rule.rows.size(); begin += kAtATime) {
        const std::size_t count = std::min(kAtATime, rule.rows.size() - begin);
        budget.begin(rule.rows[begin].path, "A rule of the row at " + rule.rows[begin].path);
        if (!refuses(session, rule, begin, count)) continue;
        for (std::size_t i = begin; i < begin + count; ++i) {
            if (!refuses(session, rule, i, 1)) continue;
            findings.error("BAD_SEED", rule.rows[i].path,
                           "A rule refuses this row: \"" + rule.message + "\".");
        }
    }
}

std::string seconds(std::chrono::milliseconds time) {
    const auto tenths = time.count() / 100;
    return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " s";
}

// Once: what is left of a check meets the same end.
void tell_too_slow(Budget& budget, diag::Findings& findings) {
    for (const auto& finding : findings.all())
        if (finding.code == "CHECK_TOO_SLOW") return;
    const Budget::Item& item = budget.slowest();
    findings.error(
        "CHECK_TOO_SLOW", item.path,
        "What this contract says takes longer to try than a check may, " + seconds(budget.all()) +
            ". " + item.what + " alone took " + seconds(item.took) +
            "; what comes after it was not tried.",
        "Write patterns without repeats of repeats, such as (a+)+, without \\1 for groups "
        "of any length, and without large counts, such as {1,500}.");
}

void prove_each(plan::Plan& plan, const Reads& reads, const Database& database, Budget& budget,
                diag::Findings& findings) {
    Session session(database.url, budget);
    make_tables(session, plan, reads);
    try_patterns(session, plan, budget, findings);
    for (const plan::SeedRule& rule : plan.seed_rules) try_rule(session, rule, budget, findings);
    for (std::size_t i = 0; i < reads.size(); ++i) {
        if (!reads[i]) continue;
        budget.begin(plan.queries[i].path, "The query " + plan.queries[i].name);
        Proof(plan, plan.queries[i], *reads[i], findings).run(session);
    }
}

// Reading is ours, and takes long as well where texts are made for that.
Reads read_all(plan::Plan& plan, const std::vector<std::string>& entities, Budget& budget,
               diag::Findings& findings) {
    Reads reads;
    try {
        for (plan::Query& query : plan.queries) {
            budget.begin(query.path, "The query " + query.name);
            reads.push_back(read(query, entities, findings));
            budget.left();
        }
    } catch (const TooSlow&) {
        tell_too_slow(budget, findings);
    }
    reads.resize(plan.queries.size());
    return reads;
}

void prove_all(plan::Plan& plan, const Reads& reads, const Database& database, Budget& budget,
               diag::Findings& findings) {
    try {
        prove_each(plan, reads, database, budget, findings);
    } catch (const TooSlow&) {
        tell_too_slow(budget, findings);
    }
}

std::vector<std::string> table_names(const plan::Plan& plan) {
    std::vector<std::string> out;
    for (const plan::Table& table : plan.tables) out.push_back(table.name);
    return out;
}

}  // namespace

void prove(plan::Plan& plan, const Database& database, diag::Findings& findings) {
    const bool nothing_to_try = plan.patterns.empty() && plan.seed_rules.empty();
    if (plan.queries.empty() && (nothing_to_try || database.url.empty())) return;
    Budget budget(database.budget);
    const Reads reads = read_all(plan, table_names(plan), budget, findings);
    for (std::size_t i = 0; i < reads.size(); ++i) {
        if (reads[i]) plan.queries[i].statement = statement(plan.queries[i], *reads[i]);
    }
    if (database.url.empty()) {
        findings.warning("QUERIES_NOT_PROVED", "/queries#key",
                         "Without a PostgreSQL, the columns and types of queries stay unproved.",
                         "give one: --database URL, or SVC_DATABASE_URL");
        return;
    }
    prove_all(plan, reads, database, budget, findings);
}

void prove_sound(plan::Plan& plan, std::vector<std::string> entities, const Database& database,
                 diag::Findings& findings) {
    entities.insert(entities.end(), findings.doubted().begin(), findings.doubted().end());
    Budget budget(database.budget);
    Reads reads = read_all(plan, entities, budget, findings);
    const std::vector<std::string> names = table_names(plan);
    const std::set<std::string> sound(names.begin(), names.end());
    bool any = !plan.patterns.empty();  // rules of seeds are tried of whole models
    for (auto& read : reads) {
        if (!read) continue;
        const auto& tables = read->tables;
        if (!std::includes(sound.begin(), sound.end(), tables.begin(), tables.end())) read.reset();
        any = any || read;
    }
    if (any && !database.url.empty()) prove_all(plan, reads, database, budget, findings);
}

}  // namespace svc::query
