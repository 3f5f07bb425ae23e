// screenshot: a page of the dev app as a browser shows it
#include <CLI/CLI.hpp>
#include <memory>

#include "cli/base64.hpp"
#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/files.hpp"
#include "cli/terminal.hpp"
#include "cli/words/command_tree.hpp"

namespace svc::cli {
namespace {

using json = nlohmann::json;

constexpr int kSeconds = 120;  // the browser may have to start first

struct ScreenshotOptions {
    std::string route = "/", as, file = "screenshot.png";
    int width = 0, height = 0;
    bool full_page = false, dark = false;
};

std::string body_of(const ScreenshotOptions& options) {
    json body = {{"route", options.route}};
    if (!options.as.empty()) body["as"] = options.as;
    if (options.width > 0) body["width"] = options.width;
    if (options.height > 0) body["height"] = options.height;
    if (options.full_page) body["fullPage"] = true;
    if (options.dark) body["colorScheme"] = "dark";
    return body.dump();
}

void tell(const json& answer, const std::string& file) {
    print("Wrote " + file + ".\n");
    const json overflow = answer.value("overflow", json::object());
    if (overflow.value("horizontal", false))
        print("The page is " + std::to_string(overflow.value("px", 0)) +
              " px wider than the window.\n");
    for (const json& error : answer.value("errors", json::array())) {
        if (text_of(error, "kind") == "page") continue;  // told last
        const std::string url = text_of(error, "url");
        const json message = error.value("message", json());
        print(text_of(error, "kind") + ": " +
              (message.is_string() ? printable(message.get<std::string>(), true) : "") +
              (url.empty() ? "\n" : " (" + url + ")\n"));
    }
}

// Why the picture is not of the page that was asked for; empty: it is.
std::string refusal(const json& answer) {
    for (const json& error : answer.value("errors", json::array()))
        if (text_of(error, "kind") == "page") return text_of(error, "message");
    return {};
}

int screenshot(CliContext& context, const ScreenshotOptions& options) {
    const std::string project = context.project();
    if (project.empty()) return kUsage;
    const auto answer = context.accept(
        context.call("Opening the page", {.method = "POST",
                                          .path = project_path(project, "/screenshot"),
                                          .body = body_of(options),
                                          .seconds = kSeconds}));
    if (!answer) return kRefused;
    const auto picture = base64_bytes(answer->value("png", ""));
    if (!picture) {
        context.refuse("The service answered no picture.", "BAD_ANSWER");
        return kRefused;
    }
    write_file(options.file, *picture, FileAccess::usual);
    const std::string refused = refusal(*answer);
    if (!context.wants_json()) {
        tell(*answer, options.file);
        if (!refused.empty()) context.refuse(refused, "PAGE_REFUSED");
    }
    return refused.empty() ? kDone : kRefused;
}

}  // namespace

void add_screenshot_command(CLI::App& app, Action& chosen) {
    auto options = std::make_shared<ScreenshotOptions>();
    auto* command =
        app.add_subcommand("screenshot", "Open a page of the dev app and save its picture");
    command->add_option("route", options->route, "The page's address (default /)");
    command->add_option("--as", options->as,
                        "A persona, an account's address, or guest (the default)");
    command->add_option("--width", options->width, "Width of the window in pixels (default 390)")
        ->check(CLI::Range(320, 1600));
    command->add_option("--height", options->height, "Its height (default 844)")
        ->check(CLI::Range(480, 1200));
    command->add_flag("--full-page", options->full_page, "The whole page, not only the window");
    command->add_flag("--dark", options->dark, "As a dark screen shows it");
    command->add_option("--out", options->file, "The file to write (default screenshot.png)")
        ->type_name(kFile);
    command->callback([&chosen, options] {
        chosen = [options](CliContext& context) { return screenshot(context, *options); };
    });
}

}  // namespace svc::cli
