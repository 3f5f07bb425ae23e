// Components of a contract: their names and their sources.
#include <algorithm>
#include <map>

#include "base/ascii.hpp"
#include "contract/read/reader.hpp"
#include "model/names.hpp"
#include "model/parts.hpp"
#include "model/values.hpp"

namespace svc::model {
namespace {

constexpr std::size_t kMaxComponents = 500;
constexpr std::size_t kMaxSource = 200'000;  // characters
constexpr std::size_t kMaxSourceBytes = 262'144;

void bad_component(Work work, const contract::Text& at, const std::string& message,
                   const std::string& fix) {
    work.findings.error("BAD_COMPONENT", at.path, message, fix);
}

void component(Work work, const contract::Component& in) {
    const std::string& source = in.source.text;
    const std::string& name = in.name.text;
    if (is_blank(source)) {
        return bad_component(work, in.source, "The component \"" + name + "\" has no source.",
                             "write a complete TSX file");
    }
    if (length(source) > kMaxSource || source.size() > kMaxSourceBytes) {
        return bad_component(work, in.source,
                             "The source of \"" + name +
                                 "\" is longer than 200,000 characters or "
                                 "256 KB.",
                             "split it into several components");
    }
    const bool exported = source.find("export default") != std::string::npos ||
                          source.find("as default") != std::string::npos;
    if (!exported || source.find(name) == std::string::npos) {
        bad_component(work, in.source,
                      "The source of \"" + name + "\" does not export the component.",
                      "write: export default function " + name + "(props) {…}");
    }
}

}  // namespace

void resolve_components(Work work) {
    if (work.in.components.size() > kMaxComponents) {
        work.findings.error("BAD_COMPONENT", "/components", "An app has at most 500 components.",
                            "merge some of them");
    }
    std::map<std::string, std::string> folded;  // file names may not differ by case alone
    for (const contract::Component& in : work.in.components) {
        const std::string small = base::lower(in.name.text);
        const auto [other, fresh] = folded.emplace(small, in.name.text);
        if (!fresh) {
            work.findings.error(
                "NAME_TAKEN", in.name.path,
                other->second == in.name.text
                    ? "The name \"" + in.name.text + "\" is already used."
                    : "\"" + in.name.text + "\" is too similar to \"" + other->second + "\".",
                "choose another name");
        }
        component(work, in);
        work.out.components.push_back({in.name.text, in.source.text,
                                       in.sample ? contract::json_text(*in.sample) : "",
                                       in.name.path});
    }
}

std::optional<std::size_t> resolve_component(Work work, const contract::Text& name) {
    const std::vector<Component>& all = work.out.components;
    const auto found = std::find_if(all.begin(), all.end(), [&](const Component& component) {
        return component.name == name.text;
    });
    if (found != all.end()) return static_cast<std::size_t>(found - all.begin());
    std::vector<std::string> known;
    known.reserve(all.size());
    for (const Component& component : all) known.push_back(component.name);
    work.findings.missing("UNKNOWN_COMPONENT", name.text, name.path,
                          "There is no component \"" + name.text + "\".",
                          did_you_mean(name.text, known, "add it to \"components\""));
    return std::nullopt;
}

}  // namespace svc::model
