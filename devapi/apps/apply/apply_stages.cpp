#include <chrono>
#include <filesystem>
#include <thread>

#include "apps/apply/apply_job.hpp"
#include "apps/apply/exposure.hpp"
#include "apps/apply/generated_files.hpp"
#include "apps/apply/kept_seeds.hpp"
#include "apps/database/connections.hpp"
#include "apps/database/database.hpp"
#include "apps/database/provision.hpp"
#include "apps/process/binaries.hpp"
#include "apps/sealed_settings.hpp"
#include "build/format.hpp"
#include "diag/source_map.hpp"
#include "log/log.hpp"
#include "platform/contract_versions.hpp"
#include "platform/log_words.hpp"

namespace svc::devapi {
namespace {

constexpr auto kAnswerTime = std::chrono::seconds(20);  // of a database that is started again
constexpr auto kPause = std::chrono::milliseconds(100);

}  // namespace

bool Apply::check() {
    pipeline::Checked checked = pipeline::check(contract_, proving(config_));
    outcome_.findings = std::move(checked.findings);
    outcome_.exposure =
        exposure_change(services_.states.get(project_.id, app_.second).contract, checked);
    plan_ = std::move(checked.plan);
    if (!plan_) {
        outcome_.status = ApplyOutcome::Status::invalid;
        return false;
    }
    if (!may_send_secrets()) return false;
    if (release_ && release_->rollback) plan_->seeds_unchanged = true;
    if (release_) return true;
    diag::Findings findings;
    kept_ = with_kept_seeds(contract_, config_, database_, *plan_, findings);
    add_findings(std::move(findings));
    outcome_.edited = pipeline::hand_edited(folder() + "/generated");
    if (outcome_.edited.empty() || force_) return true;
    outcome_.status = ApplyOutcome::Status::hand_edited;
    return false;
}

// Only an apply of one's own says where secrets go: what is published was written by whoever
// applied it. What was live once may come back; its servers are told the hosts of today.
bool Apply::may_send_secrets() {
    if (release_ && release_->rollback) return true;
    diag::Findings findings;
    check_secret_hosts(contract_, secret_scope(),
                       said_uses(services_.states.get(project_.id, app_.second).contract),
                       findings);
    const bool may = !findings.has_errors();
    add_findings(std::move(findings));
    if (!may) outcome_.status = ApplyOutcome::Status::invalid;
    return may;
}

std::vector<SecretUse> Apply::said_uses(const std::optional<std::string>& live) const {
    if (release_ || !services_.secrets.set_by_who_began(lease_.row().id)) return {};
    return uses_brought_in(contract_, live, secret_scope());
}

bool Apply::emit() {
    files_ = pipeline::emit(*plan_);
    formatted_ = std::async(std::launch::async, build::formatted, files_, config_.build);
    detail_ = std::to_string(files_.size()) + " files";
    return true;
}

bool Apply::build() {
    build::Result result = build::compile(files_, config_.build);
    outcome_.build_seconds = result.seconds;
    outcome_.units = result.units;
    outcome_.cached = result.cached;
    if (!result.ok) return fail(result.stage + ": " + result.error);
    launch_ = make_launch(config_, project_, app_.second, database_,
                          keep_binary(result.binary, folder() + "/bin"));
    detail_ =
        std::to_string(result.cached) + " of " + std::to_string(result.units) + " units cached";
    return true;
}

// The program that dev runs of this contract; compiled only where nobody has it any more, or the
// compiler is another one by now.
bool Apply::promote() {
    files_ = pipeline::emit(*plan_);
    const std::string name = build::binary_name(files_, config_.build), own = folder() + "/bin";
    std::string binary = own + "/" + name;
    const std::string devs = project_folder(config_, project_.id, "dev") + "/bin/" + name;
    detail_ = "as it was built";
    if (!std::filesystem::exists(binary) && std::filesystem::exists(devs)) {
        binary = keep_binary(devs, own);
    } else if (!std::filesystem::exists(binary)) {
        const build::Result result = build::compile(files_, config_.build);
        if (!result.ok) return fail(result.stage + ": " + result.error);
        outcome_.build_seconds = result.seconds;
        binary = keep_binary(result.binary, own);
        detail_ = "built anew";
    }
    launch_ = make_launch(config_, project_, app_.second, database_, binary, release_->site);
    return true;
}

// What is there is kept before anything of it changes.
bool Apply::keep() {
    if (!release_) return true;
    if (release_->rollback) return stage("fits", &Apply::fits);
    return !release_->keep || stage("snapshot", &Apply::take_snapshot);
}

// What was live before finds its tables and columns, since none ever goes; but for those that were
// renamed or became another type since. To make them again would hide the values from it.
bool Apply::fits() {
    const auto preview = migrate::preview(*plan_, target());
    add_findings(preview.findings);
    for (const migrate::Change& change : preview.changes) {
        if (change.kind != "create_table" && change.kind != "add_column" &&
            change.kind != "rename_column" && change.kind != "alter_type")
            continue;
        outcome_.findings.error(
            "ROLLBACK_NOT_POSSIBLE", "",
            "Since that deployment the database has changed in what it stands on: " + change.table +
                (change.column.empty() ? "" : "." + change.column) +
                " is not there any more as it was.",
            "Deploy a contract that has what is wanted.");
    }
    if (!outcome_.findings.has_errors()) return true;
    outcome_.status = ApplyOutcome::Status::invalid;
    return false;
}

bool Apply::take_snapshot() {
    release_->keep();
    return true;
}

bool Apply::provision() {
    // Said before it is done: whoever finds half a database must know that it was this apply's.
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

// Before it is live: a version that is live can always be told. One that never will be is written
// over by the next of that number.
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

// The keys are written first, so that the server reads them as it starts.
bool Apply::start() {
    services_.keys.write(project_.id, database_);
    if (keeps_server_) {
        detail_ = "unchanged";
        return true;
    }
    auto [process, error] = services_.supervisor.start_beside(app_, launch_);
    server_ = std::move(process);
    return server_ ? true : fail(error);
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

// Whoever took this over while it was paused serves by now what this has committed, or something
// newer. Where the platform's database is away nobody can have.
bool Apply::still_ours() try {
    lease_.guarded([] {});
    return true;
} catch (const LeaseLost&) {
    return false;
} catch (const std::exception& error) {
    log::write(log::Level::warning, "lease_not_looked_at",
               {{"project", project_.id}, {"what", log_words(error)}});
    return true;
}

bool Apply::swap() {
    const auto start = std::chrono::steady_clock::now();
    if (!still_ours()) {
        in_doubt_ = true;
        return fail(LeaseLost().what());
    }
    if (server_) services_.supervisor.promote(app_, server_);
    // It is live: from here on nothing may fail the apply, or undo what serves.
    server_.reset();
    live_ = true;
    outcome_.swap_ms = ms_since(start);
    outcome_.version = record_.version;
    outcome_.status = ApplyOutcome::Status::applied;
    services_.states.change(app_, [this](AppState& state) {
        state.built = true;
        state.version = record_.version;
        state.contract = kept_;
        state.last_error.reset();
    });
    if (release_)
        publish();
    else
        write_files();
    share_secrets();
    return true;
}

// Without it the next recovery says so: it finds that this has committed.
void Apply::publish() try { mark_live(services_, lease_); } catch (const std::exception& error) {
    in_doubt_ = true;
    log::write(log::Level::error, "deployment_not_recorded",
               {{"project", project_.id}, {"what", log_words(error)}});
}

// A provider's secret that is not there yet is told with the next apply, or when it is set again.
void Apply::share_secrets() try {
    const SecretScope scope = secret_scope();
    const auto said = said_uses(before_ ? std::optional(before_->contract) : std::nullopt);
    const auto live = sent_secrets(secret_uses(contract_, scope), scope);
    if (!release_)
        lease_.commit([&](pqxx::work& tx) {
            Secrets::keep_sent(tx, project_.id, live, sent_secrets(said, scope));
        });
    tell_secrets(config_, services_.secrets, project_.id, app_.second);
} catch (const std::exception& error) {
    log::write(log::Level::error, "secrets_not_told",
               {{"project", project_.id}, {"what", log_words(error)}});
}

// The folder holds what is live: it is written once that is so. For readers alone, so where it
// cannot be written that is a warning.
void Apply::write_files() try {
    write_generated(folder(), formatted_.get(), kept_);
    drop_binaries(folder() + "/bin", {launch_.binary, before_ ? before_->binary_path : ""});
} catch (const std::exception& error) {
    outcome_.findings.warning(
        "FILES_NOT_WRITTEN", "",
        std::string("The contract is live, but its generated files could not be written: ") +
            error.what() + ".",
        "Mend the folder, then apply once more.");
}

// None where the database does not come back in time.
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

void Apply::add_findings(diag::Findings findings) {
    hide_addresses(findings);
    diag::SourceMap(contract_).locate(findings);
    for (auto& finding : findings.items()) outcome_.findings.add(std::move(finding));
    outcome_.findings.sort();
}

SecretScope Apply::secret_scope() const {
    return {services_.secrets, project_.id, secrets_env(app_.second)};
}

migrate::Target Apply::target() const {
    migrate::Target out{database_.admin_url, database_.owner_role, database_.data_role,
                        database_.system_role};
    out.connections = connections_of(*plan_, config_, services_.secrets, project_.id, app_.second);
    out.replaced = replaced_;
    return out;
}

}  // namespace svc::devapi
