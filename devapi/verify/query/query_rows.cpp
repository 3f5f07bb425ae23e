#include "verify/query/query_rows.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "plan/names.hpp"
#include "platform/log_words.hpp"
#include "verify/access/bench.hpp"
#include "verify/clone/fixtures.hpp"
#include "verify/query/query_text.hpp"
#include "verify/query/query_values.hpp"

namespace svc::devapi::verification {
namespace {

using nlohmann::json;
using Lines = std::multiset<std::string>;

// Values of other types are only compared for null.
bool is_number(const std::string& oid) {
    return oid == "20" || oid == "21" || oid == "23" || oid == "1700";
}
bool is_plain(const std::string& oid) {
    return oid == "16" || oid == "25" || oid == "1043" || oid == "1082" || oid == "2950";
}

// An answer says null for them: JSON has no such number.
bool is_no_number(const std::string& text, const std::string& oid) {
    const bool may_be = oid == "700" || oid == "701" || oid == "1700";
    return may_be && text.find_first_of("NI") != std::string::npos;
}

std::string number(const std::string& text) {
    char out[40];
    std::snprintf(out, sizeof out, "%.12g", std::strtod(text.c_str(), nullptr));
    return out;
}

std::string cell(const std::string& text, const std::string& oid) {
    return "\x1f" + (is_number(oid) ? number(text) : is_plain(oid) ? text : "a value");
}

std::string text_of(const json& value) {
    if (value.is_string()) return value;
    return value.is_boolean() ? (value.get<bool>() ? "t" : "f") : value.dump();
}

Lines of_answer(const json& rows, const plan::Query& query) {
    Lines out;
    for (const json& row : rows) {
        std::string line;
        for (const plan::QueryColumn& column : query.columns) {
            const json value = row.value(column.name, json());
            line += value.is_null() ? "\x1f" : cell(text_of(value), column.oid);
        }
        out.insert(std::move(line));
    }
    return out;
}

Lines of_result(const pqxx::result& rows, const plan::Query& query) {
    Lines out;
    for (const auto& row : rows) {
        std::string line;
        for (std::size_t i = 0; i < query.columns.size(); ++i) {
            const auto& value = row[static_cast<int>(i)];
            const std::string& oid = query.columns[i].oid;
            const bool nothing = value.is_null() || is_no_number(value.c_str(), oid);
            line += nothing ? "\x1f" : cell(value.c_str(), oid);
        }
        out.insert(std::move(line));
    }
    return out;
}

class Rows {
  public:
    Rows(Subject& subject, VerifyCheck& out)
        : subject_(subject), out_(out), bench_(subject, Bench::Triggers::off) {}

    void compare(const Answer& answer) {
        const json body = json::parse(answer.body, nullptr, false);
        if (!body.is_object() || !body.contains("rows"))
            return out_.bad(what(answer) + " does not answer with rows.");
        if (body.value("truncated", false)) return;
        Lines found;
        try {
            bench_.rolled_back([&] {
                if (!answer.elevated) leave_what_he_sees(answer);
                bench_.db().act_as_owner();
                found = of_result(run(answer), *answer.planned);
            });
        } catch (const pqxx::sql_error& error) {
            return out_.warnings.push_back(what(answer) + " was not compared: " + log_words(error));
        }
        judge(answer, of_answer(body["rows"], *answer.planned), found);
    }

  private:
    static std::string what(const Answer& answer) {
        return "The query " + answer.query->name + ", run by " + answer.caller.name +
               (answer.elevated ? " past row-level security," : ",");
    }

    void leave_what_he_sees(const Answer& answer) {
        std::string all;
        for (const std::size_t index : entities_in(subject_.model, answer.planned->sql)) {
            const auto& hidden = hidden_from(answer.caller, index);
            if (!hidden.empty())
                all += "delete from " + plan::table(subject_.model.entities[index].name) +
                       " where id = any (" + text_array(hidden) + "::uuid[]); ";
        }
        bench_.db().act_as_owner();
        if (!all.empty()) bench_.db().run(all);
    }

    const std::vector<std::string>& hidden_from(const VerifyCaller& caller, std::size_t index) {
        const auto key = caller.name + (caller.org.empty() ? "" : " in an organisation");
        const auto known = hidden_.find({key, index});
        if (known != hidden_.end()) return known->second;
        Oracle oracle(subject_.model, caller);
        return hidden_[{key, index}] = bench_.ask(
                   "select r.id::text from " + plan::table(subject_.model.entities[index].name) +
                   " r where not " + oracle.may(Operation::read, index, "r"));
    }

    pqxx::result run(const Answer& answer) {
        const auto& statement = answer.planned->statement;
        std::string types;
        for (const std::string& type : statement.types) types += (types.empty() ? "" : ", ") + type;
        const std::string values = arguments_of(*answer.query, *answer.planned);
        CloneConnection& db = bench_.db();
        db.run("deallocate all; prepare svc_verify_query" +
               (types.empty() ? "" : "(" + types + ")") + " as " + statement.sql);
        return db.run("execute svc_verify_query" + (values.empty() ? "" : "(" + values + ")"));
    }

    void judge(const Answer& answer, const Lines& does, const Lines& should) {
        if (does == should ||
            (does.size() == should.size() && depends_on_order(answer.planned->sql)))
            return out_.good();
        const std::string most = answer.elevated ? "all rows" : "the rows that they may read";
        out_.bad(what(answer) + " gives " +
                 (does.size() == should.size()
                      ? "other rows than its SQL finds among "
                      : std::to_string(does.size()) + " rows where its SQL finds " +
                            std::to_string(should.size()) + " in ") +
                 most + ".");
    }

    Subject& subject_;
    VerifyCheck& out_;
    Bench bench_;
    std::map<std::pair<std::string, std::size_t>, std::vector<std::string>> hidden_;
};

}  // namespace

void compare_rows(Subject& subject, const std::vector<Answer>& answers, VerifyCheck& out) {
    if (answers.empty()) return;
    Rows rows(subject, out);
    for (const Answer& answer : answers) rows.compare(answer);
}

}  // namespace svc::devapi::verification
