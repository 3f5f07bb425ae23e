// Payments of an app's orders: the ledger, one entry with its history, and the end of one whose
// provider no longer knows it.
#include "operate/payments.hpp"

#include "base/formats.hpp"
#include "calls/environment.hpp"
#include "http/fields.hpp"
#include "log/log.hpp"
#include "operate/short_id.hpp"
#include "routes/operate/whole_id.hpp"
#include "routes/routes.hpp"

namespace svc::devapi {
namespace {

constexpr int kUsualPayments = 30, kMostPayments = 200;
constexpr std::size_t kLongestNote = 300;

// The app's database; empty: answered.
std::string with_payments(Context& context, const Request& request, std::optional<Env> env,
                          Response& response) {
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
    const std::string database =
        with_payments(context, request, environment_of(request, response), response);
    if (!database.empty()) response.body = "{\"payments\":" + payments_json(database, wanted) + '}';
}

// The id that the path names; empty: answered.
std::string payment_of(const std::string& database, const Request& request, Response& response) {
    return whole_id({database, kPaymentRows, "payment", "payment"}, request.params.at("payment"),
                    response);
}

void no_payment(const std::string& id, Response& response) {
    response.refuse(Code::not_found, "There is no payment '" + id + "'.");
}

void show_payment(Context& context, const Request& request, Response& response) {
    const std::string database =
        with_payments(context, request, environment_of(request, response), response);
    const std::string id = database.empty() ? "" : payment_of(database, request, response);
    if (id.empty()) return;
    const auto found = payment_json(database, id);
    if (!found) return no_payment(id, response);
    response.body = "{\"payment\":" + *found + '}';
}

// The app's database; empty: answered.
std::string with_payment_ends(Context& context, const Request& request, Env env,
                              Response& response) {
    std::string database = with_payments(context, request, env, response);
    if (database.empty() || can_end_payments(database)) return database;
    response.refuse(
        Code::no_app,
        "This app was built before svc could end payments. Apply its contract once more.");
    return {};
}

void end_one(Context& context, const Request& request, Response& response) {
    Fields fields(request);
    const Env env = environment_of(fields);
    const std::string note = fields.text("note", 1, kLongestNote).value_or("");
    if (!fields.good(response) || !may_change(request, env, response)) return;
    const std::string database = with_payment_ends(context, request, env, response);
    const std::string id = database.empty() ? "" : payment_of(database, request, response);
    if (id.empty()) return;
    const PaymentEnd end = end_payment(database, id, request.caller.email, note);
    if (!end.status) return no_payment(id, response);
    if (!end.ended)
        return response.refuse(Code::conflict, "This payment is " +
                                                   std::string(base::word(*end.status)) +
                                                   ". Only one that is processing can be ended.");
    log::write(log::Level::info, "payment_ended",
               {{"project", request.project->id},
                {"env", name(env)},
                {"user", request.caller.user_id},
                {"payment", id}});
    response.send(200, {{"ended", id}});
}

}  // namespace

void bind_payments(RouteTable& table) {
    table.add({"GET", "/projects/:id/payments", Need::read, Role::viewer, list_payments},
              {"status", "order", "before", "limit", "env"});
    table.add({"GET", "/projects/:id/payments/:payment", Need::read, Role::viewer, show_payment},
              {"env"});
    table.add({"POST", "/projects/:id/payments/:payment/end", Need::change, Role::viewer, end_one});
}

}  // namespace svc::devapi
