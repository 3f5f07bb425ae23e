#include "apps/lease/lease.hpp"

#include <algorithm>
#include <chrono>

#include "base/uuid.hpp"
#include "log/log.hpp"
#include "platform/log_words.hpp"

namespace svc::devapi {
namespace {

constexpr auto kBeat = std::chrono::seconds(4);
constexpr const char* kLease = "15 seconds";

void must_be_ours(const pqxx::result& result) {
    if (result.affected_rows() == 0) throw LeaseLost();
}

constexpr const char* kOurs = " where id = $1 and token = $2 and ended_at is null";

// Old rows of a project's history.
constexpr const char* kForget =
    "delete from apply_run where project_id = $1 and ended_at is not null and id < (select id "
    "from apply_run where project_id = $1 order by id desc limit 1 offset 100)";

// Takes over the runs whose lease ended, and those of this data folder that nobody in this process
// holds: an earlier svcd process had them.
constexpr const char* kTakeOver =
    "update apply_run r set holder = $1, token = nextval('lease_token'), "
    "expires_at = now() + $3::interval from project p "
    "where p.id = r.project_id and r.ended_at is null and ($4 = '' or r.project_id::text = $4) "
    "and (r.expires_at < now() or (r.holder = $1 and not r.id = any($2::uuid[]))) "
    "returning r.id, p.id, p.slug, r.kind, r.stage, r.makes_database, r.token, r.env, r.subject";

std::string array_of(const std::set<std::string>& ids) {
    std::string out = "{";
    for (const auto& id : ids) out += (out.size() > 1 ? "," : "") + id;
    return out + "}";
}

}  // namespace

// ---- Lease ----

// Known as alive before its row is there: nobody may take it for left behind.
Lease::Lease(Leases& leases, Row row) : leases_(leases), row_(std::move(row)) {
    const std::lock_guard lock(leases_.mutex_);
    leases_.held_.insert(row_.id);
}

Lease::~Lease() {
    const std::lock_guard lock(leases_.mutex_);
    leases_.held_.erase(row_.id);
}

void Lease::reach(LeaseStage stage) {
    leases_.store_.transact([&](pqxx::work& tx) {
        must_be_ours(tx.exec_params(std::string("update apply_run set stage = $3") + kOurs, row_.id,
                                    row_.token, std::string(word(stage))));
    });
    row_.stage = stage;
}

void Lease::will_make_database() {
    leases_.store_.transact([&](pqxx::work& tx) {
        must_be_ours(
            tx.exec_params(std::string("update apply_run set makes_database = true") + kOurs,
                           row_.id, row_.token));
    });
    row_.makes_database = true;
}

void Lease::guarded(const std::function<void()>& work) {
    leases_.store_.transact([&](pqxx::work& tx) {
        must_be_ours(tx.exec_params(std::string("select 1 from apply_run") + kOurs + " for update",
                                    row_.id, row_.token));
        work();
    });
}

void Lease::commit(const std::function<void(pqxx::work&)>& work) {
    leases_.store_.transact([&](pqxx::work& tx) {
        must_be_ours(tx.exec_params(std::string("select 1 from apply_run") + kOurs + " for update",
                                    row_.id, row_.token));
        work(tx);
    });
}

void Lease::finish(const End& end) {
    leases_.store_.transact([&](pqxx::work& tx) {
        must_be_ours(
            tx.exec_params(std::string("update apply_run set ended_at = now(), status = $3, "
                                       "version = nullif($4::bigint, 0), error = $5, "
                                       "recovered = nullif($6, '')") +
                               kOurs,
                           row_.id, row_.token, std::string(word(end.how)), end.version, end.error,
                           std::string(word(end.recovered))));
        if (end.how == LeaseEnd::applied)
            tx.exec_params("update project set updated_at = now() where id = $1", row_.project.id);
    });
}

void Lease::remove_project() {
    leases_.store_.transact([&](pqxx::work& tx) {
        must_be_ours(tx.exec_params(
            std::string("delete from project where id = (select project_id from apply_run") +
                kOurs + ")",
            row_.id, row_.token));
    });
}

// ---- Leases ----

Leases::Leases(Store& store, std::string holder)
    : store_(store),
      holder_(std::move(holder)),
      beat_([this](const std::stop_token& stop) { beat(stop); }) {}

std::unique_ptr<Lease> Leases::take(const ProjectRef& project, const Purpose& purpose) {
    auto lease = std::make_unique<Lease>(
        *this, Lease::Row{base::new_uuid(), project, purpose.kind, LeaseStage::planned, false, 0,
                          purpose.env, purpose.subject, purpose.user});
    Lease::Row& row = lease->row_;
    const bool taken = store_.transact([&](pqxx::work& tx) {
        const auto rows = tx.exec_params(
            "insert into apply_run (id, project_id, user_id, kind, holder, expires_at, env, "
            "subject) "
            "values ($1, $2, nullif($3, '')::uuid, $4, $5, now() + $6::interval, $7, "
            "nullif($8, '')::uuid) "
            "on conflict (project_id) where ended_at is null do nothing returning token",
            row.id, project.id, purpose.user, std::string(word(purpose.kind)), holder_, kLease,
            name(purpose.env), purpose.subject);
        if (rows.empty()) return false;
        row.token = rows[0][0].as<std::int64_t>();
        tx.exec_params(kForget, project.id);
        return true;
    });
    return taken ? std::move(lease) : nullptr;
}

// The lock is held throughout: a change that begins meanwhile must not look left behind.
std::vector<std::unique_ptr<Lease>> Leases::take_over(const std::string& project) {
    std::vector<Lease::Row> rows;
    {
        const std::lock_guard lock(mutex_);
        rows = store_.transact([&](pqxx::work& tx) {
            std::vector<Lease::Row> taken;
            for (const auto& row :
                 tx.exec_params(kTakeOver, holder_, array_of(held_), kLease, project))
                taken.push_back({row[0].c_str(),
                                 {row[1].c_str(), row[2].c_str()},
                                 lease_kind(row[3].c_str()),
                                 lease_stage(row[4].c_str()),
                                 row[5].as<bool>(),
                                 row[6].as<std::int64_t>(),
                                 env_of(row[7].c_str()),
                                 row[8].c_str()});
            return taken;
        });
        for (const auto& row : rows) held_.insert(row.id);
    }
    std::vector<std::unique_ptr<Lease>> out;
    out.reserve(rows.size());
    for (auto& row : rows) out.push_back(std::make_unique<Lease>(*this, std::move(row)));
    return out;
}

void Leases::on_beat(std::function<void()> work) {
    const std::lock_guard lock(mutex_);
    on_beat_ = std::move(work);
}

void Leases::beat(const std::stop_token& stop) {
    std::condition_variable_any woken;
    std::unique_lock lock(mutex_);
    while (!woken.wait_for(lock, stop, kBeat, [&stop] { return stop.stop_requested(); })) {
        const auto ids = held_;
        const auto work = on_beat_;
        lock.unlock();
        try {
            if (!ids.empty()) renew(array_of(ids));
            if (work) work();
        } catch (const std::exception& error) {
            // Until its database is back nobody else can take a lease either.
            log::write(log::Level::warning, "leases_not_renewed", {{"what", log_words(error)}});
        }
        lock.lock();
    }
}

void Leases::renew(const std::string& ids) {
    store_.transact([&](pqxx::work& tx) {
        tx.exec_params(
            "update apply_run set expires_at = now() + $3::interval "
            "where holder = $1 and id = any($2::uuid[]) and ended_at is null",
            holder_, ids, kLease);
    });
}

}  // namespace svc::devapi
