#include "cli/app/listing.hpp"

#include "cli/app/envelope.hpp"
#include "cli/exit_code.hpp"
#include "cli/table.hpp"
#include "cli/terminal.hpp"
#include "cli/words/arguments.hpp"

namespace svc::cli {
namespace {

using json = nlohmann::json;

}  // namespace

std::string limit_text(int limit) { return limit == 0 ? "" : std::to_string(limit); }

void print_list(const json& answer, const char* member, const std::vector<std::string>& columns) {
    Table table{columns, {}, {}};
    for (const json& entry : answer.value(member, json::array())) {
        auto& cells = table.rows.emplace_back();
        for (const auto& column : columns) cells.push_back(cell_of(entry.value(column, json())));
    }
    print(table.rows.empty() ? "" : layout(table, terminal_width()));
    if (const auto note = text_of(answer, "note"); !note.empty()) print(note + "\n");
}

// A GET of a path below the project; its answer, if it is one and is to be shown.
int show(CliContext& context, const std::string& rest,
         const std::function<void(const json&)>& how) {
    const std::string project = context.project();
    if (project.empty()) return kUsage;
    const auto answer =
        context.accept(context.call("Reading", {.path = project_path(project, rest)}));
    if (!answer) return kRefused;
    if (!context.wants_json()) how(*answer);
    return kDone;
}

int send(CliContext& context, const std::string& rest, const json& body,
         const std::function<void(const json&)>& how) {
    const std::string project = context.project();
    if (project.empty()) return kUsage;
    const auto answer = context.accept(context.call(
        "Asking", {.method = "POST", .path = project_path(project, rest), .body = body.dump()}));
    if (!answer) return kRefused;
    if (!context.wants_json()) how(*answer);
    return kDone;
}

}  // namespace svc::cli
