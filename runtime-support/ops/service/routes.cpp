// Every route of an app server, and the one that belongs to no other folder: its OpenAPI document.
#include <algorithm>
#include <iterator>

#include "auth/mfa/has_app.hpp"
#include "ops/service/impl.hpp"

namespace svc::ops {
namespace {

using route::Done;

constexpr std::string_view kDocument = "/api/v1/openapi.json";

}  // namespace

std::vector<route::Endpoint> AppService::Impl::endpoints() {
    std::vector<route::Endpoint> all = data::routes(data_services);
    std::ranges::move(auth::routes(accounts), std::back_inserter(all));
    std::ranges::move(feed::routes(publish_context, subscribe_context), std::back_inserter(all));
    std::ranges::move(hook::routes(receive_context, accounts), std::back_inserter(all));
    std::ranges::move(notice::routes(notification_context), std::back_inserter(all));
    std::ranges::move(ai::routes(ai_context), std::back_inserter(all));
    std::ranges::move(file::routes(file_context), std::back_inserter(all));
    std::ranges::move(connector::routes(connectors), std::back_inserter(all));
    std::ranges::move(run::routes(run_context), std::back_inserter(all));
    std::ranges::move(pay::routes(pay_context), std::back_inserter(all));
    const auto answer = [this](route::Request& request) { return answer_document(request); };
    all.push_back({Method::get, kDocument, route::Entry::data, answer});
    return all;
}

std::unique_ptr<page::Pages> AppService::Impl::make_pages() {
    if (!app.site) return nullptr;
    return std::make_unique<page::Pages>(page::Services{
        app, *app.site, router, identifier, system, data, shared->budget, shared->visitors,
        pages_key, base::Zone::load(app.timezone), [this] { return pay::page_origin(pay_context); },
        [this](std::string account) {
            return auth::mfa::has_factor_app(accounts, std::move(account));
        },
        [this](const Caller& caller) { return recent_place_for(caller); }});
}

// Every holder of the key gets the same document. An ended app session is refused, as on other
// routes.
Task<Done> AppService::Impl::answer_document(route::Request& request) {
    const auto caller = co_await data_services.callers.identify(request);
    if (!caller) co_return caller.error();
    document.answer(request.exchange);
    co_return Done();
}

Task<std::string> AppService::Impl::place_now(const Caller& caller) {
    const std::string cursor = co_await feed::read_cursor(system);
    co_return sealed_place(cursor, caller);
}

Task<std::string> AppService::Impl::recent_place_for(const Caller& caller) {
    const std::string cursor = co_await recent_place.cursor();
    co_return sealed_place(cursor, caller);
}

std::string AppService::Impl::sealed_place(const std::string& cursor, const Caller& caller) const {
    if (cursor.empty()) return cursor;
    return feed_cursors.seal(cursor) + feed::mark_of(caller, app.visibility);
}

}  // namespace svc::ops
