#include "file/tickets.hpp"

#include <ctime>

#include "base/app_paths.hpp"
#include "base/base64url.hpp"
#include "base/number.hpp"

namespace svc::file {
namespace {

std::string message(std::string_view place, std::string_view id, std::string_view rest) {
    std::string out(place);
    out.append("\n").append(id).append("\n").append(rest);
    return out;
}

}  // namespace

Tickets::Tickets(std::string_view secret, std::string place)
    : uploads_(secret, "file upload"), tickets_(secret, "file ticket"), place_(std::move(place)) {}

std::string Tickets::sign(std::string_view id, std::string_view user) const {
    return base::base64url(uploads_.sign(message(place_, id, user)));
}

bool Tickets::holds(std::string_view id, std::string_view user, std::string_view signature) const {
    const auto bytes = base::base64url_decoded(signature);
    return bytes && uploads_.holds(message(place_, id, user), *bytes);
}

std::string Tickets::ticket_until(std::string_view id, std::string_view until) const {
    return std::string(until) + "." + base::base64url(tickets_.sign(message(place_, id, until)));
}

std::string Tickets::ticket(std::string_view id, std::int64_t now) const {
    return ticket_until(id, std::to_string(now + kSeconds));
}

Tickets::Checked Tickets::check(std::string_view id, std::string_view ticket,
                                std::int64_t now) const {
    const std::size_t dot = ticket.find('.');
    if (dot == std::string_view::npos) return Checked::forged;
    const std::string_view until = ticket.substr(0, dot);
    const auto bytes = base::base64url_decoded(ticket.substr(dot + 1));
    if (!bytes || !tickets_.holds(message(place_, id, until), *bytes)) return Checked::forged;
    return now <= base::number_of<std::int64_t>(until) ? Checked::good : Checked::expired;
}

void Tickets::append_url(std::string& out, std::string_view id) const {
    out.append(base::kApiPath)
        .append("/files/")
        .append(id)
        .append("?ticket=")
        .append(ticket(id, std::time(nullptr)));
}

}  // namespace svc::file
