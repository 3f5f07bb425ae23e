// Payments of an app's orders: the ledger, and one entry with its history.
#include "operate/payments.hpp"

#include "base/formats.hpp"
#include "calls/environment.hpp"
#include "http/fields.hpp"
#include "operate/short_id.hpp"
#include "routes/operate/whole_id.hpp"
#include "routes/routes.hpp"

namespace svc::devapi {
namespace {

constexpr int kUsualPayments = 30, kMostPayments = 200;

// The app's database; empty: answered.
std::string with_payments(Context& context, const Request& request, Response& response) {
    const auto env = environment_of(request, response);
    std::string database = env ? database_of(context, request, *env, response) : std::string();
    if (database.empty() || has_payments(database)) return database;
    response.refuse(Code::no_app,
                    "This app was built before svc ran payments. Apply its contract once more.");
    return {};
}

// A parameter that is an id or is not given. False: answered.
bool read_id(const Request& request, const char* name, std::string& out, Response& response) {
    out = query_value(request.query, name);
    if (out.empty() || base::is_uuid(out)) return true;
    bad_parameter(response, name, "Must be an id.");
    return false;
}

void list_payments(Context& context, const Request& request, Response& response) {
    PaymentsRequest wanted;
    const std::string status = query_value(request.query, "status");
    wanted.status = base::read_word<pay::Status>(status);
    if (!status.empty() && !wanted.status)
        return bad_parameter(response, "status", "Must be due, processing, paid or failed.");
    if (!read_id(request, "order", wanted.order, response)) return;
    if (!read_id(request, "before", wanted.before, response)) return;
    wanted.limit = limit_of(request, kUsualPayments, kMostPayments, response);
    if (wanted.limit == 0) return;
    const std::string database = with_payments(context, request, response);
    if (!database.empty()) response.body = "{\"payments\":" + payments_json(database, wanted) + '}';
}

void show_payment(Context& context, const Request& request, Response& response) {
    const std::string database = with_payments(context, request, response);
    if (database.empty()) return;
    const std::string id = whole_id({database, kPaymentRows, "payment", "payment"},
                                    request.params.at("payment"), response);
    if (id.empty()) return;
    const auto found = payment_json(database, id);
    if (!found) return response.refuse(Code::not_found, "There is no payment '" + id + "'.");
    response.body = "{\"payment\":" + *found + '}';
}

}  // namespace

void bind_payments(RouteTable& table) {
    table.add({"GET", "/projects/:id/payments", Need::read, Role::viewer, list_payments},
              {"status", "order", "before", "limit", "env"});
    table.add({"GET", "/projects/:id/payments/:payment", Need::read, Role::viewer, show_payment},
              {"env"});
}

}  // namespace svc::devapi
