// Finds components that no page shows.
#include <cctype>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "base/ascii.hpp"
#include "check/page/pages.hpp"

namespace svc::check {
namespace {

using model::Block;

bool is_letter(char c) { return base::is_alphanumeric(c) || c == '_'; }

// Every word of the sources, and which component alone says it: kSeveral where more of them do.
using Words = std::map<std::string_view, std::size_t>;
constexpr auto kSeveral = static_cast<std::size_t>(-1);

Words words(const std::vector<model::Component>& components) {
    Words out;
    for (std::size_t i = 0; i < components.size(); ++i) {
        const std::string_view source = components[i].source;
        for (std::size_t at = 0; at < source.size(); ++at) {
            const std::size_t begin = at;
            while (at < source.size() && is_letter(source[at])) ++at;
            if (at == begin) continue;
            const auto [word, fresh] = out.emplace(source.substr(begin, at - begin), i);
            if (!fresh && word->second != i) word->second = kSeveral;
        }
    }
    return out;
}

std::set<std::size_t> shown_components(const model::Model& model) {
    std::set<std::size_t> out;
    for (const model::Page& page : model.pages) {
        if (page.component) out.insert(*page.component);
        for (const Block& block : page.body) {
            if (block.component) out.insert(*block.component);
        }
    }
    return out;
}

}  // namespace

void unused_components(const model::Model& model, diag::Findings& findings) {
    const Words by_word = words(model.components);
    const std::set<std::size_t> shown = shown_components(model);
    for (std::size_t i = 0; i < model.components.size(); ++i) {
        const auto word = by_word.find(model.components[i].name);
        const bool imported = word != by_word.end() && word->second != i;
        if (imported || shown.count(i) > 0) continue;
        findings.warning("UNUSED_COMPONENT", model.components[i].path,
                         "No page uses the component \"" + model.components[i].name + "\".",
                         "use it on a page, or remove it");
    }
}

}  // namespace svc::check
