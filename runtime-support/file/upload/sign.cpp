// POST /files/sign: what is going to be uploaded, checked before any byte of it is sent.
#include "base/app_paths.hpp"
#include "base/json_text.hpp"
#include "base/percent.hpp"
#include "file/file_context.hpp"
#include "file/kind/mime.hpp"
#include "file/messages.hpp"
#include "file/upload_progress.hpp"
#include "identity/command.hpp"
#include "json/formats.hpp"
#include "json/value.hpp"

namespace svc::file {
namespace {

using route::Handled;

constexpr std::string_view kSign =
    "select svc.sign_file($1::text, $2::bigint, $3::bigint, $4::bigint)::text";

struct Asked {
    std::string mime;
    std::uint64_t size = 0;
};

identity::Refusal wrong(Code code, std::string message, std::string field) {
    return identity::refusal(code, std::move(message), std::move(field));
}

identity::Result<Asked> read_body(const FileRules& rules, std::string_view body) {
    const json::Parsed parsed = json::parse(body);
    if (!parsed.error.empty() || !parsed.value.is(json::Value::Kind::object))
        return wrong(Code::params_invalid,
                     R"(The body must be {"mime": "image/png", "size": 1234}.)", "");
    Asked out;
    const std::string sent(parsed.value.text_of("mime"));
    if (sent.empty())
        return wrong(Code::params_invalid, "\"mime\" is missing: the file's type.", "mime");
    out.mime = normal_type(sent);
    if (!is_allowed(rules, out.mime)) return wrong(Code::mime_not_allowed, kTypeNotAllowed, "mime");
    const json::Value* size = parsed.value.find("size");
    std::int64_t bytes = 0;
    if (!size || !size->is(json::Value::Kind::number) ||
        json::whole_number(size->text, bytes) != json::Whole::ok || bytes <= 0)
        return wrong(Code::invalid_size, "\"size\" must be the file's size in bytes, above 0.",
                     "size");
    out.size = static_cast<std::uint64_t>(bytes);
    if (out.size > rules.max_size)
        return wrong(Code::too_large, "A file may have at most " + in_words(rules.max_size) + ".",
                     "size");
    return out;
}

}  // namespace

Task<Handled> sign(const FileContext& in, route::Request& request, const Caller& caller) {
    http::Exchange& exchange = request.exchange;
    const auto allowed = check_uploader(in, caller, false);
    if (!allowed) co_return refuse(exchange, allowed.error());
    const auto asked = read_body(in.app.files, exchange.body());
    if (!asked) co_return refuse(exchange, asked.error());
    TextColumns made;
    const std::string size = std::to_string(asked->size);
    const std::string user_quota = std::to_string(in.app.files.user_quota);
    const std::string quota = std::to_string(in.app.files.project_quota);
    const db::Param params[] = {asked->mime, size, user_quota, quota};
    const auto ended = co_await run_as(in, exchange, caller,
                                       identity::command("svc_sign_file", kSign, params, &made));
    if (ended) co_return *ended;
    if (made.values.empty() || made.values[0].empty()) co_return refuse(exchange, no_room());
    const std::string& id = made.values[0];
    std::string& body = exchange.reply().body;
    body = R"({"ok":true,"fileId":")" + id + R"(","uploadUrl":")" + std::string(base::kApiPath) +
           "/files/direct?fileId=" + id + "&sig=" + in.tickets.sign(id, caller.user->id) +
           "&mime=" + base::percent_encoded(asked->mime) + R"(","method":"POST"})";
    co_return Handled::answered;
}

}  // namespace svc::file
