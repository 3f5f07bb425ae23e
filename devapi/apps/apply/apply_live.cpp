// Stages of an apply at its server: it starts beside the old one, and takes its place.
#include <chrono>

#include "apps/apply/apply_job.hpp"
#include "apps/apply/generated_files.hpp"
#include "apps/process/binaries.hpp"
#include "apps/sealed_settings.hpp"
#include "log/log.hpp"
#include "platform/log_words.hpp"

namespace svc::devapi {

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

// A svcd that took over while this one was paused already serves what this apply committed, or
// something newer. If the platform's database cannot be reached, nobody can have taken over.
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

// If this fails, the next recovery does it: it finds that the apply has committed.
void Apply::publish() try { mark_live(services_, lease_); } catch (const std::exception& error) {
    in_doubt_ = true;
    log::write(log::Level::error, "deployment_not_recorded",
               {{"project", project_.id}, {"what", log_words(error)}});
}

// A missing provider's secret is sent with the next apply, or when it is set.
void Apply::share_secrets() try {
    const SecretScope scope = secret_scope();
    const auto uses = said_uses(before_ ? std::optional(before_->contract) : std::nullopt);
    const auto live = sent_secrets(secret_uses(contract_, scope), scope);
    if (!release_)
        lease_.commit([&](pqxx::work& tx) {
            Secrets::keep_sent(tx, project_.id, live, sent_secrets(uses, scope));
        });
    write_secrets(config_, services_.secrets, project_.id, app_.second);
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
        "Repair the folder, then apply once more.");
}

}  // namespace svc::devapi
