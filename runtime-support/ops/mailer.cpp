#include "ops/mailer.hpp"

#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "base/url_host.hpp"
#include "identity/command.hpp"
#include "identity/secret/project_secret.hpp"
#include "log/log.hpp"
#include "outgoing/off_thread.hpp"
#include "outgoing/smtp.hpp"

namespace svc::ops {
namespace {

constexpr std::chrono::seconds kPause{10};  // mails of servers that died, and those tried again
constexpr std::chrono::milliseconds kBreath{300};  // between two rounds, however many write
constexpr int kARound = 100;  // then the address of the mail server is asked for anew

// An attempt takes a minute at most. If the server is killed in it, another one tries after five
// minutes. A link that waited an hour for its first attempt is not sent any more, because it was
// used or has expired. A mail of a workflow waits as long as others are ahead of it, or no server
// of the app runs; but if no mail server was set, somebody only tried the app. Links come first:
// somebody waits for them, and a workflow may write to very many.
constexpr std::string_view kClaim =
    "update svc.mail set attempts = attempts + 1, next_at = now() + interval '5 minutes'"
    " where id in (select id from svc.mail where ended_at is null and next_at <= now()"
    " and created_at > now() - interval '2 days'"
    " and (attempts > 0 or created_at > now() - interval '1 hour'"
    " or (kind = 'workflow' and not parked))"
    " order by kind = 'workflow', next_at limit 1 for update skip locked)"
    " returning id::text, recipient, subject, body";

constexpr std::string_view kPark =
    "update svc.mail set parked = true where ended_at is null and attempts = 0 and not parked"
    " and not held";

// The links in its text are credentials: it is not kept.
constexpr std::string_view kSent =
    "update svc.mail set ended_at = now(), error = '', body = '', links = '{}' where id = $1::uuid";

constexpr std::string_view kNotSent =
    "update svc.mail set error = $2::text,"
    " body = case when $3::boolean then '' else body end,"
    " links = case when $3::boolean then '{}' else links end,"
    " ended_at = case when $3::boolean or created_at < now() - interval '2 days' then now() end,"
    " next_at = now() + least(interval '1 hour', interval '15 seconds' * power(2, attempts))"
    " where id = $1::uuid";

class DueMails : public db::RowSink {
  public:
    void row(const Row& row) override {
        outgoing::MailMessage mail;
        mail.id = row.text(0);
        mail.to = row.text(1);
        mail.subject = row.text(2);
        mail.text = row.text(3);
        mails.push_back(std::move(mail));
    }
    std::vector<outgoing::MailMessage> mails;
};

// The blocking part: sends one mail.
struct SendJob {
    std::shared_ptr<const outgoing::MailServer> server;
    outgoing::MailMessage mail;
    outgoing::Sent operator()() const { return outgoing::send(*server, mail); }
};

class Mailer {
  public:
    Mailer(db::Pool& system, const Settings& settings, std::string app_name)
        : system_(system), settings_(settings), app_name_(std::move(app_name)) {}

    Task<> round();

  private:
    Task<std::optional<std::shared_ptr<const outgoing::MailServer>>> server();
    Task<> send(const std::shared_ptr<const outgoing::MailServer>& server,
                outgoing::MailMessage mail);
    std::string sender(const outgoing::MailServer& server) const;

    db::Pool& system_;
    const Settings& settings_;
    const std::string app_name_;
    std::string bad_url_;  // that was complained of
    asio::thread_pool threads_{2};
};

// Null: none is set. Nothing: it cannot be read, or not be used, and mails wait for it.
Task<std::optional<std::shared_ptr<const outgoing::MailServer>>> Mailer::server() {
    const auto own = co_await identity::project_secret(system_, settings_.secret, "SMTP_URL");
    if (!own) co_return std::nullopt;
    const std::string url = own->value_or(settings_.smtp_url);
    if (url.empty()) co_return nullptr;
    try {
        auto server = std::make_shared<outgoing::MailServer>(outgoing::read_mail_server(url));
        // The operator's may be anywhere; a project's where the operator allows.
        if (*own) server->allowed = settings_.allow_private;
        co_return std::shared_ptr<const outgoing::MailServer>(std::move(server));
    } catch (const std::invalid_argument& error) {
        if (bad_url_ != url)
            log::write(log::Level::error, "mail_server_unusable", {{"what", error.what()}});
        bad_url_ = url;
    }
    co_return std::nullopt;
}

std::string Mailer::sender(const outgoing::MailServer& server) const {
    if (!server.from.empty()) return server.from;
    const std::string host = base::host_of(settings_.origin);
    return app_name_ + " <no-reply@" + (host.empty() ? "localhost" : host) + ">";
}

Task<> Mailer::send(const std::shared_ptr<const outgoing::MailServer>& server,
                    outgoing::MailMessage mail) {
    mail.from = sender(*server);
    const std::string id = mail.id;
    SendJob sending{server, std::move(mail)};
    const outgoing::Sent sent = co_await outgoing::off_thread(threads_, std::move(sending));
    const db::Param done[] = {id};
    const db::Param failed[] = {id, sent.error, sent.for_good ? "true" : "false"};
    const db::Command command = sent.ok ? identity::command("svc_mail_sent", kSent, done)
                                        : identity::command("svc_mail_not_sent", kNotSent, failed);
    if (!sent.ok)
        log::write(log::Level::warning, "mail_not_sent", {{"mail", id}, {"what", sent.error}});
    co_await system_.run({&command, 1});
}

// Mails are claimed one by one, so that no claimed mail waits.
Task<> Mailer::round() {
    const auto found = co_await server();
    if (!found) co_return;
    const std::shared_ptr<const outgoing::MailServer>& to = *found;
    if (!to) {
        const db::Command park = identity::command("svc_mail_park", kPark, {});
        co_await system_.run({&park, 1});
        co_return;
    }
    for (int i = 0; i < kARound; ++i) {
        DueMails due;
        const db::Command command = identity::command("svc_mail_claim", kClaim, {}, &due);
        const db::Outcome outcome = co_await system_.run({&command, 1});
        if (!outcome.ok || due.mails.empty()) co_return;
        co_await send(to, std::move(due.mails.front()));
    }
}

// Waits until the next round: some may have been written, or time has passed.
class Rest {
  public:
    explicit Rest(asio::io_context& io) : timer_(io) {}

    Task<> take() {
        co_await wait(kBreath);
        if (!std::exchange(woken_, false)) co_await wait(kPause);
        woken_ = false;
    }
    // On the thread of `io`.
    void wake() {
        woken_ = true;
        if (long_) timer_.cancel();
    }

  private:
    Task<> wait(std::chrono::milliseconds most) {
        long_ = most > kBreath;
        timer_.expires_after(most);
        boost::system::error_code cancelled;
        co_await timer_.async_wait(asio::redirect_error(asio::use_awaitable, cancelled));
    }

    asio::steady_timer timer_;
    bool woken_ = false, long_ = false;
};

}  // namespace

Task<> send_mails(asio::io_context& io, db::Pool& system, const Settings& settings,
                  std::string app_name, feed::CommitSignal& written) {
    Mailer mailer(system, settings, std::move(app_name));
    const auto rest = std::make_shared<Rest>(io);
    written.listen([rest, &io] { asio::post(io, [rest] { rest->wake(); }); });
    for (;;) {
        co_await rest->take();
        co_await mailer.round();
    }
}

}  // namespace svc::ops
