// Reads the history of a changed and deleted row over HTTP: administrators and servers get every
// event, in the fields that they may read; nobody else gets anything.
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

#include "common/json_slice.hpp"
#include "plan/names.hpp"
#include "verify/app/server.hpp"
#include "verify/clone/fixtures.hpp"
#include "verify/feed/row_values.hpp"

namespace svc::devapi::verification {
namespace {

using nlohmann::json;

constexpr std::size_t kMostAudited = 5;  // rows of a table

// The operations on a row, and the row before and after as PostgreSQL prints it.
struct RowHistory {
    std::string id;
    struct Entry {
        std::string event, old_row, new_row;  // JSON; "null" where there was none
    };
    std::vector<Entry> latest;  // the latest first
};

class HistoryTrial {
  public:
    HistoryTrial(Subject& subject, VerifyCheck& out, const model::Entity& entity)
        : subject_(subject),
          out_(out),
          entity_(entity),
          table_(plan::table(entity.name)),
          values_(subject.connection, entity) {}

    void run() {
        const auto rows = db().list("select id::text from " + table_ + " order by md5(id::text) " +
                                    "limit " + std::to_string(kMostAudited));
        for (const std::string& id : rows) {
            const RowHistory history = history_of(id);
            for (const VerifyCaller& caller : subject_.callers) ask(caller, history);
        }
    }

  private:
    CloneConnection& db() { return subject_.connection; }

    // A change, and a delete where nothing hinders it.
    RowHistory history_of(const std::string& id) {
        RowHistory out{id, {}};
        const std::string one = " where id = " + plan::literal(id);
        const std::string was = row_of(id);
        if (done("update " + table_ + " set updated_at = updated_at + interval '1 us'" + one))
            out.latest.insert(out.latest.begin(), {"updated", was, row_of(id)});
        const std::string last = row_of(id);
        if (done("delete from " + table_ + one))
            out.latest.insert(out.latest.begin(), {"deleted", last, "null"});
        return out;
    }

    std::string row_of(const std::string& id) {
        return db().text("select to_jsonb(t.*)::text from " + table_ +
                         " t where id = " + plan::literal(id));
    }

    // False: it was refused.
    bool done(const std::string& sql) {
        db().run("begin");
        try {
            db().act_as_owner();
            db().run(sql);
            db().run("commit");
            return true;
        } catch (const pqxx::broken_connection&) {
            throw;
        } catch (const pqxx::sql_error&) {
            db().run("rollback");
            return false;
        }
    }

    void ask(const VerifyCaller& caller, const RowHistory& history) {
        const HttpAnswer answered = subject_.server->call(
            caller, "GET",
            "/api/v1/" + entity_.name + "/" + history.id +
                "/history?limit=" + std::to_string(history.latest.size() + 1));
        const bool may = caller.server || caller.is_admin;
        const std::string what =
            caller.name + " asks for the history of a row of " + entity_.name + " and ";
        if (answered.status != (may ? 200 : 403))
            return out_.bad(what + "is answered " + std::to_string(answered.status) +
                            ", although " +
                            (may ? "they may read it." : "it is for administrators and servers."));
        out_.good();
        if (!may) return;
        const auto sent = json_elements(json_member(answered.body, "history").value_or("[]"));
        for (std::size_t i = 0; i < history.latest.size(); ++i) {
            const RowHistory::Entry& should = history.latest[i];
            const std::string_view entry = i < sent.size() ? sent[i] : "{}";
            if (json::parse(entry).value("event", "") != should.event) {
                out_.bad(what + "does not get the entry that it was " + should.event + ".");
                continue;
            }
            compare(caller, what, "before", json_member(entry, "old"), should.old_row);
            compare(caller, what, "after", json_member(entry, "new"), should.new_row);
        }
    }

    void compare(const VerifyCaller& caller, const std::string& what, const char* when,
                 std::optional<std::string_view> sent, const std::string& should) {
        const bool nothing = sent.value_or("null") == "null";
        if (nothing != (should == "null"))
            return out_.bad(what + (nothing ? "does not get the row " : "gets a row ") + when +
                            " a change, where there was " + (nothing ? "one." : "none."));
        const std::string wrong = nothing ? "" : values_.wrong(caller, *sent, should);
        if (wrong.empty()) return out_.good();
        out_.bad(what + "gets " + wrong + ", of the row " + when + " a change.");
    }

    Subject& subject_;
    VerifyCheck& out_;
    const model::Entity& entity_;
    const std::string table_;
    RowValues values_;
};

}  // namespace

void check_history(Subject& subject, VerifyCheck& out) {
    std::size_t entities = 0;
    for (const model::Entity& entity : subject.model.entities) {
        if (!entity.audit || !is_table(entity)) continue;
        if (!subject.server) return not_served(out);
        HistoryTrial(subject, out, entity).run();
        ++entities;
    }
    if (entities == 0) return not_run(out, "No entity keeps the history of its rows.");
    out.said = "The history of rows of " + std::to_string(entities) +
               " entities, as administrators and servers read it and nobody else does.";
}

}  // namespace svc::devapi::verification
