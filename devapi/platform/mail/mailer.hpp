// Sends svcd's own mails (invitations) in the background. They are rows of `outgoing_mail`, written
// by the statement that makes their link. Several svcd on one database share the work.
#pragma once

#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "outgoing/smtp.hpp"
#include "platform/store.hpp"

namespace svc::devapi {

class Mailer {
  public:
    // Empty `smtp_url`: no mail is sent. `host`: the host of the sender if the URL names none.
    // Throws std::invalid_argument if the URL is malformed.
    Mailer(Store& store, const std::string& smtp_url, const std::string& host);
    ~Mailer();  // a mail on its way is waited for, a minute at most
    Mailer(const Mailer&) = delete;
    Mailer& operator=(const Mailer&) = delete;

    bool delivers() const { return server_.has_value(); }
    // Call it when there is a new mail. A mail that could not be sent is tried again after 30 s, a
    // minute, … an hour, for two days. A permanent refusal ends it at once.
    void wake();

  private:
    void run();
    bool send_one();  // false: none is due

    Store& store_;
    std::optional<outgoing::MailServer> server_;
    std::string from_;
    std::mutex mutex_;
    std::condition_variable woken_;
    bool due_ = true, ending_ = false;
    std::thread thread_;
};

}  // namespace svc::devapi
