#include "cli/context.hpp"

#include <cstdio>
#include <filesystem>
#include <stdexcept>

#include "base/percent.hpp"
#include "cli/terminal.hpp"

namespace svc::cli {
namespace {

using json = nlohmann::json;

// {error, code?, details?: [{field, message}]}
void show_error(const json& error, int status, bool hint) {
    std::string line = text_of(error, "error");
    if (line.empty()) line = "The service answered " + std::to_string(status) + ".";
    if (const auto code = text_of(error, "code"); !code.empty()) line += " (" + code + ")";
    complain(line);
    const auto details = error.find("details");
    if (details != error.end() && details->is_array()) {
        for (const json& detail : *details) {
            const bool told = line.find(text_of(detail, "message")) != std::string::npos;
            if (told) continue;
            std::fprintf(stderr, "  %s: %s\n", text_of(detail, "field").c_str(),
                         text_of(detail, "message").c_str());
        }
    }
    if (status == 401 && hint) {
        std::fputs(
            "  Sign in with svc login, svc login --email <address> --password <password>, or svc "
            "login --token <token>.\n",
            stderr);
    }
}

}  // namespace

std::string CliContext::api() const {
    std::string url = flags_.api.empty() ? from_environment("SVC_API") : flags_.api;
    if (url.empty()) url = read_config().api;
    if (url.empty()) url = kDefaultApi;
    const auto normal = normal_api(url);
    if (!normal) {
        throw std::runtime_error("\"" + url + "\" is not the URL of a service. Write it like " +
                                 kDefaultApi + ".");
    }
    return *normal;
}

std::string CliContext::token() const {
    if (auto token = from_environment("SVC_TOKEN"); !token.empty()) return token;
    const Config config = read_config();
    return config.api == api() ? config.token : "";
}

std::string CliContext::named_project() const {
    if (!flags_.project.empty()) return flags_.project;
    if (auto project = from_environment("SVC_PROJECT"); !project.empty()) return project;
    if (const auto link = find_link(std::filesystem::current_path())) return link->project;
    return "";
}

std::string CliContext::project() const {
    if (auto project = named_project(); !project.empty()) return project;
    refuse(
        "No project was given. Link this folder with \"svc link <project-id>\" or "
        "\"svc create <name>\", or give --project <id>.",
        "BAD_REQUEST");
    return "";
}

Reply CliContext::call(const std::string& what, const Request& request) const {
    return call_as(token(), what, request);
}

Reply CliContext::call_as(const std::string& token, const std::string& what,
                          const Request& request) const {
    WaitNotice waiting(what);
    return Http(api(), token).send(request, [&waiting] { waiting.tick(); });
}

std::optional<json> CliContext::accept(const Reply& reply) const {
    if (!reply.ok()) {
        show_refusal(reply);
        return std::nullopt;
    }
    json answer = json::parse(reply.body, nullptr, false);
    if (!answer.is_object()) {
        refuse(api() + " did not answer like the service. Check --api or SVC_API.", "BAD_ANSWER");
        return std::nullopt;
    }
    if (flags_.json) print(reply.body);
    return answer;
}

void CliContext::show_refusal(const Reply& reply, bool hint) const {
    if (!reply.trouble.empty()) return refuse(reply.trouble, "UNREACHABLE");
    if (flags_.json) return print(reply.body);
    json error = json::parse(reply.body, nullptr, false);
    show_error(error.is_object() ? error : json::object(), reply.status, hint);
}

void CliContext::refuse(const std::string& sentence, const std::string& code) const {
    if (flags_.json) {
        print(json{{"error", sentence}, {"code", code}}.dump() + "\n");
    } else {
        complain(sentence);
    }
}

std::string text_of(const json& object, const char* key) {
    if (!object.is_object()) return "";
    const auto member = object.find(key);
    if (member == object.end() || !member->is_string()) return "";
    return printable(member->get_ref<const std::string&>());
}

std::string project_path(const std::string& project, const std::string& rest) {
    return "/projects/" + base::percent_encoded(project) + rest;
}

void print(const std::string& text) { std::fwrite(text.data(), 1, text.size(), stdout); }

void complain(const std::string& text) {
    std::fflush(stdout);
    const char* mark = colours(Stream::err) ? "\x1b[31msvc:\x1b[0m " : "svc: ";
    std::fprintf(stderr, "%s%s\n", mark, text.c_str());
}

}  // namespace svc::cli
