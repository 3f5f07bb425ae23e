// DELETE /files/<id>: the bytes stay for a while, for a restore of the database.
#include "base/formats.hpp"
#include "file/file_context.hpp"
#include "file/messages.hpp"
#include "identity/command.hpp"

namespace svc::file {
namespace {

using route::Handled;

constexpr std::string_view kDelete = "select svc.delete_file($1::uuid)";

}  // namespace

Task<Handled> remove(const FileContext& in, route::Request& request, const Caller& caller) {
    http::Exchange& exchange = request.exchange;
    if (!base::is_uuid(request.id)) co_return refuse(exchange, Code::invalid_id, kBadFileId);
    if (!caller.user) co_return refuse(exchange, Code::unauthorized, "Sign in first.");
    TextColumns row;
    const db::Param params[] = {request.id};
    const auto ended = co_await run_as(in, exchange, caller,
                                       identity::command("svc_delete_file", kDelete, params, &row));
    if (ended) co_return *ended;
    if (row.values.at(0) == "missing")
        co_return refuse(exchange, Code::not_found, "You have no such file.");
    if (row.values.at(0) == "held")
        co_return refuse(exchange, Code::conflict,
                         "A row still holds this file. Take it out of the row first.");
    exchange.reply().body = R"({"ok":true})";
    co_return Handled::answered;
}

}  // namespace svc::file
