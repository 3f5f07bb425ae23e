// Stages of an apply at its database: what is there is kept, then brought to the plan.
#include <chrono>
#include <thread>

#include "apps/apply/apply_job.hpp"
#include "apps/database/connections.hpp"
#include "apps/database/database.hpp"
#include "apps/database/provision.hpp"
#include "platform/project/contract_versions.hpp"

namespace svc::devapi {
namespace {

constexpr auto kAnswerTime = std::chrono::seconds(20);  // of a database that is started again
constexpr auto kPause = std::chrono::milliseconds(100);

}  // namespace

// Takes a snapshot before anything changes.
bool Apply::keep() {
    if (!release_) return true;
    if (release_->rollback) return stage(StageName::fits, &Apply::fits);
    return !release_->keep || stage(StageName::snapshot, &Apply::take_snapshot);
}

// An earlier contract finds its tables and columns, because none is ever dropped, except those that
// were renamed or got another type since. To make them again would hide the values.
bool Apply::fits() {
    const auto preview = migrate::preview(*plan_, target());
    diag::Findings findings;
    for (const migrate::Change& change : preview.changes) {
        if (change.kind != migrate::ChangeKind::create_table &&
            change.kind != migrate::ChangeKind::rename_table &&
            change.kind != migrate::ChangeKind::add_column &&
            change.kind != migrate::ChangeKind::rename_column &&
            change.kind != migrate::ChangeKind::alter_type)
            continue;
        findings.error("ROLLBACK_NOT_POSSIBLE", "",
                       "The database has changed since that deployment: " + change.table +
                           (change.column.empty() ? "" : "." + change.column) +
                           " was renamed, removed or got another type.",
                       "Deploy a contract that has what you want.");
    }
    // What else is in the way of a table that would be made anew says nothing of use.
    add_findings(findings.has_errors() ? findings : preview.findings);
    if (!outcome_.findings.has_errors()) return true;
    outcome_.status = ApplyOutcome::Status::invalid;
    return false;
}

bool Apply::take_snapshot() {
    release_->keep();
    return true;
}

bool Apply::provision() {
    // Recorded before it is done: a later svcd that finds half a database must know that this apply
    // made it.
    if (!app_databases(config_).contains(database_.name)) lease_.will_make_database();
    devapi::provision(config_, database_);
    raise_fence(database_, lease_.row().token);
    before_ = read_record(database_);
    keeps_server_ = unchanged();
    record_ = {before_ ? before_->version : 1,
               kept_,
               plan_->contract_hash,
               launch_.binary,
               lease_.row().id,
               lease_.row().token};
    if (before_ && !(keeps_server_ && before_->hash == record_.hash)) ++record_.version;
    if (release_) record_.version = release_->version;
    if (!release_) keep_version();
    return true;
}

// Kept before it is live, so a live version is always known. A version that never becomes live is
// overwritten by the next one with that number.
void Apply::keep_version() {
    lease_.commit([this](pqxx::work& tx) {
        if (before_)
            keep_live_version(tx, {project_.id, before_->version, before_->contract, {}, {}});
        if (!before_ || before_->version != record_.version)
            keep_new_version(tx, {project_.id, record_.version, record_.contract, {}, {}},
                             lease_.row().id);
    });
}

// Nothing to start: the live server is this one, and the database is as the plan wants it.
bool Apply::unchanged() {
    if (!before_ || !services_.supervisor.runs(app_, launch_)) return false;
    const auto preview = migrate::preview(*plan_, target());
    return preview.ok && preview.changes.empty();
}

bool Apply::migrate() {
    try {
        auto result = migrate::apply(*plan_, target(), record_);
        outcome_.plan = std::move(result.changes);
        outcome_.unmanaged = std::move(result.leftovers);
        add_findings(std::move(result.findings));
        if (!result.ok) {
            outcome_.status = ApplyOutcome::Status::invalid;
            return false;
        }
    } catch (const std::exception&) {
        // A connection that broke on commit leaves the question whether it did. The database
        // answers.
        const auto answer = has_committed();
        in_doubt_ = !answer;
        if (!answer.value_or(false)) throw;
    }
    committed_ = true;
    detail_ = std::to_string(outcome_.plan.size()) + " changes";
    return true;
}

// None if the database does not come back in time.
std::optional<bool> Apply::has_committed() {
    const auto deadline = std::chrono::steady_clock::now() + kAnswerTime;
    while (std::chrono::steady_clock::now() < deadline) try {
            end_connections(services_.config, lease_.row().id);
            const auto now = read_record(database_);
            return now && now->apply_id == lease_.row().id;
        } catch (const std::exception&) {
            std::this_thread::sleep_for(kPause);
        }
    return std::nullopt;
}

migrate::Target Apply::target() const {
    migrate::Target out{database_.admin_url, database_.owner_role, database_.data_role,
                        database_.system_role};
    out.connections = connections_of(*plan_, config_, services_.secrets, project_.id, app_.second);
    out.replaced = replaced_;
    return out;
}

}  // namespace svc::devapi
