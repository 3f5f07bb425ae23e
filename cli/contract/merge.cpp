#include "cli/contract/merge.hpp"

#include "cli/contract/base_version.hpp"
#include "cli/files.hpp"
#include "cli/json_text.hpp"

namespace svc::cli {
namespace {

using json = nlohmann::json;

// True if the file has the live contract unchanged, so later it has no changes of its own.
bool is_live_text(const CliContext& context, const std::string& project, const std::string& text) {
    const Reply reply =
        context.call("Comparing", {.path = project_path(project, "/contract") + "?seeds=1"});
    return reply.ok() && contract_text(reply.body) == text;
}

}  // namespace

MergeResult merge_file(CliContext& context, const std::string& project, const ContractFile& file,
                       std::int64_t base, const std::string& prefer) {
    MergeResult result;
    json beside = {{"baseVersion", base}};
    if (!prefer.empty()) beside["prefer"] = prefer;
    result.reply = context.call("Merging", {.method = "POST",
                                            .path = project_path(project, "/contract/merge"),
                                            .body = contract_body(file, beside)});
    if (!result.reply.ok()) return result;
    result.answer = json::parse(result.reply.body, nullptr, false);
    if (!result.answer.is_object()) return result;
    if (result.answer.value("contract", json()).is_null()) {
        result.end = MergeOutcome::conflicts;
        return result;
    }
    const std::string text = contract_text(result.reply.body);
    write_file(file.name, text, FileAccess::usual);
    remember_base(project, file.name, result.answer.value("version", std::int64_t{0}));
    result.own = !is_live_text(context, project, text);
    if (!result.own) write_file(kPulled, text, FileAccess::usual);
    result.end = MergeOutcome::merged;
    return result;
}

}  // namespace svc::cli
