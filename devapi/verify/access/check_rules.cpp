// Checks that rules refuse what they must and nothing else, for every caller.
#include <algorithm>

#include "base/sql_state.hpp"
#include "plan/names.hpp"
#include "verify/access/bench.hpp"
#include "verify/clone/fixtures.hpp"

namespace svc::devapi::verification {
namespace {

constexpr const char* kMightBe = "svc_verify.made";

enum class Write { create, update, remove };

class RuleCases {
  public:
    RuleCases(Subject& subject, VerifyCheck& out)
        : subject_(subject), out_(out), bench_(subject, Bench::Triggers::on) {}

    void run() {
        for (const model::Entity& entity : subject_.model.entities) {
            if (!can_be_tried(subject_.model, entity) || entity.rules.empty()) continue;
            bench_.begin_made(entity);
            reached_.assign(entity.rules.size(), false);
            for (const Write write : {Write::create, Write::update, Write::remove})
                if (std::ranges::any_of(entity.rules, [&](const auto& r) { return on(r, write); }))
                    try_write(entity, write);
            bench_.end_made();
            for (std::size_t i = 0; i < reached_.size(); ++i)
                if (!reached_[i]) report_unreached(entity, i);
            rules_ += reached_.size();
        }
    }

    std::size_t rules() const { return rules_; }

  private:
    static bool on(const model::Rule& rule, Write write) {
        return write == Write::create   ? rule.on_create
               : write == Write::update ? rule.on_update
                                        : rule.on_delete;
    }

    // Callers are alike to most rules: one of each kind asks.
    bool asks(const VerifyCaller& caller) const {
        return caller.org_role.empty() && !caller.name.ends_with(" (2)");
    }

    void try_write(const model::Entity& entity, Write write) {
        make_rows(entity, write);
        for (const VerifyCaller& caller : subject_.callers)
            if (asks(caller)) try_as(entity, write, caller);
    }

    // The columns that the write may not set: it would be refused before any rule.
    std::vector<std::string> fixed_columns(const model::Entity& entity, Write write) const {
        std::vector<std::string> out{"id"};
        if (write != Write::update) return out;
        for (const auto& field : entity.fields)
            if (field.immutable || field.lifecycle || field.type == model::FieldType::sequence)
                out.push_back(field.name);
        for (const char* column : {"user_id", "org_id", "created_at", "updated_at"})
            out.emplace_back(column);
        return out;
    }

    void make_rows(const model::Entity& entity, Write write) {
        const std::string table = plan::table(entity.name);
        bench_.ask(std::string("delete from ") + kMightBe);
        const auto kept = fixed_columns(entity, write);
        const std::string changed = bench_.columns(entity, kept);
        if (write != Write::update) {
            const char* id = write == Write::create ? "gen_random_uuid()" : "id";
            bench_.ask(std::string("insert into ") + kMightBe + " (id, " + changed + ") select " +
                       id + ", " + changed + " from (select * from " + table +
                       " order by md5(id::text) limit 60) t");
            return;
        }
        std::string columns, values;
        const std::string all = bench_.columns(entity);
        for (std::size_t at = 0; at < all.size();) {
            const auto end = std::min(all.find(", ", at), all.size());
            const std::string name = all.substr(at, end - at);
            const bool taken = (", " + changed + ",").find(", " + name + ",") != std::string::npos;
            columns += (columns.empty() ? "" : ", ") + name;
            values += (values.empty() ? "" : ", ") + std::string(taken ? "other." : "own.") + name;
            at = end + 2;
        }
        bench_.ask("with own as (select * from " + table +
                   " order by md5(id::text) limit 8), other as (select * from " + table +
                   " order by md5(id::text || 'r') limit 16) insert into " + kMightBe + " (" +
                   columns + ") select " + values + " from own, other where own.id <> other.id");
    }

