#include "ops/settings.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <stdexcept>
#include <string_view>

#include "base/ascii.hpp"
#include "file/s3/settings.hpp"
#include "http/request/proxy.hpp"
#include "identity/key/origin.hpp"
#include "ops/admin_path.hpp"
#include "outgoing/smtp.hpp"

namespace svc::ops {
namespace {

[[noreturn]] void refuse(std::string_view setting, std::string_view why) {
    throw std::invalid_argument(std::string(setting) + ": " + std::string(why));
}

std::string variable(const char* name) {
    const char* value = std::getenv(name);
    return value ? value : "";
}

std::string required(const char* name, std::string_view what) {
    std::string value = variable(name);
    if (value.empty()) refuse(name, "is missing; it takes " + std::string(what));
    return value;
}

void number(unsigned& out, const char* name, unsigned least, unsigned most) {
    std::string text = variable(name);
    if (text.empty()) return;
    const char* end = text.data() + text.size();
    auto [stop, error] = std::from_chars(text.data(), end, out);
    if (error == std::errc() && stop == end && out >= least && out <= most) return;
    refuse(name, "takes a whole number from " + std::to_string(least) + " to " +
                     std::to_string(most) + ", not \"" + text + "\"");
}

void on_or_off(bool& out, const char* name) {
    const std::string text = variable(name);
    if (text.empty()) return;
    if (text != "on" && text != "off") refuse(name, "takes on or off, not \"" + text + "\"");
    out = text == "on";
}

std::vector<std::string> list(const char* name) {
    std::vector<std::string> entries;
    std::string text = variable(name);
    std::string_view rest = text;
    while (!rest.empty()) {
        std::string_view entry = rest.substr(0, rest.find(','));
        rest.remove_prefix(std::min(rest.size(), entry.size() + 1));
        entry = base::trim(entry);
        if (!entry.empty()) entries.emplace_back(entry);
    }
    return entries;
}

// --name value or --name=value; false if `argument` is another one.
bool option(std::string& out, std::string_view name, int& index, int argc, char** argv) {
    std::string_view argument = argv[index];
    if (argument == name) {
        if (index + 1 == argc) refuse(name, "takes a value");
        out = argv[++index];
    } else if (argument.starts_with(name) && argument.substr(name.size()).starts_with('=')) {
        out = argument.substr(name.size() + 1);
    } else {
        return false;
    }
    if (out.empty()) refuse(name, "takes a value");
    return true;
}

void read_command_line(Settings& settings, int argc, char** argv) {
    for (int i = 1; i < argc; ++i) {
        if (option(settings.listen, "--listen", i, argc, argv)) continue;
        if (option(settings.control, "--control", i, argc, argv)) continue;
        if (option(settings.admin, "--admin", i, argc, argv)) continue;
        refuse(argv[i], "is not an option; --help lists all options");
    }
    if (settings.listen.empty() == settings.control.empty())
        refuse("--listen, --control",
               "give exactly one of them: --listen with an address to serve on, or --control with "
               "svcd's socket");
    if (settings.admin.empty() && !settings.control.empty())
        settings.admin = ops::admin_path(settings.control);
}

std::vector<std::string> lower_list(const char* name) {
    std::vector<std::string> out = list(name);
    for (std::string& entry : out) entry = base::lower(entry);
    return out;
}

Env served_env(const std::string& word) {
    const auto env = base::read_word<Env>(word);
    if (!env || env == Env::verify)
        refuse("SVC_ENV", "takes dev, prod or preview, not \"" + word + "\"");
    return *env;
}

void read_environment(Settings& settings) {
    settings.data_url =
        required("SVC_DATA_URL", "the connection URL of the role that runs callers' statements");
    settings.system_url =
        required("DATABASE_URL", "the connection URL of the role for accounts, sessions and keys");
    settings.project = variable("SVC_PROJECT_ID");
    // All processes of the app need the same secret, also after a restart.
    settings.secret = variable("SVC_SECRET");
    if (settings.secret.empty()) settings.secret = settings.system_url;
    if (std::string word = variable("SVC_ENV"); !word.empty()) settings.env = served_env(word);
    settings.smtp_url = variable("SVC_SMTP_URL");
    settings.requests = variable("SVC_REQUESTS");
    settings.files = variable("SVC_FILES");
    file::read_s3_settings();  // or throws
    on_or_off(settings.background, "SVC_BACKGROUND");
    on_or_off(settings.outside, "SVC_OUTSIDE");
    if (!settings.smtp_url.empty()) outgoing::read_mail_server(settings.smtp_url);  // or throws
    settings.origin = variable("SVC_ORIGIN");
    while (settings.origin.ends_with('/')) settings.origin.pop_back();
    if (!settings.origin.empty() && identity::normalised_origin(settings.origin).empty())
        refuse("SVC_ORIGIN",
               "takes an origin such as https://shop.example, not \"" + settings.origin + "\"");
    settings.hosts = lower_list("SVC_HOSTS");
    settings.platform_hosts = lower_list("SVC_PLATFORM_HOSTS");
    settings.allow_private = list("SVC_ALLOW_PRIVATE_HOSTS");
    settings.trusted_proxies = list("SVC_TRUSTED_PROXIES");
    for (const std::string& entry : settings.trusted_proxies) {
        if (!http::valid_proxy(entry))
            refuse("SVC_TRUSTED_PROXIES",
                   "takes addresses and networks such as 10.0.0.0/8, not \"" + entry + "\"");
    }
}

void read_numbers(Settings& settings) {
    number(settings.io_threads, "SVC_IO_THREADS", 1, 64);
    number(settings.data_connections, "SVC_DATA_CONNECTIONS", 1, 64);
    number(settings.system_connections, "SVC_SYSTEM_CONNECTIONS", 1, 64);
    number(settings.rate_browser, "SVC_RATE_BROWSER", 0, 10'000'000);
    number(settings.rate_server, "SVC_RATE_SERVER", 0, 10'000'000);
    number(settings.streams, "SVC_STREAMS", 0, 10'000'000);
    number(settings.rate_signup, "SVC_RATE_SIGNUP", 0, 10'000'000);
    number(settings.rate_login, "SVC_RATE_LOGIN", 0, 10'000'000);
    number(settings.rate_mail, "SVC_RATE_MAIL", 0, 1'000'000);
    number(settings.rate_upload, "SVC_RATE_UPLOAD", 0, 10'000'000);
    number(settings.rate_hook, "SVC_RATE_HOOK", 0, 10'000'000);
}

}  // namespace

Settings Settings::read(int argc, char** argv) {
    Settings settings;
    read_command_line(settings, argc, argv);
    read_environment(settings);
    read_numbers(settings);
    return settings;
}

std::string Settings::help() {
    return R"(options
  --listen HOST:PORT        serve without svcd, on this address
  --control PATH            serve under svcd, which connects to this socket
  --admin PATH              answer GET /metrics on this socket (under svcd: beside the control socket)
  --check                   print the hash of the contract that this server was made from
  --version                 print the app's name and the hash
  --help                    print this

environment
  SVC_DATA_URL              database URL of the role that runs callers' statements (required)
  DATABASE_URL              database URL of the role for accounts, sessions, keys (required)
  SVC_PROJECT_ID            the project's id
  SVC_SECRET                the secret that signs cursors and seals second factors (DATABASE_URL)
  SVC_ENV                   dev, prod or preview (dev)
  SVC_ORIGIN                the origin of the app's pages; links in mails lead there (none: no mails)
  SVC_SMTP_URL              mail server: smtp://user:password@host:587/?from=shop@example.com (none:
                            mails wait, unless the project has the secret SMTP_URL)
  SVC_REQUESTS              the file that keeps the latest requests (none)
  SVC_HOSTS                 hosts of this app only, separated by commas (every host)
  SVC_PLATFORM_HOSTS        hosts that it shares with other apps, where /preview/<id> or the key says
                            that a request is its own; addresses are (every host that is not its own)
  SVC_IO_THREADS            threads that serve (1)
  SVC_DATA_CONNECTIONS      database connections of a thread for data (8)
  SVC_SYSTEM_CONNECTIONS    database connections of a thread for accounts and keys (1)
  SVC_RATE_BROWSER          requests a minute with browser keys and preview tokens; 0: no limit (600)
  SVC_RATE_SERVER           requests a minute with server keys; 0: no limit (1200)
  SVC_STREAMS               streams of events that one key may have open; 0: no limit (1000)
  SVC_RATE_SIGNUP           sign-ups an hour from one address (10)
  SVC_RATE_LOGIN            failed sign-ins in 15 minutes, per account and per address (10)
  SVC_RATE_MAIL             mails an hour per account, and ten times as many per address (5)
  SVC_RATE_HOOK             calls a minute without a valid signature, per webhook and address (300)
  SVC_RATE_UPLOAD           uploads a minute of one account; 0: no limit (60)
  SVC_FILES                 folder of uploaded files (none: no uploads)
  S3_BUCKET                 bucket of an S3-compatible store that keeps them (none: the folder does)
  S3_ACCESS_KEY             id of the access key to it; with S3_SECRET_KEY
  S3_SECRET_KEY             the secret of S3_ACCESS_KEY
  S3_ENDPOINT               its address (https://s3.<region>.amazonaws.com)
  S3_REGION                 its region (us-east-1)
  S3_PATH_STYLE             on: the bucket stands in the path, off: in the host (off; on where
                            S3_ENDPOINT is an address of numbers)
  SVC_ALLOW_PRIVATE_HOSTS   private hosts that the server may call; *: any (none)
  SVC_BACKGROUND            off: works on no runs, schedules, mails and calls of webhooks (on)
  SVC_OUTSIDE               off: steps call nobody, and each is answered as if it had (on)
  SVC_TRUSTED_PROXIES       proxies whose X-Forwarded-For is believed: addresses and networks (none)
)";
}

}  // namespace svc::ops
