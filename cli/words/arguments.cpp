#include "cli/words/arguments.hpp"

#include <CLI/CLI.hpp>
#include <iostream>
#include <iterator>

#include "base/percent.hpp"
#include "cli/files.hpp"

namespace svc::cli {

using json = nlohmann::json;

CLI::App* take_environment(CLI::App* command, std::string& env) {
    command->add_option("--env", env, "dev or prod")->check(CLI::IsMember({"dev", "prod"}));
    return command;
}

std::optional<json> json_argument(const CliContext& context, const std::string& given,
                                  const char* name) {
    std::string text = given;
    if (given == "@-") {
        text.assign(std::istreambuf_iterator<char>(std::cin), {});
    } else if (given.starts_with('@')) {
        const auto file = read_file(given.substr(1));
        if (!file) {
            context.refuse("There is no file \"" + given.substr(1) + "\" (" + name + ").",
                           "BAD_REQUEST");
            return std::nullopt;
        }
        text = *file;
    }
    json value = json::parse(text, nullptr, false);
    if (!value.is_discarded()) return value;
    context.refuse(std::string(name) + " is not valid JSON. Write JSON, or @file.", "BAD_REQUEST");
    return std::nullopt;
}

std::string query_text(std::initializer_list<std::pair<const char*, std::string>> parameters) {
    std::string out;
    for (const auto& [name, value] : parameters)
        if (!value.empty())
            out.append(out.empty() ? "?" : "&")
                .append(name)
                .append("=" + base::percent_encoded(value));
    return out;
}

}  // namespace svc::cli
