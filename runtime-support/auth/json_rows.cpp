#include "auth/json_rows.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

#include "auth/held_session.hpp"
#include "base/json_text.hpp"
#include "base/sql_state.hpp"
#include "identity/command.hpp"

namespace svc::auth {
namespace {

constexpr unsigned kUsual = 50, kMost = 500;
constexpr unsigned kMostOffset = 10'000'000;

class JsonSink : public db::RowSink {
  public:
    void row(const Row& row) override {
        if (rows.count++ > 0) rows.text += ',';
        rows.text += row.text(0);
    }
    JsonRows rows;
};

identity::Result<JsonRows> rows_of(const db::Outcome& outcome, JsonSink& sink,
                                   const identity::Refusal* taken = nullptr) {
    if (!outcome.ok && outcome.error().sqlstate == base::sqlstate::kTaken)
        return taken ? *taken : identity::refusal(Code::conflict, "This value is already in use.");
    if (!outcome.ok) return identity::refusal(outcome);
    return std::move(sink.rows);
}

// The whole number, `usual` if it is not said, nothing if it is not one.
std::optional<unsigned> whole(const http::Head& head, std::string_view name, unsigned usual) {
    const http::QueryParam param = http::query_param(head.query, name);
    if (!param.found || param.value.empty()) return usual;
    unsigned value = 0;
    const char* end = param.value.data() + param.value.size();
    const auto [stop, error] = std::from_chars(param.value.data(), end, value);
    if (error == std::errc() && stop == end) return value;
    return std::nullopt;
}

void begin(http::Exchange& exchange, std::string_view member) {
    std::string& body = exchange.reply().body;
    body = R"({"ok":true,)";
    base::append_json(body, member);
    body += ':';
}

}  // namespace

Task<identity::Result<JsonRows>> json_rows(const Context& in, std::string_view name,
                                           std::string_view sql, std::span<const db::Param> params,
                                           const db::Command* beside,
                                           const identity::Refusal* taken) {
    JsonSink sink;
    const db::Command asked = identity::command(name, sql, params, &sink);
    const db::Command commands[] = {asked, beside ? *beside : asked};
    const db::Outcome outcome = co_await in.system.run({commands, beside ? 2U : 1U});
    co_return rows_of(outcome, sink, taken);
}

Task<identity::Result<JsonRows>> held_json_rows(const Call& call, std::string_view name,
                                                std::string_view sql,
                                                std::span<const db::Param> params,
                                                const db::Command* beside) {
    JsonSink sink;
    const HeldSession held(call);
    const db::Command asked = identity::command(name, sql, params, &sink);
    const db::Command commands[] = {held.command(), asked, beside ? *beside : asked};
    const db::Outcome outcome = co_await call.in.system.run({commands, beside ? 3U : 2U});
    co_return rows_of(outcome, sink);
}

void answer_rows(http::Exchange& exchange, std::string_view member, const JsonRows& rows) {
    begin(exchange, member);
    exchange.reply().body += '[' + rows.text + "]}";
}

void answer_row(http::Exchange& exchange, std::string_view member, const JsonRows& rows) {
    begin(exchange, member);
    exchange.reply().body += (rows.count == 0 ? "null" : rows.text) + "}";
}

identity::Result<PageOf> page_of(const http::Head& head) {
    const auto limit = whole(head, "limit", kUsual);
    const auto offset = whole(head, "offset", 0);
    if (!limit || *limit == 0)
        return identity::refusal(Code::params_invalid,
                                 "\"limit\" must be a whole number, 1 or more.", "limit");
    if (!offset || *offset > kMostOffset)
        return identity::refusal(Code::params_invalid,
                                 "\"offset\" must be a whole number, 0 or more.", "offset");
    return PageOf{std::to_string(std::min(*limit, kMost)), std::to_string(*offset)};
}

}  // namespace svc::auth
