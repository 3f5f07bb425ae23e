// Compares the rows that policies let each caller reach with the contract.
#include <algorithm>
#include <set>

#include "base/sql_state.hpp"
#include "migrate/refusal/refusal.hpp"
#include "plan/names.hpp"
#include "verify/access/bench.hpp"
#include "verify/access/writes.hpp"
#include "verify/clone/fixtures.hpp"

namespace svc::devapi::verification {
namespace {

using Ids = std::set<std::string>;

class AccessMatrix {
  public:
    AccessMatrix(Subject& subject, VerifyCheck& out)
        : subject_(subject), out_(out), bench_(subject, Bench::Triggers::off) {}

    void run() {
        for (std::size_t i = 0; i < subject_.model.entities.size(); ++i) {
            if (!can_be_tried(subject_.model, subject_.model.entities[i])) continue;
            ++tables_;
            for (const VerifyCaller& caller : subject_.callers) ask(i, caller);
            try_writes(subject_, bench_, i, out_);
        }
    }

    std::size_t tables() const { return tables_; }

  private:
    void ask(std::size_t index, const VerifyCaller& caller) {
        const std::string table = plan::table(subject_.model.entities[index].name);
        Oracle oracle(subject_.model, caller);
        Ids may[3], all;
        for (const auto& line :
             bench_.ask("select concat_ws(' ', r.id, " + oracle.may(Operation::read, index, "r") +
                        ", " + oracle.may(Operation::update, index, "r") + ", " +
                        oracle.may(Operation::remove, index, "r") + ") from " + table + " r")) {
            const std::string id = line.substr(0, line.find(' '));
            all.insert(id);
            for (const std::size_t operation : {0, 1, 2})
                if (line[id.size() + 1 + 2 * operation] == 't') may[operation].insert(id);
        }
        compare(index, caller, Operation::read, all, may[0], reads(table, caller));
        if (!asks_for_itself(caller, subject_.model.entities[index])) return;
        compare(index, caller, Operation::update, all, may[1], updates(table, caller));
        compare(index, caller, Operation::remove, all, may[2], deletes(table, caller));
    }

    // A table that they have no right to at all is one of which they reach nothing.
    template <class Work>
    Ids reached(Work work) {
        Ids out;
        try {
            bench_.rolled_back([&] { out = work(); });
        } catch (const pqxx::sql_error& error) {
            if (migrate::read_error(error).state != base::sqlstate::kForbidden) throw;
        }
        return out;
    }

    Ids ids(const std::string& sql) {
        const auto list = bench_.db().list(sql);
        return {list.begin(), list.end()};
    }

    Ids reads(const std::string& table, const VerifyCaller& caller) {
        return reached([&] {
            bench_.db().act_as(caller);
            return ids("select id::text from " + table);
        });
    }

    // By statements that look at no row: policies alone hold them.
    Ids updates(const std::string& table, const VerifyCaller& caller) {
        return reached([&] {
            bench_.db().act_as(caller);
            bench_.db().run("update " + table + " set updated_at = 'infinity'");
            bench_.db().act_as_owner();
            return ids("select id::text from " + table + " where updated_at = 'infinity'");
        });
    }

    Ids deletes(const std::string& table, const VerifyCaller& caller) {
        return reached([&] {
            bench_.db().act_as_owner();
            const Ids before = ids("select id::text from " + table);
            bench_.db().act_as(caller);
            bench_.db().run("delete from " + table);
            bench_.db().act_as_owner();
            const Ids after = ids("select id::text from " + table);
            Ids gone;
            std::ranges::set_difference(before, after, std::inserter(gone, gone.end()));
            return gone;
        });
    }

    void compare(std::size_t index, const VerifyCaller& caller, Operation operation, const Ids& all,
                 const Ids& may, const Ids& does) {
        for (const std::string& id : all) {
            const bool allowed = may.contains(id), done = does.contains(id);
            if (allowed == done) {
                out_.good();
                continue;
            }
            out_.bad(out_.failures > 0 ? "" : sentence(index, caller, operation, id, done));
        }
    }

    std::string sentence(std::size_t index, const VerifyCaller& caller, Operation operation,
                         const std::string& id, bool done) {
        const auto& entity = subject_.model.entities[index];
        return caller.name + (done ? " can " : " cannot ") + std::string(base::word(operation)) +
               " " + bench_.describe(entity, id, caller) +
               (done ? "; the contract does not let them. Look at the policies of "
                     : ", although the contract lets them. Look at the policies of ") +
               entity.name + ".";
    }

    Subject& subject_;
    VerifyCheck& out_;
    Bench bench_;
    std::size_t tables_ = 0;
};

}  // namespace

void check_access(Subject& subject, VerifyCheck& out) {
    AccessMatrix matrix(subject, out);
    matrix.run();
    warn_of_untried(subject.model, out);
    out.said = std::to_string(subject.callers.size()) + " callers tried on " +
               std::to_string(matrix.tables()) +
               " tables: reading, changing and deleting each row, and creating rows.";
}

}  // namespace svc::devapi::verification
