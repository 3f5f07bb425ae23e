#include "connector/tool/tools.hpp"

#include <algorithm>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "base/json_text.hpp"
#include "connector/tool/tool_headers.hpp"
#include "identity/command.hpp"
#include "json/formats.hpp"
#include "log/log.hpp"

namespace svc::connector {
namespace {

using json::Value;

constexpr std::string_view kStateless = "2026-07-28";
constexpr std::string_view kSessions[] = {"2025-06-18", "2025-03-26", "2025-11-25"};
constexpr std::string_view kClient = R"({"name":"svc","version":"1"})";
constexpr std::chrono::minutes kFresh{1};
constexpr std::chrono::seconds kPatience{30};
constexpr std::size_t kMostTools = 500, kMostPages = 20;
constexpr int kUnsupportedVersion = -32022;

constexpr std::string_view kPin =
    "select tool, hash from svc.pin_tools($1::text, $2::text[], $3::text[])";

class Pins : public db::RowSink {
  public:
    void row(const Row& row) override { hashes.emplace(row.text(0), row.text(1)); }
    std::map<std::string, std::string, std::less<>> hashes;
};

bool has(const Value* list, std::string_view version) {
    return list && std::ranges::any_of(list->items,
                                       [version](const Value& one) { return one.text == version; });
}

// Arguments as a message's parameters; `params` is an object without its last brace.
std::string with_meta(std::string params) {
    params += params.size() > 1 ? "," : "";
    params += R"("_meta":{"io.modelcontextprotocol/protocolVersion":")" + std::string(kStateless) +
              R"(","io.modelcontextprotocol/clientInfo":)" + std::string(kClient) +
              R"(,"io.modelcontextprotocol/clientCapabilities":{}})";
    return params + "}";
}

std::string without_end(const std::string& params) {
    return params.empty() ? "{" : params.substr(0, params.size() - 1);
}

Reply problem(std::string words, bool retryable = false) {
    Reply out;
    out.problem = std::move(words);
    out.retryable = retryable;
    return out;
}

Message stateless(Message message) {
    message.params = with_meta(without_end(message.params));
    message.headers.emplace_back("MCP-Protocol-Version", kStateless);
    message.headers.emplace_back("Mcp-Method", message.method);
    return message;
}

}  // namespace

const Tool* Listing::find(std::string_view name) const {
    const auto found = std::ranges::find(tools, name, &Tool::name);
    return found == tools.end() ? nullptr : &*found;
}

Task<Reply> Tools::tell(const Peer& peer, Message message) {
    const auto left = std::chrono::ceil<std::chrono::seconds>(peer.until - Clock::now()).count();
    if (left <= 0) co_return problem("The tool server did not answer in time.", true);
    message.seconds = static_cast<unsigned>(left);
    co_return co_await send(in_, peer.server, peer.credentials, std::move(message));
}

// A server of today answers this without a session; each other one refuses it somehow.
Task<Reply> Tools::negotiate(const Peer& peer, StatePtr state) {
    Message hello;
    hello.method = "server/discover";
    const Reply reply = co_await tell(peer, stateless(std::move(hello)));
    if (reply.status == 0) co_return reply;
    const Value* supported = reply.result.find("supportedVersions");
    if (reply.ok() && has(supported, kStateless)) {
        state->protocol = Protocol::stateless;
        state->version = kStateless;
        co_return reply;
    }
    if (reply.status == 401 || reply.status == 403)
        co_return problem("The tool server answered with status " + std::to_string(reply.status) +
                          ".");
    co_return co_await initialize(peer, state);
}

Task<Reply> Tools::initialize(const Peer& peer, StatePtr state) {
    Message hello;
    hello.method = "initialize";
    hello.params = R"({"protocolVersion":")" + std::string(kSessions[0]) +
                   R"(","capabilities":{},"clientInfo":)" + std::string(kClient) + "}";
    Reply reply = co_await tell(peer, hello);
    if (!reply.ok()) co_return reply;
    const std::string version = reply.result.text_of("protocolVersion");
    if (std::ranges::find(kSessions, version) == std::end(kSessions))
        co_return problem("The tool server uses a version of the protocol that svc does not know.");
    state->protocol = Protocol::session;
    state->version = version;
    state->mcp_session = reply.mcp_session;
    Message ready;
    ready.method = "notifications/initialized";
    ready.notification = true;
    ready.headers.emplace_back("MCP-Protocol-Version", version);
    if (!state->mcp_session.empty())
        ready.headers.emplace_back("Mcp-Session-Id", state->mcp_session);
    co_await tell(peer, std::move(ready));
    co_return reply;
}

