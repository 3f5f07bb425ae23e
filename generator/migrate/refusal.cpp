#include "migrate/refusal.hpp"

#include "plan/names.hpp"

namespace svc::migrate {
namespace {

constexpr std::size_t kMostNamed = 5;
constexpr std::string_view kDetail = "\nDETAIL:  ";

// The text after `label` up to the next of PostgreSQL's labels.
std::string part(const std::string& text, std::size_t from) {
    std::size_t end = text.size();
    for (const char* next : {"\nDETAIL:", "\nHINT:", "\nCONTEXT:", "\nLINE ", "\nQUERY:"}) {
        end = std::min(end, text.find(next, from));
    }
    std::string found = text.substr(from, end - from);
    while (!found.empty() && found.back() == '\n') found.pop_back();
    return found;
}

}  // namespace

SqlError read_error(const pqxx::sql_error& error) {
    const std::string text = error.what();
    SqlError out;
    out.state = error.sqlstate();
    const auto severity = text.find(":  ");
    out.message = part(text, severity == std::string::npos ? 0 : severity + 3);
    const auto detail = text.find(kDetail);
    if (detail != std::string::npos) out.detail = part(text, detail + kDetail.size());
    return out;
}

bool is_busy(const std::string& state) {
    return state == "55P03" || state == "40P01" || state == "40001";
}

std::string name_rows(pqxx::transaction_base& tx, const std::string& query) {
    const auto rows = tx.exec(query + " limit " + std::to_string(kMostNamed + 1));
    if (rows.empty()) return {};
    std::string named = rows.size() == 1 ? "row " : "rows ";
    for (std::size_t i = 0; i < rows.size() && i < kMostNamed; ++i) {
        named += (i == 0 ? "" : ", ") + std::string(rows[static_cast<int>(i)][0].c_str());
    }
    return rows.size() > kMostNamed ? named + " and more" : named;
}

void explain(pqxx::dbtransaction& tx, const Step& step, const SqlError& error,
             diag::Findings& findings) {
    if (!step.rows_may_be_in_way || !error.state.starts_with("23")) {
        findings.error(
            "MIGRATION_FAILED", step.path,
            "The database refused a change: " + error.message + " (" + error.state + ").",
            step.change.sql);
        return;
    }
    std::string rows;
    // Not valid: it stands without a look at the rows, so that its own text can be asked which
    // break it.
    if (error.state != "23505") {
        pqxx::subtransaction sub(tx);
        sub.exec(step.change.sql + " not valid");
        const auto made = sub.exec1(
            "select contype = 'f', pg_get_expr(conbin, conrelid), confrelid::regclass,"
            " (select attname from pg_attribute where attrelid = conrelid and attnum = conkey[1]),"
            " (select attname from pg_attribute where attrelid = confrelid and attnum = "
            "confkey[1]) "
            "from pg_constraint where oid = (select max(oid) from pg_constraint where conrelid = " +
            plan::literal(plan::table(step.change.table)) + "::regclass)");
        std::string wrong = "not (" + std::string(made[1].c_str()) + ")";
        if (made[0].as<bool>()) {
            const std::string column = sub.quote_name(made[3].c_str());
            wrong = column + " is not null and not exists (select from " + made[2].c_str() +
                    " there where there." + sub.quote_name(made[4].c_str()) + " = here." + column +
                    ")";
        }
        rows = name_rows(
            sub, "select id from " + plan::table(step.change.table) + " here where " + wrong);
    } else {
        // Key (a, b)=(x, y) is duplicated.
        const auto open = error.detail.find('('), close = error.detail.find(")=(");
        if (open != std::string::npos && close != std::string::npos) {
            const std::string table = plan::table(step.change.table);
            const std::string columns = "(" + error.detail.substr(open + 1, close - open - 1) + ")";
            const std::string list = columns.substr(1, columns.size() - 2);
            rows = name_rows(tx, "select id from " + table + " where " + columns + " in (select " +
                                     list + " from " + table + " group by " + list +
                                     " having count(*) > 1)");
        }
    }
    findings.error("ROWS_IN_THE_WAY", step.path,
                   "Stored rows break this: " + (rows.empty() ? error.message : rows) + "." +
                       (error.detail.empty() ? "" : " " + error.detail),
                   "Change these rows first, or leave the limit out.");
}

}  // namespace svc::migrate
