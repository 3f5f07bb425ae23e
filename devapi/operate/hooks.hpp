// Webhooks of an app and their deliveries, for developers. Blocking; `database` is an
// administrator connection.
#pragma once

#include <optional>
#include <string>

namespace svc::devapi {

// {"in": [{name, scheme, lacksSecret, workflows, lastAt}], "out": [{name, url, events, waiting,
// dead, failingSince, offAt, lastAt}]}
std::string hooks_json(const std::string& database);

// [{name, failingSince, offAt}]: outgoing ones that are off, of the live contract. Empty if an
// earlier compiler built the app.
std::string hooks_off_json(const std::string& database);
// [{name, scheme, secret}]: incoming ones that refuse every call for lack of a secret: the project
// has not set the one that the contract names, or the contract names none (null) where the service
// makes it itself. Empty in the same case.
std::string hooks_lacking_secret_json(const std::string& database);

struct DeliveriesRequest {
    std::string hook;    // of this one alone; empty: of all
    std::string before;  // a delivery's id: older ones alone
    int limit = 30;
};

// [{id, hook, event, table, rowId, status, attempts, nextAt, lastStatus, error, createdAt,
// endedAt}], the newest first.
std::string deliveries_json(const std::string& database, const DeliveriesRequest& wanted);

// Sends it once more, and turns the webhook on again. False: the live contract has no such webhook.
// Nothing: there is no such delivery.
std::optional<bool> redeliver(const std::string& database, const std::string& delivery);

}  // namespace svc::devapi
