#include "ops/service/app_service.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

#include "ops/service/impl.hpp"
#include "ops/upkeep.hpp"

namespace svc::ops {
namespace {

constexpr std::chrono::seconds kKeysPause{5};

db::PoolSettings pool(const std::string& url, unsigned connections) {
    db::PoolSettings settings;
    settings.url = url;
    settings.connections = connections;
    return settings;
}

// Pages ask the routes as a browser does.
std::shared_ptr<const AppKey> make_pages_key(const App& app, bool tools) {
    if (!app.site) return nullptr;
    AppKey key;
    key.id = identity::kOwnPagesId;
    key.kind = KeyKind::browser;
    if (!tools) key.tools.emplace();
    return std::make_shared<const AppKey>(std::move(key));
}

// Everyone who can open a page can call what its scripts call, and models cost money. So in an app
// without components, no call without a key reaches models or other services.
bool scripts_call_tools(const App& app) { return app.site && app.site->scripts; }

}  // namespace

AppService::Impl::Impl(asio::io_context& io, const App& app, const Settings& given,
                       HandOff hand_off)
    : io(io),
      app(app),
      settings(given),
      hand_off(std::move(hand_off)),
      data(io, pool(given.data_url, given.data_connections)),
      system(io, pool(given.system_url, given.system_connections)),
      runs(io, pool(given.system_url, 1)),
      shared(ops::shared_by(given)),
      pages_key(make_pages_key(app, true)),
      scripts_key(make_pages_key(app, scripts_call_tools(app))),
      gate(keys, shared->budget, given.env, {scripts_key, given.hosts}),
      identifier(io, app, system),
      accounts{app, settings, identifier, system, shared->throttles, shared->outside},
      cursors(given.secret, "cursor"),
      tickets(given.secret, given.project + "/" + name(given.env)),
      data_services{app,
                    data,
                    {app, identifier},
                    cursors,
                    [this](const Caller& caller) { return place_now(caller); },
                    given.files.empty() ? nullptr : &tickets},
      publish_context{app, data, {app, identifier}, shared->changes, shared->hubs->counts()},
      feed_cursors(given.secret),
      recent_place(shared->changes, [this] { return feed::read_cursor(system); }),
      judge(app, feed_cursors, data, shared->hubs->counts()),
      handover(given.secret),
      subscribe_context{
          app,
          {app, identifier},
          feed_cursors,
          shared->hubs,
          {{io, feed_cursors, handover, judge, system, keys, identifier.sessions()}, shared->hubs},
          given.streams},
      pay_context{data,
                  system,
                  {app, identifier},
                  shared->calls,
                  shared->payments,
                  given.secret,
                  given.allow_private,
                  {given.origin, given.hosts, given.project},
                  given.outside},
      receive_context{
          system,
          shared->hook_calls,
          given.secret,
          given.project,
          {"card", [this](http::Exchange& e) { return pay::take_card_event(pay_context, e); }}},
      notification_context{data, {app, identifier}},
      file_context{app,     data,          system, {app, identifier}, gate, given.files, given.env,
                   tickets, shared->files, io,     shared->calls},
      http_step({system, settings.secret, settings.allow_private, shared->calls}),
      ai_context{{io, app, system, shared->models},
                 settings.secret,
                 settings.allow_private,
                 shared->calls,
                 settings.outside,
                 {app, identifier}},
      connectors{
          {io, system, settings.secret, settings.allow_private, shared->calls, settings.outside},
          connector::read_connectors(app.connectors),
          shared->connectors,
          {app, identifier}},
      run_context{app, system, {app, identifier}, services},
      document(app.openapi),
      router(endpoints()),
      pages(make_pages()),
      seen(given.requests) {}

AppService::AppService(asio::io_context& io, const App& app, const Settings& settings,
                       HandOff hand_off)
    : impl_(std::make_unique<Impl>(io, app, settings, std::move(hand_off))) {}

AppService::~AppService() = default;

Task<> AppService::open() {
    impl_->system.begin();
    co_await impl_->data.open();
    co_await impl_->system.open();
    co_await reload_keys();
    if (!impl_->feed_cursors.has_epoch()) {
        impl_->feed_cursors.set_epoch(co_await feed::read_epoch(impl_->system));
        impl_->subscribe_context.stream_sets.start();
    }
    asio::co_spawn(impl_->io, ops::keep_keys(impl_->io, impl_->system, impl_->keys, kKeysPause),
                   asio::detached);
}

Task<> AppService::reload_keys() { co_await impl_->keys.reload(impl_->system); }

Task<> AppService::leave() {
    if (impl_->engine) co_await impl_->engine->leave();
}

void AppService::hand_off(http::Connection connection) { impl_->hand_off(std::move(connection)); }

}  // namespace svc::ops