    // For each row a letter a rule: t where it must refuse. One of each kind of row is enough.
    void try_as(const model::Entity& entity, Write write, const VerifyCaller& caller) {
        Oracle oracle(subject_.model, caller);
        std::string letters;
        for (const auto& rule : entity.rules) {
            const Oracle::Rows rows{.row = {},
                                    .fresh = write == Write::remove ? "b" : "r",
                                    .old = write == Write::create ? "r" : "b"};
            letters += letters.empty() ? "" : " || ";
            letters += on(rule, write) ? "case when " + oracle.holds(*rule.refuse, rows) +
                                             " then 't' else 'f' end"
                                       : "'f'";
        }
        const std::string table = plan::table(entity.name);
        const std::string before =
            write == Write::create ? "" : " join " + table + " b on b.id = r.id";
        const auto picked = bench_.ask(
            "select n || ' ' || l from (select n, l, row_number() over (partition by l order by "
            "md5(n::text)) as place from (select r._n as n, " +
            letters + " as l from " + kMightBe + " r" + before +
            ") a) c where place <= 3 order by n");
        std::vector<std::string> statements;
        statements.reserve(picked.size());
        for (const auto& line : picked)
            statements.push_back(statement(entity, write, line.substr(0, line.find(' '))));
        const auto answers = bench_.tried_past_policies(caller, statements);
        for (std::size_t i = 0; i < answers.size(); ++i)
            judge(entity, write, caller, picked[i], answers[i]);
    }

    std::string statement(const model::Entity& entity, Write write, const std::string& n) {
        const std::string table = plan::table(entity.name);
        const std::string made = std::string(" from ") + kMightBe + " where _n = " + n;
        if (write == Write::remove)
            return "delete from " + table + " where id = (select id" + made + ")";
        if (write == Write::create) {
            const std::string columns = bench_.columns(entity);
            return "insert into " + table + " (" + columns + ") select " + columns + made;
        }
        const std::string columns = bench_.columns(entity, fixed_columns(entity, write));
        return "update " + table + " set (" + columns + ") = (select " + columns + made +
               ") where id = (select id" + made + ")";
    }

    void judge(const model::Entity& entity, Write write, const VerifyCaller& caller,
               const std::string& line, const std::string& answer) {
        const std::string letters = line.substr(line.find(' ') + 1);
        const auto first = letters.find('t');
        const bool must = first != std::string::npos,
                   refused = answer.starts_with(base::sqlstate::kRule);
        if (!refused && answer != "1") return;  // refused for another reason
        if (must == refused) {
            for (std::size_t i = 0; i < letters.size(); ++i)
                if (letters[i] == 't') reached_[i] = true;
            return out_.good();
        }
        if (must) reached_[first] = true;
        out_.bad(sentence(entity, write, caller, must ? first : 0, must));
    }

    static std::string sentence(const model::Entity& entity, Write write,
                                const VerifyCaller& caller, std::size_t rule, bool must) {
        const char* verb = write == Write::create   ? "made"
                           : write == Write::update ? "changed"
                                                    : "deleted";
        return "A row of " + entity.name + " is " + verb + " by " + caller.name +
               (must ? " although rule " + std::to_string(rule + 1) + " of " + entity.name + " (" +
                           entity.rules[rule].path + ") refuses it. Look at the trigger " +
                           entity.name + "_rules."
                     : " and refused by a rule, although none of " + entity.name + " refuses it.");
    }

    void report_unreached(const model::Entity& entity, std::size_t rule) {
        out_.warnings.push_back("No case was found for rule " + std::to_string(rule + 1) + " of " +
                                entity.name + " (" + entity.rules[rule].path +
                                "), so it was not tried.");
    }

    Subject& subject_;
    VerifyCheck& out_;
    Bench bench_;
    std::vector<bool> reached_;  // of the entity at hand
    std::size_t rules_ = 0;
};

}  // namespace

void check_rules(Subject& subject, VerifyCheck& out) {
    RuleCases cases(subject, out);
    cases.run();
    if (cases.rules() == 0) return not_run(out, "The contract has no rules.");
    out.said = std::to_string(cases.rules()) +
               " rules, tried with writes that they must refuse and writes that they must allow.";
}

}  // namespace svc::devapi::verification
