#include "data/history.hpp"

#include <string>

#include "base/json_text.hpp"
#include "data/db_error.hpp"
#include "data/list/cursor.hpp"
#include "data/query_params.hpp"
#include "json/escape.hpp"

namespace svc::data {

namespace {

constexpr std::size_t kUsualPage = 50, kLargestPage = 500;  // as lists have them

// The columns of svc.history_of().
namespace entry {
enum : int { seq, at, actor, event, transition, old_row, new_row };
}

void append_text(std::string& out, const char* key, const Row& row, int column) {
    out += key;
    if (row.null(column)) {
        out += "null";
    } else {
        base::append_json_utf8(out, row.text(column));
    }
}

void append_row(std::string& out, const char* key, const Row& row, int column) {
    out.append(key).append(row.null(column) ? "null" : row.text(column));
}

class Entries final : public db::RowSink {
  public:
    Entries(std::string& body, std::size_t limit) : body_(body), limit_(limit) {
        body_ = R"({"ok":true,"history":[)";
    }
    void row(const Row& row) override {
        more_ = count_ == limit_;
        if (more_) return;
        body_ += count_++ == 0 ? R"({"at":)" : R"(,{"at":)";
        json::append_timestamp(body_, row.text(entry::at));
        append_text(body_, R"(,"actorId":)", row, entry::actor);
        append_text(body_, R"(,"event":)", row, entry::event);
        append_text(body_, R"(,"transition":)", row, entry::transition);
        append_row(body_, R"(,"old":)", row, entry::old_row);
        append_row(body_, R"(,"new":)", row, entry::new_row);
        body_ += '}';
        last_ = row.text(entry::seq);
    }
    bool more() const { return more_; }
    const std::string& last() const { return last_; }

  private:
    std::string& body_;
    const std::size_t limit_;
    std::size_t count_ = 0;
    bool more_ = false;
    std::string last_;  // its seq
};

// {id,title}: names of columns hold nothing that would end one.
std::string names_of(const Entity& entity, const Visible& visible) {
    std::string out = "{";
    for (std::size_t i = 0; i < entity.columns.size(); ++i) {
        if (visible.columns[i])
            out.append(out.size() == 1 ? "" : ",").append(entity.columns[i].name);
    }
    return out + '}';
}

bool may_ask(const Caller& caller) {
    return caller.is(principal::kServer) || (caller.user && caller.user->is_admin);
}

std::string list_name(const Call& call) {
    return "history of " + std::string(call.entity.name) + ' ' + std::string(call.id);
}

// The page begins before this entry; none: at the latest.
Result<std::optional<std::string>> beginning(const Call& call, const list::Cursors& cursors) {
    const http::QueryParam cursor = http::query_param(call.exchange.head().query, "cursor");
    if (!cursor.found || cursor.value.empty()) return std::optional<std::string>();
    auto place = cursors.read(list_name(call), cursor.value);
    if (!place) return place.error();
    if (place->size() != 1) return bad_params("This cursor belongs to another list.", "cursor");
    return place->front();
}

void finish(const Call& call, const list::Cursors& cursors, const Entries& entries) {
    std::string& body = call.exchange.reply().body;
    body +=
        entries.more() ? R"(],"hasMore":true,"nextCursor":)" : R"(],"hasMore":false,"nextCursor":)";
    if (entries.more()) {
        base::append_json_utf8(body, cursors.make(list_name(call), {entries.last()}));
    } else {
        body += "null";
    }
    body += '}';
}

}  // namespace

Task<Handled> answer_history(const Call& call) {
    if (!may_ask(call.caller)) co_return refuse(call, {Code::admin_required, "Admin required"});
    const auto limit =
        whole_param(call.exchange.head().query, "limit", {kUsualPage, 1, kLargestPage});
    if (!limit) co_return refuse(call, limit.error());
    const list::Cursors cursors(call.signer, call.caller);
    const auto before = beginning(call, cursors);
    if (!before) co_return refuse(call, before.error());

    const Statement statement{.name = "svc_history",
                              .types = {},
                              .sql =
                                  "select * from svc.history_of($1::text, $2::uuid, $3::text[],"
                                  " $4::bigint, $5::integer)"};
    const std::string columns = names_of(call.entity, call.visible());
    const std::string most = std::to_string(*limit + 1);
    const db::Param params[] = {call.entity.name, call.id, columns, *before, most};
    Entries entries(call.exchange.reply().body, *limit);
    const db::Outcome outcome = co_await run_slow(call, statement, params, &entries);
    if (!outcome.ok) co_return refuse(call, outcome);
    finish(call, cursors, entries);
    co_return Handled::answered;
}

}  // namespace svc::data
