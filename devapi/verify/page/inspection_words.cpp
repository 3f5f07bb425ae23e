#include "verify/page/inspection_words.hpp"

#include <algorithm>

#include "base/app_paths.hpp"
#include "verify/app/server.hpp"

namespace svc::devapi::verification {
namespace {

using ordered = nlohmann::ordered_json;

// The message of an error and its place. The rest of a stack says little of a minified script.
std::string beginning(const std::string& text) {
    const auto first = text.find('\n');
    if (first == text.npos) return text;
    const auto place = text.find_first_not_of(" \t", first + 1);
    if (place == text.npos) return text.substr(0, first);
    return text.substr(0, first) + " " + text.substr(place, text.find('\n', place) - place);
}

// An author knows paths, not the host of the clone.
std::string without_host(std::string text) {
    const std::string host = "http://" + std::string(kBrowserHost);
    for (auto at = text.find(host); at != text.npos; at = text.find(host, at))
        text.erase(at, host.size());
    return text;
}

// Uploaded files stay behind when dev is cloned.
bool is_of_a_file(const ordered& error) {
    return without_host(error.value("url", ""))
        .starts_with(std::string(base::kApiPath) + "/files/");
}

bool counts(const ordered& error, bool reaches_all) {
    const std::string kind = error.value("kind", "");
    if (kind == "refused") return false;  // other hosts, which no page of the clone reaches
    return kind != "request" || (reaches_all && !is_of_a_file(error));
}

std::string begins(const std::string& kind) {
    if (kind == "exception") return "a script fails: ";
    if (kind == "console") return "the console has an error: ";
    if (kind == "request") return "a request fails: ";
    return "";
}

std::string of_error(const ordered& error) {
    std::string out =
        begins(error.value("kind", "")) + without_host(beginning(error.value("message", "")));
    if (const std::string url = without_host(error.value("url", "")); !url.empty())
        out += " (" + url + ")";
    return out;
}

std::string of_axe(const ordered& finding) {
    const std::string component = finding.value("component", "");
    return "axe finds " + finding.value("rule", "") + " at " + finding.value("selector", "") +
           ": " + finding.value("help", "") + "." +
           (component.empty() ? "" : " The element is in " + component + ".tsx.");
}

}  // namespace

std::vector<std::string> findings_of(const Inspection& inspected, bool reaches_all) {
    const std::string page =
        "The page " + inspected.path + ", opened by " + inspected.visitor + " at ";
    std::vector<std::string> out;
    const auto add = [&](const ordered& one, const std::string& words) {
        const bool dark = one.value("scheme", "") == "dark";
        out.push_back(page + std::to_string(one.value("width", 0)) + " px" +
                      (dark ? ", dark: " : ": ") + words);
    };
    for (const ordered& error : inspected.answer.value("errors", ordered::array()))
        if (counts(error, reaches_all)) add(error, of_error(error));
    for (const ordered& finding : inspected.answer.value("axe", ordered::array()))
        add(finding, of_axe(finding));
    return out;
}

}  // namespace svc::devapi::verification
