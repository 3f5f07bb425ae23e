#include "cli/short_id.hpp"

#include <set>

namespace svc::cli {
namespace {

using json = nlohmann::json;

constexpr std::size_t kWholeId = 36, kShortestId = 4;
constexpr std::size_t kNamed = 5;  // of several that fit

std::set<std::string> ids_that_begin(const Session& session, const std::string& start,
                                     const IdList& list) {
    std::set<std::string> out;
    for (const auto& path : list.paths) {
        const Reply reply = session.call("Asking", {.path = path});
        const json answer = json::parse(reply.body, nullptr, false);
        if (!reply.ok() || !answer.is_object()) continue;
        for (const json& entry : answer.value(list.member, json::array()))
            if (const auto id = text_of(entry, list.key.c_str()); id.starts_with(start))
                out.insert(id);
    }
    return out;
}

}  // namespace

std::optional<std::string> whole_id(const Session& session, const std::string& given,
                                    const IdList& list) {
    if (given.size() >= kWholeId || given.size() < kShortestId) return given;
    const auto fitting = ids_that_begin(session, given, list);
    if (fitting.empty()) return given;
    if (fitting.size() == 1) return *fitting.begin();
    std::string named;
    std::size_t count = 0;
    for (const auto& id : fitting)
        if (++count <= kNamed) named += (named.empty() ? "" : ", ") + id;
    if (count > kNamed) named += " and " + std::to_string(count - kNamed) + " more";
    session.refuse("Several ids of a " + list.what + " begin with \"" + given + "\": " + named +
                       ". Give more of it.",
                   "BAD_REQUEST");
    return std::nullopt;
}

}  // namespace svc::cli
