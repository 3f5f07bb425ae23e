#include "cli/app/row_history.hpp"

#include "base/percent.hpp"
#include "cli/app/envelope.hpp"
#include "cli/exit_code.hpp"
#include "cli/table.hpp"
#include "cli/terminal.hpp"
#include "cli/words/arguments.hpp"

namespace svc::cli {
namespace {

using json = nlohmann::json;

// stock: 3 → 2, or of a row that came or went all that it holds.
std::string changes_of(const json& entry) {
    const json was = entry.value("old", json()), is = entry.value("new", json());
    std::string out;
    const auto add = [&out](const std::string& text) {
        out.append(out.empty() ? "" : ", ") += text;
    };
    const json& named = is.is_object() ? is : was;
    for (const auto& [name, value] : named.items()) {
        if (name == "id" || name == "created_at" || name == "updated_at") continue;
        if (!was.is_object() || !is.is_object()) {
            if (!value.is_null()) add(printable(name) + ": " + cell_of(value));
        } else if (was.value(name, json()) != value) {
            add(printable(name) + ": " + cell_of(was.value(name, json())) + " -> " +
                cell_of(value));
        }
    }
    return out;
}

std::string who_did(const json& entry) {
    std::string actor = text_of(entry, "actor"), id = text_of(entry, "actorId");
    if (!actor.empty()) return actor;
    return id.empty() ? "-" : id;
}

}  // namespace

int show_history(CliContext& context, const HistoryOptions& options) {
    const std::string project = context.project();
    if (project.empty()) return kUsage;
    const std::string path = project_path(
        project,
        "/rows/" + base::percent_encoded(options.table) + "/" + base::percent_encoded(options.id) +
            "/history" +
            query_text(
                {{"limit", options.limit}, {"before", options.before}, {"env", options.env}}));
    const auto answer = context.accept(context.call("Asking", {.path = path}));
    if (!answer) return kRefused;
    if (context.wants_json()) return kDone;
    Table table{{"at", "event", "by", "what"}, {}, {}};
    for (const json& entry : answer->value("history", json::array())) {
        const std::string transition = text_of(entry, "transition");
        table.rows.push_back(
            {text_of(entry, "at"),
             text_of(entry, "event") + (transition.empty() ? "" : " (" + transition + ")"),
             who_did(entry), changes_of(entry)});
    }
    print(table.rows.empty() ? "This row has no recorded history.\n"
                             : layout(table, terminal_width()));
    if (answer->value("hasMore", false))
        print("There are older entries: --before " + answer->value("next", json()).dump() + "\n");
    return kDone;
}

}  // namespace svc::cli
