// What listeners to rows are told when rows change: of each change what the contract lets them see,
// before and after, and of a row no field beyond.
#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "plan/names.hpp"
#include "verify/fixtures.hpp"
#include "verify/oracle.hpp"
#include "verify/server.hpp"

namespace svc::devapi::verification {
namespace {

using nlohmann::json;

constexpr std::size_t kMostRows = 12;  // of a table

// One caller, one stream of one table.
struct Ear {
    const VerifyCaller& caller;
    std::unique_ptr<Stream> stream;
    std::vector<std::string> expected = {};  // "updated 0198…"
};

class FeedTrial {
  public:
    FeedTrial(Subject& subject, VerifyCheck& out) : subject_(subject), out_(out) {}

    void run() {
        for (std::size_t i = 0; i < subject_.model.entities.size(); ++i) {
            const model::Entity& entity = subject_.model.entities[i];
            if (!is_table(entity) || !can_be_tried(subject_.model, entity)) continue;
            try_table(i);
            ++tables_;
        }
    }

    std::size_t tables() const { return tables_; }
    std::size_t changes() const { return changes_; }

  private:
    const model::Entity& entity() const { return subject_.model.entities[index_]; }
    Session& db() { return subject_.session; }

    void try_table(std::size_t index) {
        index_ = index;
        table_ = plan::table(entity().name);
        ears_.clear();
        for (const VerifyCaller& caller : subject_.callers) listen(caller);
        const auto rows = db().list("select id::text from " + table_ + " order by md5(id::text) " +
                                    "limit " + std::to_string(kMostRows));
        for (const std::string& id : rows) change(id);
        compare();
    }

    void listen(const VerifyCaller& caller) {
        auto stream =
            subject_.server->listen(caller, "/topics/row-changed:" + entity().name + "/subscribe");
        if (stream->status() == 200) {
            ears_.push_back({caller, std::move(stream)});
            return;
        }
        const bool any = db().yes("select " + sees(caller, "true"));
        if (stream->status() == 403 && !any) return out_.good();
        out_.bad(caller.name + " listens to " + entity().name + " and is answered " +
                 std::to_string(stream->status()) + ".");
    }

    // Does this caller see the row, or any?
    std::string sees(const VerifyCaller& caller, const std::string& which) {
        Oracle oracle(subject_.model, caller);
        return "exists (select from " + table_ + " r where " + which + " and " +
               oracle.may(Deed::read, index_, "r") + ")";
    }

    // For each ear; in a transaction of the owner's.
    std::vector<bool> sight_of(const std::string& id) {
        std::string all;
        for (const Ear& ear : ears_)
            all += (all.empty() ? "" : ", ") + sees(ear.caller, "r.id = " + plan::literal(id));
        std::vector<bool> out;
        if (all.empty()) return out;
        const std::string told = db().text("select array_to_string(array[" + all + "], '')");
        for (const char each : told) out.push_back(each == 't');
        return out;
    }

    // Written, then taken away and put back, each where nothing else changes with it.
    void change(const std::string& id) {
        const std::string one = " where id = " + plan::literal(id);
        if (!done(id, "update " + table_ + " set updated_at = updated_at + interval '1 us'" + one))
            return;
        const std::string columns = own_columns();
        db().run("begin");
        db().become_owner();
        db().run(
            "create table if not exists svc_verify.kept (row jsonb); "
            "delete from svc_verify.kept; insert into svc_verify.kept select to_jsonb(t) from " +
            table_ + " t" + one + "; commit");
        if (!done(id, "delete from " + table_ + one)) return;
        done(id, "insert into " + table_ + " (" + columns + ") select " + columns +
                     " from svc_verify.kept k, jsonb_populate_record(null::" + table_ + ", k.row)");
    }

    // Those that a row is made of, as a list.
    std::string own_columns() {
        return db().text(
            "select string_agg(quote_ident(attname), ', ' order by attnum) from "
            "pg_attribute where attrelid = " +
            plan::literal(table_) +
            "::regclass and attnum > 0 and not attisdropped and attgenerated = ''");
    }

