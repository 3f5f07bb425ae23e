#include <set>

#include "model/parts.hpp"

namespace svc::model {

contract::Texts distinct(Work work, const contract::Texts& texts) {
    contract::Texts out;
    std::set<std::string> seen;
    for (const contract::Text& text : texts) {
        if (seen.insert(text.text).second) {
            out.push_back(text);
        } else {
            work.findings.error("BAD_OPTION", text.path,
                                "\"" + text.text + "\" stands here a second time.", "take it out");
        }
    }
    return out;
}

std::vector<std::string> distinct_names(Work work, const contract::Texts& texts) {
    std::vector<std::string> out;
    for (const contract::Text& text : distinct(work, texts)) out.push_back(text.text);
    return out;
}

}  // namespace svc::model
