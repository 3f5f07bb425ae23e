// Settings of an app server, from its environment and command line. docs/operations.md lists them.
#pragma once

#include <string>
#include <vector>

#include "auth/settings.hpp"
#include "base/env.hpp"

namespace svc::ops {

struct Settings : auth::Settings {
    std::string listen;      // --listen host:port; empty: supervised
    std::string control;     // --control path; the line to svcd
    std::string admin;       // --admin path, or beside `control`: ops/admin.hpp; empty: none
    std::string data_url;    // SVC_DATA_URL: role that runs callers' statements
    std::string system_url;  // DATABASE_URL: role for accounts, sessions, keys
    std::string project;     // SVC_PROJECT_ID
    Env env = Env::dev;      // SVC_ENV: dev, prod or preview
    std::vector<std::string>
        hosts;  // SVC_HOSTS: hosts that are this app's alone; empty: every host is
    // SVC_PLATFORM_HOSTS: names of hosts that it shares with others, as it does every address;
    // empty: every host that is not its own
    std::vector<std::string> platform_hosts;
    unsigned io_threads = 1;          // SVC_IO_THREADS
    unsigned data_connections = 8;    // SVC_DATA_CONNECTIONS, per io thread
    unsigned system_connections = 1;  // SVC_SYSTEM_CONNECTIONS, per io thread
    unsigned rate_browser = 600;      // SVC_RATE_BROWSER, requests a minute; 0: no limit
    unsigned rate_server = 1200;      // SVC_RATE_SERVER
    unsigned rate_hook = 300;         // SVC_RATE_HOOK, unsigned calls a minute, webhook and address
    unsigned streams = 1000;          // SVC_STREAMS, open at once with a key; 0: no limit
    std::string smtp_url;  // SVC_SMTP_URL: where mail goes; the secret SMTP_URL comes first
    // SVC_ALLOW_PRIVATE_HOSTS: private hosts that the server may call; "*": any
    std::vector<std::string> allow_private;
    std::vector<std::string> trusted_proxies;  // SVC_TRUSTED_PROXIES
    // SVC_BACKGROUND: works on runs, schedules, mails and deliveries of webhooks
    bool background = true;
    // SVC_OUTSIDE: steps call other services; off: each gets an answer as if it had
    // (run/call/recorder.hpp)
    bool outside = true;
    // SVC_FILES: folder of uploaded files; empty: none are taken
    std::string files;
    unsigned rate_upload = 60;  // SVC_RATE_UPLOAD, uploads a minute of one account; 0: no limit
    std::string requests;  // SVC_REQUESTS: file that the last requests are kept in; may be empty

    // Throws std::invalid_argument that names the setting and what it takes.
    static Settings read(int argc, char** argv);
    // The text of --help.
    static std::string help();
};

}  // namespace svc::ops
