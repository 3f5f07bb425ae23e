// The background work of the one service that has it: upkeep, mails, webhooks, card payments, runs
// of workflows.
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>
#include <csignal>

#include "connector/pins.hpp"
#include "db/one_value.hpp"
#include "file/sweep.hpp"
#include "hook/sender.hpp"
#include "identity/command.hpp"
#include "ops/mailer.hpp"
#include "ops/service/impl.hpp"
#include "ops/upkeep.hpp"
#include "pay/poller.hpp"

namespace svc::ops {
namespace {

constexpr std::chrono::minutes kUpkeep{5};

}  // namespace

void AppService::keep_up() {
    // Keys, sessions and ids of streams belong to the opened database; for another database they
    // begin again.
    impl_->shared->hubs->start(impl_->io, impl_->system, impl_->judge, impl_->feed_cursors.epoch(),
                               [] { std::raise(SIGTERM); });
    asio::co_spawn(impl_->io, ops::keep_up(impl_->io, impl_->system, kUpkeep), asio::detached);
    impl_->shared->runs_now = [impl = impl_.get()] { return impl->runs_now(); };
    if (!impl_->settings.background) return;
    if (!impl_->settings.files.empty())
        asio::co_spawn(impl_->io, file::sweep(impl_->io, impl_->file_context, kUpkeep),
                       asio::detached);
    if (impl_->settings.outside)
        asio::co_spawn(impl_->io, connector::keep_pins(impl_->io, impl_->connectors, kUpkeep),
                       asio::detached);
    impl_->start_runs();
    impl_->start_sending();
}

void AppService::Impl::start_sending() {
    asio::co_spawn(io, ops::send_mails(io, system, settings, std::string(app.name), shared->mails),
                   asio::detached);
    asio::co_spawn(io,
                   hook::send_deliveries(io,
                                         {app, data, system, shared->calls, settings.secret,
                                          settings.allow_private, shared->delivered},
                                         shared->deliveries),
                   asio::detached);
    if (!settings.outside) return;
    const auto ended = [this] {
        written_by_runs();
        shared->work.notify();
    };
    asio::co_spawn(io, pay::poll_payments(io, pay_context, ended), asio::detached);
}

void AppService::Impl::start_runs() {
    engine = std::make_unique<run::Engine>(
        run::EngineContext{io, settings.system_url, system, runs, services, shared->runs,
                           [this] { written_by_runs(); }, [this] { shared->deliveries.notify(); }});
    shared->work.listen([this] { asio::post(io, [this] { engine->wake(); }); });
    engine->start();
}

void AppService::Impl::written_by_runs() {
    shared->changes.notify();
    shared->mails.notify();
}

Task<std::string> AppService::Impl::runs_now() {
    db::OneText found;
    const db::Command command =
        identity::command("svc_runs_metrics", "select svc.runs_metrics()", {}, &found);
    co_await system.run({&command, 1});
    co_return std::move(found.text).value_or("");
}

}  // namespace svc::ops
