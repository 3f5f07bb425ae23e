#include "query/prove/prove.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "plan/names.hpp"
#include "query/prove/prove_one.hpp"
#include "query/prove/trials.hpp"
#include "query/read/read.hpp"
#include "query/scratch/scratch_connection.hpp"
#include "query/scratch/temporary.hpp"

namespace svc::query {

namespace {

using Reads = std::vector<std::optional<Read>>;

void make_tables(ScratchConnection& scratch, const plan::Plan& plan, const Reads& reads) {
    std::set<std::string> wanted;
    for (const auto& read : reads) {
        if (read) wanted.insert(read->tables.begin(), read->tables.end());
    }
    std::string sql;
    for (const plan::Table& table : plan.tables) {
        if (wanted.count(table.name) != 0) sql += temporary_table(table);
    }
    scratch.make_tables(sql);
}

// The limit is one row above what the server returns; the extra row shows that there are more. Rows
// beyond it are never computed: a product of tables can have too many to wait for. The line break
// before the bracket ends a comment of the query.
std::string bounded(const std::string& sql) {
    return "select * from (\n" + sql + "\n) _q limit 10001";
}

plan::Statement statement(const plan::Query& query, const Read& read) {
    const std::string sql = read.in_schema(query.sql, "public").text();
    plan::Statement out{plan::statement_name(query.name), query.writes ? sql : bounded(sql), {}};
    for (const plan::QueryParam& param : query.params) out.types.push_back(param.sql_type);
    return out;
}

std::string seconds(std::chrono::milliseconds time) {
    const auto tenths = time.count() / 100;
    return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " s";
}

// Report it once: the rest of the check would exceed the budget too.
void report_too_slow(Budget& budget, diag::Findings& findings) {
    for (const auto& finding : findings.all())
        if (finding.code == "CHECK_TOO_SLOW") return;
    const Budget::Item& item = budget.slowest();
    findings.error("CHECK_TOO_SLOW", item.path,
                   "PostgreSQL needs more than " + seconds(budget.all()) +
                       " to check this contract. " + item.what + " alone took " +
                       seconds(item.took) + ". The rest of the contract was not checked.",
                   "Write patterns without nested repeats such as (a+)+, without \\1 for groups "
                   "of any length, and without large counts such as {1,500}.");
}

void prove_each(plan::Plan& plan, const Reads& reads, const Database& database, Budget& budget,
                diag::Findings& findings) {
    ScratchConnection scratch(database.url, budget);
    make_tables(scratch, plan, reads);
    try_patterns(scratch, plan, budget, findings);
    try_rules(scratch, plan, budget, findings);
    for (std::size_t i = 0; i < reads.size(); ++i) {
        if (!reads[i]) continue;
        budget.begin(plan.queries[i].path, "The query " + plan.queries[i].name);
        prove_one(plan, plan.queries[i], *reads[i], scratch, findings);
    }
}

// The generator's own reading also counts: some texts are written to make it slow.
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
        report_too_slow(budget, findings);
    }
    reads.resize(plan.queries.size());
    return reads;
}

void prove_all(plan::Plan& plan, const Reads& reads, const Database& database, Budget& budget,
               diag::Findings& findings) {
    try {
        prove_each(plan, reads, database, budget, findings);
    } catch (const TooSlow&) {
        report_too_slow(budget, findings);
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
        if (!reads[i]) continue;
        plan::Query& query = plan.queries[i];
        query.statement = statement(query, *reads[i]);
        if (!query.workflow) continue;
        Read::Pieces pieces = reads[i]->pieces(query.sql);
        query.pieces = std::move(pieces.texts);
        query.placeholders = std::move(pieces.params);
    }
    if (database.url.empty()) {
        findings.warning(
            "QUERIES_NOT_PROVED", "/queries#key",
            "No PostgreSQL was available, so the columns and types of queries are not checked.",
            "use --database URL, or set SVC_DATABASE_URL");
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
