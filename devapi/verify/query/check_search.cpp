// Full-text search over HTTP: each caller finds the rows that have the words if they may read
// them, and no others.
#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "base/percent.hpp"
#include "plan/names.hpp"
#include "verify/app/server.hpp"
#include "verify/clone/fixtures.hpp"
#include "verify/oracle/oracle.hpp"
#include "verify/query/search_questions.hpp"

namespace svc::devapi::verification {
namespace {

using nlohmann::json;
using Ids = std::set<std::string>;

constexpr std::size_t kMostTables = 20, kMostFound = 25;  // of one search

class Searches {
  public:
    Searches(Subject& subject, VerifyCheck& out) : subject_(subject), out_(out) {}

    void run() {
        choose();
        for (std::size_t from = 0; from < tables_.size(); from += kMostTables) {
            const std::size_t to = std::min(from + kMostTables, tables_.size());
            part_ = {tables_.begin() + static_cast<std::ptrdiff_t>(from),
                     tables_.begin() + static_cast<std::ptrdiff_t>(to)};
            look_up();
            for (const auto& question : questions_)
                for (const VerifyCaller& caller : subject_.callers) ask(question, caller);
        }
    }

    std::size_t tables() const { return tables_.size(); }
    std::size_t questions() const { return asked_.size(); }

  private:
    const model::Entity& entity(std::size_t index) const { return subject_.model.entities[index]; }

    // Leaves out tables whose older rows are not indexed yet: a search need not find them. The
    // apply of a search on a large table defers that work.
    void choose() {
        for (std::size_t i = 0; i < subject_.model.entities.size(); ++i) {
            const auto& one = entity(i);
            if (one.search.empty() || !can_be_tried(subject_.model, one)) continue;
            if (subject_.connection.is_true(
                    "select exists (select from svc.pending where kind = 'words' "
                    "and table_name = " +
                    plan::literal(one.name) + ")"))
                out_.warnings.push_back("The search words of stored rows of " + one.name +
                                        " are still being indexed, so it was not searched.");
            else
                tables_.push_back(i);
        }
    }

    // Computes what each caller should find, before any search.
    void look_up() {
        seen_.clear();
        matching_.clear();
        CloneConnection& db = subject_.connection;
        RollbackScope rollback(db);
        db.act_as_owner();
        db.run("set local timezone = " + plan::literal(subject_.model.app.timezone));
        questions_ = search_questions(subject_, part_);
        asked_.insert(questions_.begin(), questions_.end());
        for (const std::size_t index : part_) {
            for (const VerifyCaller& caller : subject_.callers) {
                Oracle oracle(subject_.model, caller);
                seen_[{index, caller.name}] =
                    ids("select r.id::text from " + plan::table(entity(index).name) + " r where " +
                        oracle.may(Operation::read, index, "r"));
                match(index, words_for(index, caller));
            }
        }
    }

    Ids ids(const std::string& sql) {
        const auto list = subject_.connection.list(sql);
        return {list.begin(), list.end()};
    }

    // The words of the fields that the caller may read, as SQL; "" if there is none.
    std::string words_for(std::size_t index, const VerifyCaller& caller) const {
        std::string out;
        for (const auto& searched : entity(index).search) {
            const model::Field& field = entity(index).fields[searched.field];
            if (!caller.reads(field)) continue;
            out += (out.empty() ? "" : " || ") + ("to_tsvector(" + search_config(subject_, index)) +
                   ", left(coalesce(r." + plan::ident(field.name) + "::text, ''), " +
                   std::to_string(search_plan(subject_, index).max_length) + "))";
        }
        return out;
    }

    // Finds the rows that match, once for all callers who read the same fields.
    void match(std::size_t index, const std::string& words) {
        auto& found = matching_[{index, words}];
        if (!found.empty() || words.empty()) return;
        CloneConnection& db = subject_.connection;
        db.run("create table svc_verify.words as select r.id::text as id, " + words +
               " as words from " + plan::table(entity(index).name) + " r");
        for (const auto& question : questions_)
            found[question] =
                ids("select id from svc_verify.words where words @@ websearch_to_tsquery(" +
                    search_config(subject_, index) + ", " + plan::literal(question) + ")");
        db.run("drop table svc_verify.words");
    }

    void ask(const std::string& question, const VerifyCaller& caller) {
        std::string tables;
        for (const std::size_t index : part_)
            tables += (tables.empty() ? "" : ",") + entity(index).name;
        const auto answer = subject_.server->call(
            caller, "GET",
            "/api/v1/search?limit=25&tables=" + tables + "&q=" + base::percent_encoded(question));
        const json body = json::parse(answer.body, nullptr, false);
        if (answer.status != 200 || !body.is_object())
            return out_.bad("A search for \"" + question + "\" by " + caller.name + " answers " +
                            std::to_string(answer.status) + ": " + answer.body.substr(0, 200));
        for (const std::size_t index : part_) {
            Ids found;
            for (const json& table : body["results"])
                if (table["table"] == entity(index).name)
                    for (const json& row : table["rows"]) found.insert(row.value("id", ""));
            compare(index, question, caller, found);
        }
    }

    void compare(std::size_t index, const std::string& question, const VerifyCaller& caller,
                 const Ids& found) {
        const Ids& seen = seen_[{index, caller.name}];
        Ids wanted;
        for (const std::string& id : matching_[{index, words_for(index, caller)}][question])
            if (seen.contains(id)) wanted.insert(id);
        Ids more, less;
        std::ranges::set_difference(found, wanted, std::inserter(more, more.end()));
        std::ranges::set_difference(wanted, found, std::inserter(less, less.end()));
        if (!more.empty()) return out_.bad(sentence(index, question, caller, *more.begin(), true));
        if (!less.empty() && found.size() < kMostFound)
            return out_.bad(sentence(index, question, caller, *less.begin(), false));
        out_.good();
    }

    std::string sentence(std::size_t index, const std::string& question, const VerifyCaller& caller,
                         const std::string& id, bool found) {
        const std::string& name = entity(index).name;
        return caller.name + (found ? " finds" : " does not find") + " the row " + id + " of " +
               name + " by \"" + question + "\"" +
               (found ? seen_[{index, caller.name}].contains(id)
                            ? ", but the words are not in a field that they may read."
                            : "; the contract does not let them read it."
                      : ", although the words are in a field that they may read.") +
               " Look at svc." + name + "_search() and svc." + name + "_words.";
    }

    Subject& subject_;
    VerifyCheck& out_;
    std::vector<std::size_t> tables_, part_;  // of the model's entities; those asked together
    std::vector<std::string> questions_;
    std::set<std::string> asked_;
    std::map<std::pair<std::size_t, std::string>, Ids> seen_;  // by table and caller
    std::map<std::pair<std::size_t, std::string>, std::map<std::string, Ids>>
        matching_;  // and words
};

}  // namespace

void check_search(Subject& subject, VerifyCheck& out) {
    const auto is_searched = [](const auto& entity) { return !entity.search.empty(); };
    if (std::ranges::none_of(subject.model.entities, is_searched))
        return not_run(out, "The contract has no full-text search.");
    if (!subject.server) return not_served(out);
    Searches searches(subject, out);
    searches.run();
    warn_of_untried(subject.model, out);
    out.said = std::to_string(searches.questions()) + " searches over HTTP by each caller, in " +
               std::to_string(searches.tables()) +
               " tables. The rows found are compared with those that have the words in fields that "
               "the caller may read.";
}

}  // namespace svc::devapi::verification
