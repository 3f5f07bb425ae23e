// Credentials in addresses of files: signatures of uploads, which only one account can use, and
// tickets to read a file, which anybody who has them can use for an hour.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "data/file_links.hpp"
#include "identity/secret/signer.hpp"

namespace svc::file {

class Tickets final : public data::FileLinks {
  public:
    // `place`: project and environment, so that no other one takes them.
    Tickets(std::string_view secret, std::string place);

    // Signs an upload under this id by this account.
    std::string sign(std::string_view id, std::string_view user) const;
    bool holds(std::string_view id, std::string_view user, std::string_view signature) const;

    static constexpr std::int64_t kSeconds = 3600;
    std::string ticket(std::string_view id, std::int64_t now) const;
    enum class Checked { good, expired, forged };
    Checked check(std::string_view id, std::string_view ticket, std::int64_t now) const;

    // /__svc/files/<id>?ticket=…
    void append_url(std::string& out, std::string_view id) const override;

  private:
    std::string ticket_until(std::string_view id, std::string_view until) const;

    const identity::Signer uploads_, tickets_;
    const std::string place_;
};

}  // namespace svc::file