    // False: it was refused, or changed more than this row.
    bool done(const std::string& id, const std::string& sql) {
        db().run("begin");
        try {
            // Days and moments are those of the app's timezone.
            db().become_owner();
            db().run("set local timezone = " + plan::literal(subject_.model.app.timezone));
            const auto before = sight_of(id);
            db().run(sql);
            const bool alone =
                db().yes("select count(*) = 1 from svc.change where xid = pg_current_xact_id()");
            const auto after = sight_of(id);
            db().run(alone ? "commit" : "rollback");
            if (alone) expect(id, before, after);
            return alone;
        } catch (const pqxx::broken_connection&) {
            throw;
        } catch (const pqxx::sql_error&) {
            db().run("rollback");
            return false;
        }
    }

    void expect(const std::string& id, const std::vector<bool>& before,
                const std::vector<bool>& after) {
        ++changes_;
        for (std::size_t i = 0; i < ears_.size(); ++i) {
            if (!before[i] && !after[i]) continue;
            const char* event = !before[i] ? "created " : after[i] ? "updated " : "deleted ";
            ears_[i].expected.push_back(event + id);
        }
    }

    void compare() {
        const std::string mark = "{\"verified\":" + std::to_string(index_) + "}";
        VerifyCaller server;
        server.server = true;
        const auto sent = subject_.server->call(server, "POST",
                                                "/topics/row-changed:" + entity().name + "/publish",
                                                "{\"payload\":" + mark + "}");
        if (sent.status != 200)
            return out_.bad("A server that publishes to row-changed:" + entity().name +
                            " is answered " + std::to_string(sent.status) + ".");
        for (Ear& ear : ears_) compare(ear, ear.stream->until(mark));
    }

    void compare(const Ear& ear, const std::vector<Stream::Frame>& frames) {
        std::vector<std::string> told;
        for (const auto& frame : frames) {
            if (frame.event == "reset") return out_.good();  // they read again, whatever was told
            const json data = json::parse(frame.data, nullptr, false);
            told.push_back(data.value("event", "") + " " + data.value("id", ""));
            if (data.contains("row")) look_at(ear.caller, data["row"]);
        }
        const auto [is, should] = std::ranges::mismatch(told, ear.expected);
        if (is == told.end() && should == ear.expected.end()) return out_.good();
        out_.bad(ear.caller.name + " listens to " + entity().name + " and is told " +
                 (is == told.end() ? "nothing more" : *is) + " where the contract lets them see " +
                 (should == ear.expected.end() ? "nothing more" : *should) + ".");
    }

    void look_at(const VerifyCaller& caller, const json& row) {
        for (const model::Field& field : entity().fields) {
            const bool reads =
                !field.read || caller.server ||
                std::ranges::any_of(*field.read, [&](const std::string& persona) {
                    return std::ranges::find(caller.acts_as, persona) != caller.acts_as.end();
                });
            if (row.contains(field.name) == reads) {
                out_.good();
                continue;
            }
            out_.bad(caller.name + " listens to " + entity().name + " and is " +
                     (reads ? "not told " : "told ") + field.name + ".");
        }
    }

    Subject& subject_;
    VerifyCheck& out_;
    std::size_t index_ = 0, tables_ = 0, changes_ = 0;
    std::string table_;
    std::vector<Ear> ears_;
};

}  // namespace

void check_feeds(Subject& subject, VerifyCheck& out) {
    if (!subject.server) return not_run(out, "There is no server to ask.");
    FeedTrial trial(subject, out);
    trial.run();
    tell_untried(subject.model, out);
    out.said = std::to_string(subject.callers.size()) + " callers listen to " +
               std::to_string(trial.tables()) + " tables while " + std::to_string(trial.changes()) +
               " changes are made.";
}

}  // namespace svc::devapi::verification
