#include "cli/app/entry.hpp"

#include <cstdio>

#include "cli/app/envelope.hpp"
#include "cli/context.hpp"
#include "cli/table.hpp"
#include "cli/terminal.hpp"

namespace svc::cli {
namespace {

using json = nlohmann::json;

// "low_stock 019a2b3c tell succeeded"; also for a run without a step.
std::string run_line(const json& entry) {
    const std::string attempt = cell_of(entry.value("attempt", json()));
    std::string out = text_of(entry, "at") + "  " + text_of(entry, "workflow") + " " +
                      text_of(entry, "run") + "  ";
    if (const auto step = text_of(entry, "step"); !step.empty()) out += step + " ";
    out += text_of(entry, "status");
    if (attempt != "" && attempt != "1") out += " (attempt " + attempt + ")";
    const std::string error = text_of(entry, "error");
    return error.empty() ? out : out + ": " + error;
}

// "workflow action crm/find  done 200  12 ms"; what a service said stands at its end.
std::string call_line(const json& entry) {
    const std::string http = cell_of(entry.value("http", json())), error = text_of(entry, "error");
    return text_of(entry, "at") + "  " + text_of(entry, "source") + " " + text_of(entry, "does") +
           " " + text_of(entry, "target") + "  " + text_of(entry, "status") +
           (http.empty() ? "" : " " + http) + "  " + duration(entry.value("ms", 0.0)) +
           (error.empty() ? "" : ": " + error);
}

std::string entry_line(const json& entry) {
    const std::string kind = text_of(entry, "kind"), at = text_of(entry, "at");
    if (kind == "request")
        return at + "  " + text_of(entry, "method") + " " + text_of(entry, "path") + "  " +
               cell_of(entry.value("status", json())) + "  " + duration(entry.value("ms", 0.0));
    if (kind == "message")
        return at + "  " + text_of(entry, "topic") + "  " + cell_of(entry.value("payload", json()));
    if (kind == "event") {
        const json& row = entry.value("new", json()).is_null() ? entry["old"] : entry["new"];
        const std::string transition = text_of(entry, "transition");
        return at + "  " + text_of(entry, "table") + " " + text_of(entry, "event") +
               (transition.empty() ? "" : " by " + transition) + "  " + cell_of(row);
    }
    if (kind == "call") return call_line(entry);
    if (kind == "run" || kind == "step") return run_line(entry);
    json rest = entry;
    for (const char* shown : {"at", "kind", "level", "event"}) rest.erase(shown);
    return at + "  " + text_of(entry, "level") + " " + text_of(entry, "event") + "  " +
           cell_of(rest);
}

}  // namespace

void print_entry(const json& entry) {
    const std::string line = entry_line(entry);
    const std::size_t width = terminal_width();
    print((width == 0 ? line : fitted(line, width)) + "\n");
    std::fflush(stdout);
}

}  // namespace svc::cli
