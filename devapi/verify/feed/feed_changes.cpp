#include "verify/feed/feed_changes.hpp"

#include "plan/names.hpp"

namespace svc::devapi::verification {
namespace {

constexpr std::size_t kMostChanged = 12;  // rows of a table
constexpr std::size_t kMostTurned = 3;    // of these, in each field

}  // namespace

FeedChanges::FeedChanges(Subject& subject, VerifyCheck& out, std::size_t entity,
                         const std::vector<const VerifyCaller*>& callers, FeedPictures& pictures)
    : subject_(subject),
      out_(out),
      index_(entity),
      table_(plan::table(subject.model.entities[entity].name)),
      callers_(callers),
      pictures_(pictures) {}

std::vector<FeedChange> FeedChanges::make() {
    const auto rows = db().list("select id::text from " + table_ + " order by md5(id::text) " +
                                "limit " + std::to_string(kMostChanged));
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const std::string touch =
            "update " + table_ + " set updated_at = updated_at + interval '1 us' where id = ";
        if (!done(rows[i], touch + plan::literal(rows[i]))) continue;
        if (i < kMostTurned) turn(rows[i]);
        take_away(rows[i]);
    }
    return std::move(made_);
}

// Each column becomes what another row has, and then what it was.
void FeedChanges::turn(const std::string& id) {
    keep(id);
    const std::string one = " where t.id = " + plan::literal(id);
    for (const std::string& name : own_columns()) {
        if (name == "id" || name == "created_at" || name == "updated_at") continue;
        const std::string column = plan::ident(name);
        const std::string change = "update " + table_ + " t set " + column + " = ";
        if (done(id, change + "(select o." + column + " from " + table_ + " o where o." + column +
                         "::text is distinct from t." + column +
                         "::text order by md5(o.id::text) limit 1)" + one))
            done(id, change + "(select (jsonb_populate_record(null::" + table_ + ", k.row))." +
                         column + " from svc_verify.kept k)" + one);
    }
}

void FeedChanges::take_away(const std::string& id) {
    keep(id);
    const VerifyCaller* restorer = restorer_of(id);
    if (done(id, "delete from " + table_ + " where id = " + plan::literal(id)))
        put_back(id, restorer);
}

// Puts a row back, by a restore if the table keeps deleted rows.
bool FeedChanges::put_back(const std::string& id, const VerifyCaller* restorer) {
    if (restorer && done(id,
                         "select from svc." + plan::ident(entity().name + "_restore") + "(" +
                             plan::literal(id) + ")",
                         restorer))
        return true;
    std::string columns, values;
    for (const std::string& name : own_columns()) {
        const char* comma = columns.empty() ? "" : ", ";
        columns += comma + plan::ident(name);
        values += comma + ("made." + plan::ident(name));
    }
    return done(id, "insert into " + table_ + " (" + columns + ") select " + values +
                        " from svc_verify.kept k, jsonb_populate_record(null::" + table_ +
                        ", k.row) made");
}

// A caller who may delete the row may restore it.
const VerifyCaller* FeedChanges::restorer_of(const std::string& id) {
    if (!entity().soft_delete) return nullptr;
    for (const VerifyCaller& caller : subject_.callers)
        if (db().is_true("select " + sees(caller, Operation::remove, id))) return &caller;
    return nullptr;
}

void FeedChanges::keep(const std::string& id) {
    db().run("begin");
    db().act_as_owner();
    db().run(
        "create table if not exists svc_verify.kept (row jsonb); delete from svc_verify.kept; "
        "insert into svc_verify.kept select to_jsonb(t.*) from " +
        table_ + " t where id = " + plan::literal(id) + "; commit");
}

// The columns that an insert sets.
std::vector<std::string> FeedChanges::own_columns() {
    return db().list("select attname from pg_attribute where attrelid = " + plan::literal(table_) +
                     "::regclass and attnum > 0 and not attisdropped and attgenerated = '' "
                     "order by attnum");
}

// SQL: whether the caller may do this to the row.
std::string FeedChanges::sees(const VerifyCaller& caller, Operation operation,
                              const std::string& id) {
    Oracle oracle(subject_.model, caller);
    return "exists (select from " + table_ + " r where r.id = " + plan::literal(id) + " and " +
           oracle.may(operation, index_, "r") + ")";
}

// For each caller; in a transaction of the owner's.
std::vector<bool> FeedChanges::seen_by_callers(const std::string& id) {
    std::string all;
    for (const VerifyCaller* caller : callers_)
        all += (all.empty() ? "" : ", ") + sees(*caller, Operation::read, id);
    std::vector<bool> out;
    if (all.empty()) return out;
    for (const char each : db().text("select array_to_string(array[" + all + "], '')"))
        out.push_back(each == 't');
    return out;
}

// to_jsonb(t) would be the column t of a table that has one.
std::string FeedChanges::row_of(const std::string& id) {
    return db().text("select to_jsonb(t.*)::text from " + table_ +
                     " t where id = " + plan::literal(id));
}

// False: it was refused, or changed more than this row. As a server's write, or this caller's.
bool FeedChanges::done(const std::string& id, const std::string& sql, const VerifyCaller* as) {
    VerifyCaller server;
    server.server = true;
    const auto be_owner = [this] {
        db().reset_role();
        db().act_as_owner();
    };
    FeedChange change{id, {}, {}, {}, {}, {}};
    db().run("begin");
    try {
        db().act_as(as ? *as : server);
        be_owner();
        // Days and moments are those of the app's timezone.
        db().run("set local timezone = " + plan::literal(subject_.model.app.timezone));
        change.before = row_of(id);
        change.saw = seen_by_callers(id);
        const std::vector<std::string> before = pictures_.take();
        if (as) db().act_as(*as);
        db().run(sql);
        if (as) be_owner();
        const std::string records =
            db().text("select count(*) from svc.change where xid = pg_current_xact_id()");
        change.after = row_of(id);
        change.sees = seen_by_callers(id);
        const std::vector<std::string> after = pictures_.take();
        for (std::size_t i = 0; i < before.size(); ++i)
            change.moved.push_back(before[i] != after[i]);
        if (records == "0" && change.before != change.after)
            out_.bad("A change of " + entity().name + " is not recorded.");
        const bool alone = records == "1";
        db().run(alone ? "commit" : "rollback");
        if (alone) made_.push_back(std::move(change));
        return alone;
    } catch (const pqxx::broken_connection&) {
        throw;
    } catch (const pqxx::sql_error&) {
        db().run("rollback");
        return false;
    }
}

}  // namespace svc::devapi::verification
