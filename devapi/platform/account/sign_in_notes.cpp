#include "platform/account/sign_in_notes.hpp"

#include <utility>

#include "common/dev_code.hpp"
#include "http/error.hpp"
#include "http/request/proxy.hpp"
#include "log/log.hpp"
#include "platform/log_words.hpp"

namespace svc::devapi {
namespace {

constexpr std::size_t kMostNotes = 1000;

AuditEntry entry_of(std::string_view action, const std::string& email, const std::string& address,
                    AnyCode code) {
    AuditEntry entry;
    entry.email = email;
    entry.action = action;
    entry.address = address;
    entry.status = code.status;
    entry.code = code.name;
    return entry;
}

}  // namespace

SignInNotes::SignInNotes(Store& store) : store_(store), thread_([this] { run(); }) {}

SignInNotes::~SignInNotes() {
    {
        const std::lock_guard lock(mutex_);
        ending_ = true;
    }
    arrived_.notify_one();
    thread_.join();
}

void SignInNotes::failed(std::string_view action, const std::string& email,
                         const std::string& address) {
    AuditEntry entry = entry_of(action, email, address, DevCode::unauthenticated);
    if (accounts_.take(email) > 0) {
        if (ends_.take(email) > 0) return;
        entry.target = "further ones in this hour are not recorded";
    }
    put(std::move(entry));
}

void SignInNotes::locked_out(std::string_view action, const std::string& email,
                             const std::string& address) {
    const std::string network = http::counted_network(address);
    if (networks_.take(network) > 0 || lock_outs_.take(email + '\n' + network) > 0) return;
    if (accounts_.take(email) > 0) return;
    put(entry_of(action, email, address, Code::rate_limited));
}

void SignInNotes::put(AuditEntry entry) {
    {
        const std::lock_guard lock(mutex_);
        if (waiting_.size() >= kMostNotes) return;
        waiting_.push_back(std::move(entry));
    }
    arrived_.notify_one();
}

void SignInNotes::run() {
    std::unique_lock lock(mutex_);
    for (;;) {
        arrived_.wait(lock, [this] { return ending_ || !waiting_.empty(); });
        if (waiting_.empty()) return;
        const AuditEntry entry = std::move(waiting_.front());
        waiting_.pop_front();
        lock.unlock();
        try {
            record_in_workspaces(store_, entry);
        } catch (const std::exception& error) {
            log::write(log::Level::error, "audit_not_written",
                       {{"action", entry.action}, {"what", log_words(error)}});
        }
        lock.lock();
    }
}

}  // namespace svc::devapi
