#include "platform/mail/mailer.hpp"

#include <chrono>
#include <exception>

#include "log/log.hpp"
#include "platform/log_words.hpp"

namespace svc::devapi {
namespace {

constexpr auto kMailerPoll = std::chrono::seconds(15);

// A try may take a minute; who was killed in it is not waited for longer than five.
constexpr const char* kClaim =
    "update outgoing_mail set attempts = attempts + 1, next_at = now() + interval '5 minutes' "
    "where id = (select id from outgoing_mail where ended_at is null and next_at <= now() "
    "order by next_at limit 1 for update skip locked) returning id, recipient, subject, body";

// The link in its text is a credential: it is kept no longer than it is of use.
constexpr const char* kNotSent =
    "update outgoing_mail set error = $2, body = case when e.over then '' else body end, "
    "ended_at = case when e.over then now() end, "
    "next_at = now() + least(interval '1 hour', interval '15 seconds' * power(2, attempts)) "
    "from (select $3 or created_at < now() - interval '2 days' as over from outgoing_mail "
    "where id = $1) e where id = $1";

}  // namespace

Mailer::Mailer(Store& store, const std::string& smtp_url, const std::string& host) : store_(store) {
    if (smtp_url.empty()) return;
    server_ = outgoing::read_mail_server(smtp_url);
    from_ = server_->from.empty() ? "svc <no-reply@" + host + ">" : server_->from;
    thread_ = std::thread([this] { run(); });
}

Mailer::~Mailer() {
    if (!thread_.joinable()) return;
    {
        const std::lock_guard lock(mutex_);
        ending_ = true;
    }
    woken_.notify_one();
    thread_.join();
}

void Mailer::wake() {
    {
        const std::lock_guard lock(mutex_);
        due_ = true;
    }
    woken_.notify_one();
}

void Mailer::run() {
    std::unique_lock lock(mutex_);
    while (!ending_) {
        woken_.wait_for(lock, kMailerPoll, [this] { return ending_ || due_; });
        if (ending_) return;
        due_ = false;
        lock.unlock();
        bool more = false;
        try {
            more = send_one();
        } catch (const std::exception& error) {
            log::write(log::Level::error, "mails_not_read", {{"what", log_words(error)}});
        }
        lock.lock();
        due_ = due_ || more;
    }
}

bool Mailer::send_one() {
    outgoing::MailMessage mail;
    store_.transact([&](pqxx::work& tx) {
        const auto rows = tx.exec(kClaim);
        if (rows.empty()) return;
        mail = {rows[0][0].c_str(), from_, rows[0][1].c_str(), rows[0][2].c_str(),
                rows[0][3].c_str()};
    });
    if (mail.id.empty()) return false;
    const outgoing::Sent sent = outgoing::send(*server_, mail);
    if (!sent.ok)
        log::write(log::Level::warning, "mail_not_sent", {{"mail", mail.id}, {"what", sent.error}});
    store_.transact([&](pqxx::work& tx) {
        if (sent.ok)
            tx.exec_params("delete from outgoing_mail where id = $1", mail.id);
        else
            tx.exec_params(kNotSent, mail.id, sent.error, sent.for_good);
    });
    return true;
}

}  // namespace svc::devapi
