// Rows written through the app's own rules, past its policies or as one of its users.
#include "calls/environment.hpp"
#include "common/json_slice.hpp"
#include "http/fields.hpp"
#include "log/log.hpp"
#include "operate/row/row_writes.hpp"
#include "routes/routes.hpp"

namespace svc::devapi {
namespace {

constexpr std::size_t kMostWritten = 1000;
constexpr std::size_t kRowsBody = 4 * 1024 * 1024;

using Op = RowsRequest::Op;

Op op_of(Fields& fields) {
    const std::string word = fields.required_text("op", 1, 20);
    const auto op = base::read_word<Op>(word);
    if (!op && !word.empty()) fields.wrong("op", "Must be insert, update, delete or restore.");
    return op.value_or(Op::insert);
}

void take_data(const Request& request, Fields& fields, RowsRequest& wanted) {
    const auto data = json_member(request.body, "data");
    if (!data || *data == "null")
        return fields.wrong(
            "data", "Is required: an object of columns and values, or a list of such objects.");
    if (data->starts_with('{')) {
        wanted.rows.push_back({"", std::string(*data)});
        return;
    }
    if (!data->starts_with('['))
        return fields.wrong("data", "Must be an object or a list of objects.");
    for (const std::string_view row : json_elements(*data)) {
        if (!row.starts_with('{')) return fields.wrong("data", "Each row must be an object.");
        wanted.rows.push_back({"", std::string(row)});
    }
    if (wanted.rows.empty()) fields.wrong("data", "Must have at least one row.");
}

void take_ids(const Request& request, Fields& fields, RowsRequest& wanted) {
    std::string patch;
    if (wanted.op == Op::update) {
        const auto sent = json_member(request.body, "patch");
        if (!sent || !sent->starts_with('{'))
            return fields.wrong("patch", "Is required: an object of columns and values.");
        patch = *sent;
    }
    const json body = json::parse(request.body);
    json ids = body.value("ids", json());
    if (ids.is_null()) ids = json::array({body.value("id", json())});
    if (!ids.is_array() || ids.empty()) return fields.wrong("ids", "Must be a list of ids.");
    for (const json& id : ids) {
        const bool good =
            (id.is_string() && !id.get_ref<const std::string&>().empty()) || id.is_number_integer();
        if (!good) return fields.wrong("id", "Is required: the row's id, or ids.");
        wanted.rows.push_back({id.is_string() ? id.get<std::string>() : id.dump(), patch});
    }
}

std::string result_text(const RowOutcome& row) {
    json out = {{"id", row.id.empty() ? json(nullptr) : json(row.id)}, {"ok", row.code.empty()}};
    if (!row.code.empty()) {
        out["error"] = {{"code", row.code}, {"message", row.message}};
        if (!row.field.empty()) out["error"]["field"] = row.field;
    }
    const std::string text = to_text(out);
    return row.row.empty() ? text : with_member(text, "row", row.row);
}

void send(const RowsOutcome& outcome, Response& response) {
    std::string results;
    bool all = true;
    for (const RowOutcome& row : outcome.rows) {
        results.append(results.empty() ? "" : ",").append(result_text(row));
        all = all && row.code.empty();
    }
    response.body =
        std::string(all ? "{\"ok\":true" : "{\"ok\":false") + ",\"results\":[" + results + ']';
    response.body += outcome.truncated ? ",\"truncated\":true}" : "}";
}

void write(Context& context, const Request& request, const RowsRequest& wanted,
           const std::string& as, Env env, Response& response) {
    const ConcurrencyLimit::Slot slot(context.operations, request.project->workspace_id);
    if (busy(slot, response)) return;
    const auto database = operated(context, request, env, response);
    if (!database) return;
    const auto actor = actor_of(*database, as);
    if (!actor)
        return bad_parameter(response, "as",
                             "Must be admin, a persona of the app or an account's e-mail address.");
    if (!keep_before_write(context, request, env, response)) return;
    // A restore may have put another database in its place meanwhile.
    const auto now = operated(context, request, env, response);
    if (!now) return;
    const RowsOutcome outcome = write_rows(*now, *actor, wanted);
    log::write(log::Level::info, "developer_rows",
               {{"project", request.project->id},
                {"env", name(env)},
                {"user", request.caller.user_id},
                {"rows", static_cast<std::int64_t>(outcome.rows.size())}});
    if (outcome.sqlstate == name(Code::unavailable))
        return response.refuse(Code::unavailable, outcome.error);
    if (!outcome.error.empty())
        return response.send(400, {{"error", outcome.error}, {"code", outcome.sqlstate}});
    send(outcome, response);
}

void rows(Context& context, const Request& request, Response& response) {
    Fields fields(request);
    const Env env = environment_of(fields);
    if (fields.good() && !may_change(request, env, response)) return;
    RowsRequest wanted;
    wanted.op = op_of(fields);
    wanted.shown = request.caller.has("read");
    wanted.table = fields.required_text("table", 1, 63);
    const std::string as = fields.text("as", 0, 254).value_or("");
    if (!fields.good(response)) return;
    if (wanted.op == Op::insert)
        take_data(request, fields, wanted);
    else
        take_ids(request, fields, wanted);
    if (wanted.rows.size() > kMostWritten) fields.wrong("data", "May have at most 1,000 rows.");
    if (!fields.good(response)) return;
    write(context, request, wanted, as, env, response);
}

}  // namespace

void bind_rows(RouteTable& table) {
    table.add({"POST", "/projects/:id/rows", Need::change, Role::viewer, rows, kRowsBody});
}

}  // namespace svc::devapi
