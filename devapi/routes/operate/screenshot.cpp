// A page of the dev app in a real browser, as one of the app's users or as a guest.
#include "apps/database/database.hpp"
#include "base/crypto.hpp"
#include "calls/environment.hpp"
#include "http/fields.hpp"
#include "platform/mail/outbox.hpp"
#include "routes/app_url.hpp"
#include "routes/routes.hpp"

namespace svc::devapi {
namespace {

constexpr int kUsualWidth = 390, kUsualHeight = 844;
constexpr const char* kGuest = "guest";

struct ScreenshotRequest {
    std::string route = "/", as = kGuest;
    int width = kUsualWidth, height = kUsualHeight;
    bool full_page = false, as_image = false, dark = false;
};

bool is_route(const std::string& route) {
    return route.starts_with('/') && route.find_first_of("\\ \t\r\n") == std::string::npos;
}

// None: answered 400.
std::optional<ScreenshotRequest> wanted_screenshot(const Request& request, Response& response) {
    Fields fields(request);
    ScreenshotRequest out;
    out.route = fields.text("route", 1, 2000).value_or("/");
    if (!is_route(out.route)) fields.wrong("route", "Must be a path of the app, such as /orders.");
    out.as = fields.text("as", 1, 254).value_or(kGuest);
    out.width = fields.integer("width", 320, 1600).value_or(kUsualWidth);
    out.height = fields.integer("height", 480, 1200).value_or(kUsualHeight);
    out.full_page = fields.boolean("fullPage").value_or(false);
    const std::string scheme = fields.text("colorScheme", 1, 20).value_or("light");
    out.dark = scheme == "dark";
    if (!out.dark && scheme != "light") fields.wrong("colorScheme", "Must be light or dark.");
    const std::string format = query_value(request.query, "format");
    out.as_image = format == "png";
    if (!format.empty() && format != "png" && format != "json")
        fields.wrong("format", "Must be png or json.");
    if (!fields.good(response)) return std::nullopt;
    return out;
}

// The address that signs in; empty for a guest. None: the call was answered.
std::optional<std::string> sign_in_link(const ScreenshotRequest& wanted,
                                        const std::string& database, const std::string& app,
                                        Response& response) {
    if (wanted.as == kGuest) return "";
    const auto link = make_demo_link(database, wanted.as);
    if (link) return magic_link(app, link->token);
    bad_parameter(response, "as",
                  "Must be guest, a persona of the app or the e-mail address of an account.");
    return std::nullopt;
}

json asked(const Config& config, const ScreenshotRequest& wanted, const std::string& app,
           const std::string& link) {
    std::string host = config.listen_host();
    if (host.empty() || host == "0.0.0.0" || host == "*") host = "127.0.0.1";
    if (host == "[::]") host = "[::1]";
    if (host.starts_with('[')) host = host.substr(1, host.size() - 2);
    return {{"url", app + wanted.route},
            {"link", link},
            {"service", {{"host", host}, {"port", std::stoi(config.listen_port())}}},
            {"width", wanted.width},
            {"height", wanted.height},
            {"fullPage", wanted.full_page},
            {"colorScheme", wanted.dark ? "dark" : "light"}};
}

void send_picture(const json& taken, bool as_image, Response& response) {
    if (!as_image)
        return response.send(200, {{"png", taken.at("png")},
                                   {"errors", taken.at("errors")},
                                   {"overflow", taken.at("overflow")},
                                   {"text", taken.at("text")},
                                   {"ms", taken.at("ms")}});
    response.content_type = "image/png";
    response.body = base::base64_decoded(taken.at("png").get<std::string>()).value_or("");
}

void screenshot(Context& context, const Request& request, Response& response) try {
    const auto wanted = wanted_screenshot(request, response);
    if (!wanted) return;
    const std::string database = database_of(context, request, Env::dev, response);
    if (database.empty()) return;
    if (const std::string lack = context.browser.missing(); !lack.empty())
        return response.refuse(Code::unavailable, lack);
    const std::string app = preview_url(context.config, request.project->slug);
    const auto link = sign_in_link(*wanted, database, app, response);
    if (!link) return;
    const json taken = context.browser.take(asked(context.config, *wanted, app, *link));
    send_picture(taken, wanted->as_image, response);
} catch (const NoPicture& error) {
    response.refuse(Code::unavailable, error.what());
}

}  // namespace

void bind_screenshot(RouteTable& table) {
    Route route{"POST", "/projects/:id/screenshot", Need::any, Role::viewer, screenshot};
    route.reads = true;
    table.add(route, {"format"});
}

}  // namespace svc::devapi
