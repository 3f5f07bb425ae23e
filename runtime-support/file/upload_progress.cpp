#include "file/upload_progress.hpp"

#include <utility>

#include "identity/command.hpp"

namespace svc::file {
namespace {

constexpr std::uint64_t kStep = 4ULL * 1024 * 1024;  // bytes that nobody has counted yet, at most

constexpr std::string_view kCount =
    "select svc.count_coming($1::uuid, $2::uuid, $3::uuid, $4::bigint, $5::boolean, $6::bigint,"
    " $7::bigint)";
constexpr std::string_view kEnd = "delete from svc.file_coming where key = $1::uuid";

}  // namespace

identity::Refusal no_room() {
    return identity::refusal(Code::quota_exceeded,
                             "There is no room for this file. Delete files that nobody needs.");
}

Task<std::optional<identity::Refusal>> UploadProgress::count(std::uint64_t bytes) {
    const FileRules& rules = in_.app.files;
    if (!counts() || bytes < counted_ + kStep) co_return std::nullopt;
    TextColumns row;
    const std::string now = std::to_string(bytes), user_quota = std::to_string(rules.user_quota),
                      quota = std::to_string(rules.project_quota);
    const db::Param params[] = {
        upload_.key, upload_.file, upload_.owner, now, upload_.apart ? "true" : "false",
        user_quota,  quota};
    const db::Command command = identity::command("svc_count_coming", kCount, params, &row);
    const db::Outcome outcome = co_await in_.system.run({&command, 1});
    if (!outcome.ok) co_return identity::refusal(outcome);
    if (row.values.at(0) != "t") co_return no_room();
    counted_ = bytes;
    any_ = true;
    co_return std::nullopt;
}

// If this fails, the upkeep removes them a day later.
Task<> UploadProgress::end() {
    if (!std::exchange(any_, false)) co_return;
    const db::Param params[] = {upload_.key};
    const db::Command command = identity::command("svc_end_coming", kEnd, params);
    co_await in_.system.run({&command, 1});
}

}  // namespace svc::file