Task<Reply> Tools::ask(const Peer& peer, StatePtr state, Message message) {
    for (int attempt = 0;; ++attempt) {
        if (state->protocol == Protocol::unknown) {
            Reply negotiated = co_await negotiate(peer, state);
            if (state->protocol == Protocol::unknown) {
                if (negotiated.ok())
                    negotiated = problem("The tool server uses no protocol that svc knows.");
                co_return negotiated;
            }
        }
        Message own = message;
        const bool with_session = state->protocol == Protocol::session;
        if (with_session) {
            own.headers.clear();  // mirrors are the stateless protocol's
            own.headers.emplace_back("MCP-Protocol-Version", state->version);
            if (!state->mcp_session.empty())
                own.headers.emplace_back("Mcp-Session-Id", state->mcp_session);
        } else {
            own = stateless(std::move(own));
        }
        Reply reply = co_await tell(peer, std::move(own));
        const bool gone = with_session && (reply.status == 404 || reply.status == 400) &&
                          !reply.ok() && !state->mcp_session.empty();
        const bool older = !with_session && reply.code == kUnsupportedVersion;
        if (attempt > 0 || (!gone && !older)) co_return reply;
        state->protocol = Protocol::unknown;
        state->mcp_session.clear();
    }
}

Task<ListingPtr> Tools::read_listing(const Peer& peer, StatePtr state) {
    auto out = std::make_shared<Listing>();
    std::string cursor;
    for (std::size_t page = 0; page < kMostPages; ++page) {
        Message message;
        message.method = "tools/list";
        if (!cursor.empty()) {
            message.params = "{\"cursor\":";
            base::append_json(message.params, cursor);
            message.params += '}';
        }
        const Reply reply = co_await ask(peer, state, std::move(message));
        if (!reply.ok()) {
            out->tools.clear();  // their pins were not looked at
            out->problem = reply.words();
            out->retryable = reply.retryable;
            co_return out;
        }
        const Value* tools = reply.result.find("tools");
        for (const Value& in : tools ? tools->items : std::vector<Value>()) {
            auto tool = read_tool(in);
            if (tool && out->tools.size() < kMostTools) out->tools.push_back(std::move(*tool));
        }
        cursor = reply.result.text_of("nextCursor");
        if (cursor.empty()) break;
    }
    const bool held = !peer.server.pinned || co_await check_pins(peer.server, *out);
    if (!held) {
        out->tools.clear();
        out->problem = "The database does not say what the tools of this server were.";
        out->retryable = true;
    }
    co_return out;
}

// The first listing after an apply says what the tools are from then on.
Task<bool> Tools::check_pins(const Server& server, Listing& listing) {
    std::vector<std::string> names, hashes;
    for (const Tool& tool : listing.tools) {
        names.push_back(tool.name);
        hashes.push_back(tool.hash);
    }
    const std::string all = json::array_literal(names), of_all = json::array_literal(hashes);
    const db::Param params[] = {server.id, all, of_all};
    Pins pins;
    const db::Command command = identity::command("svc_pin_tools", kPin, params, &pins);
    const db::Outcome outcome = co_await in_.system.run({&command, 1});
    if (!outcome.ok) co_return false;
    for (Tool& tool : listing.tools) {
        const auto pin = pins.hashes.find(tool.name);
        tool.changed = pin == pins.hashes.end() || pin->second != tool.hash;
    }
    co_return true;
}

Task<> Tools::list_now(const Peer& peer, StatePtr state) {
    state->under_way = std::make_shared<asio::steady_timer>(in_.io, Clock::time_point::max());
    // Those who wait go on however this ends.
    const std::shared_ptr<void> ended(nullptr, [state](void*) {
        state->under_way->cancel();
        state->under_way = nullptr;
    });
    const auto listing = co_await read_listing(peer, state);
    state->listing = listing;
    state->listed_at = Clock::now();
    if (listing->problem.empty()) co_return;
    state->protocol = Protocol::unknown;
    log::write(log::Level::warning, "tools_not_listed",
               {{"server", peer.server.id}, {"what", listing->problem}});
}

Task<ListingPtr> Tools::list(const Server& server, const Credentials& credentials) {
    StatePtr& kept = states_[server.id];
    if (!kept) kept = std::make_shared<State>();
    const StatePtr state = kept;
    const bool fresh = state->listing->problem.empty() && Clock::now() - state->listed_at < kFresh;
    if (fresh) co_return state->listing;
    if (const auto under_way = state->under_way) {
        boost::system::error_code cancelled;
        co_await under_way->async_wait(asio::redirect_error(asio::use_awaitable, cancelled));
    } else {
        const Peer peer{server, credentials, Clock::now() + kPatience};
        co_await list_now(peer, state);
    }
    co_return state->listing;
}

Task<Outcome> Tools::call(const Call& call, const Credentials& credentials) {
    const StatePtr state = states_[call.server.id];
    Message message;
    message.method = "tools/call";
    message.params = "{\"name\":";
    base::append_json(message.params, call.tool.name);
    message.params += ",\"arguments\":" + call.arguments.shown() + "}";
    message.headers = mirrored_headers(call.tool.name, call.tool.headers, call.arguments);
    const std::chrono::seconds most =
        call.seconds > 0 ? std::chrono::seconds(call.seconds) : std::chrono::seconds(kPatience);
    const Peer peer{call.server, credentials, Clock::now() + most};
    const Reply reply = co_await ask(peer, state, std::move(message));
    Outcome out = reply.ok() ? read_result(reply.result) : failed(reply.words(), reply.retryable);
    out.status = reply.status;
    co_return out;
}

}  // namespace svc::connector
