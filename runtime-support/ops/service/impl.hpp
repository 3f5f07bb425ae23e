// The parts of a service of an app server; only for its own sources.
#pragma once

#include "ai/routes.hpp"
#include "ai/steps.hpp"
#include "auth/routes.hpp"
#include "connector/routes.hpp"
#include "connector/steps.hpp"
#include "data/routes.hpp"
#include "feed/recent_place.hpp"
#include "feed/routes.hpp"
#include "file/routes.hpp"
#include "hook/routes.hpp"
#include "identity/key/gate.hpp"
#include "identity/key/key_store.hpp"
#include "identity/secret/signer.hpp"
#include "identity/user/identify.hpp"
#include "notice/routes.hpp"
#include "ops/document.hpp"
#include "ops/request_ring.hpp"
#include "ops/service/app_service.hpp"
#include "ops/shared.hpp"
#include "page/pages.hpp"
#include "pay/routes.hpp"
#include "route/router.hpp"
#include "run/call/http_step.hpp"
#include "run/call/recorder.hpp"
#include "run/engine/engine.hpp"
#include "run/route/routes.hpp"

namespace svc::ops {

struct AppService::Impl {
    Impl(asio::io_context& io, const App& app, const Settings& given, HandOff hand_off);

    // claim.cpp
    bool own_host(std::string_view host) const;
    bool shared_host(std::string_view host) const;
    // The path without /preview/<project>. A host that belongs to the app alone has no such paths,
    // because cookies there would have the plain names of shared hosts.
    std::string_view own_path(const http::Head& head) const;

    // answer.cpp. `path` is what runtime_path gives.
    void answer_options(http::Exchange& exchange, std::string_view path) const;
    Task<> answer_probe(http::Exchange& exchange, std::string_view path);
    Task<> answer_ready(http::Exchange& exchange);
    Task<> answer_seen(http::Exchange& exchange, std::string_view path);
    Task<> answer_runtime(http::Exchange& exchange, std::string_view path);
    Task<> answer_page(http::Exchange& exchange, std::string_view path);
    // `key` is set once the request was admitted.
    Task<route::Done> route(http::Exchange& exchange, std::string_view path,
                            std::shared_ptr<const AppKey>& key);
    // The key that the gate admits; null if the route needs none.
    identity::Result<std::shared_ptr<const AppKey>> admit(const http::Exchange& exchange,
                                                          route::Entry entry);

    // routes.cpp
    std::vector<route::Endpoint> endpoints();
    std::unique_ptr<page::Pages> make_pages();
    Task<route::Done> answer_document(route::Request& request);
    Task<std::string> place_now(const Caller& caller);
    Task<std::string> recent_place_for(const Caller& caller);
    std::string sealed_place(const std::string& cursor, const Caller& caller) const;

    // background.cpp
    void start_runs();
    void written_by_runs();
    void start_sending();
    Task<std::string> runs_now();

    asio::io_context& io;
    const App& app;
    const Settings settings;
    const HandOff hand_off;
    db::Pool data;    // runs callers' statements, under row-level security
    db::Pool system;  // accounts, sessions, keys
    db::Pool runs;    // steps of workflows, which may wait for locks; opened with the first
    identity::KeyStore keys;
    std::shared_ptr<ops::Shared> shared;
    // The keys of pages, which call routes inside the server, and of their scripts. Null: the app
    // has no pages.
    const std::shared_ptr<const AppKey> pages_key, scripts_key;
    identity::Gate gate;
    identity::Identifier identifier;
    const auth::Context accounts;
    const identity::Signer cursors;
    const file::Tickets tickets;
    const data::Services data_services;
    const feed::PublishContext publish_context;
    feed::CursorSealer feed_cursors;
    feed::RecentPlace recent_place;
    const feed::Judge judge;
    const feed::Handover handover;
    const feed::SubscribeContext subscribe_context;  // with the streams of this thread
    const pay::PayContext pay_context;
    const hook::ReceiveContext receive_context;
    const notice::NotificationContext notification_context;
    const file::FileContext file_context;
    run::HttpStep http_step;
    const ai::AiContext ai_context;
    ai::AiStep ai_step{ai_context};
    ai::EmbedStep embed_step{ai_context};
    connector::ConnectorContext connectors;
    connector::ConnectorStep connector_step{connectors};
    connector::McpStep mcp_step{connectors};
    run::Recorder recorder;
    const run::Services services =
        settings.outside ? run::Services{{run::ServiceKind::http, &http_step},
                                         {run::ServiceKind::ai, &ai_step},
                                         {run::ServiceKind::embed, &embed_step},
                                         {run::ServiceKind::connector, &connector_step},
                                         {run::ServiceKind::mcp, &mcp_step}}
                         : run::recorded(recorder);
    const run::RunContext run_context;
    ops::Document document;
    const route::Router router;
    const std::unique_ptr<page::Pages> pages;  // null: the app has none
    ops::RequestRing seen;
    std::unique_ptr<run::Engine> engine;  // of the one service that keeps up, in the background
};

}  // namespace svc::ops
