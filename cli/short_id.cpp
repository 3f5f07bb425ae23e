#include "cli/short_id.hpp"

#include <set>

namespace svc::cli {
namespace {

using json = nlohmann::json;

constexpr std::size_t kWholeId = 36, kShortestId = 4;
constexpr std::size_t kNamed = 5;  // of several that fit

bool may_be_short(const std::string& given) {
    return given.size() >= kShortestId && given.size() < kWholeId;
}

std::set<std::string> ids_that_fit(const CliContext& context, const std::string& given,
                                   const IdList& list) {
    std::set<std::string> out;
    for (const auto& path : list.paths) {
        const Reply reply = context.call("Asking", {.path = path});
        const json answer = json::parse(reply.body, nullptr, false);
        if (!reply.ok() || !answer.is_object()) continue;
        for (const json& entry : answer.value(list.member, json::array())) {
            const std::string id = text_of(entry, list.key.c_str());
            const bool named = !list.name.empty() && text_of(entry, list.name.c_str()) == given;
            if (named || id == given || (may_be_short(given) && id.starts_with(given)))
                out.insert(id);
        }
    }
    return out;
}

void refuse_several(const CliContext& context, const std::string& given, const IdList& list,
                    const std::set<std::string>& fitting) {
    std::string named;
    std::size_t count = 0;
    for (const auto& id : fitting)
        if (++count <= kNamed) named += (named.empty() ? "" : ", ") + id;
    if (count > kNamed) named += " and " + std::to_string(count - kNamed) + " more";
    const std::string which =
        list.name.empty() ? "Several ids of a " + list.what + " begin with \"" + given + "\""
                          : "Several " + list.what + "s have the name \"" + given +
                                "\" or an id that begins with it";
    context.refuse(which + ": " + named +
                       (list.name.empty() ? ". Give more characters." : ". Give the id of one."),
                   "BAD_REQUEST");
}

}  // namespace

std::optional<std::string> whole_id(const CliContext& context, const std::string& given,
                                    const IdList& list) {
    if (list.name.empty() && !may_be_short(given)) return given;
    const auto fitting = ids_that_fit(context, given, list);
    if (fitting.empty()) return given;
    if (fitting.size() == 1) return *fitting.begin();
    refuse_several(context, given, list, fitting);
    return std::nullopt;
}

}  // namespace svc::cli
