#include "gates/pass_cache.hpp"

#include <map>
#include <set>

#include "base/sha256.hpp"

namespace svc::gates {
namespace {

using build::add_part;

std::string client_text(const Job& job) {
    std::string out;
    for (const auto& [name, text] : job.client) {
        add_part(out, name);
        add_part(out, text);
    }
    return out;
}

std::string uses_text(const Job& job) {
    std::string out;
    for (const ComponentUse& use : job.uses) {
        add_part(out, use.component);
        add_part(out, std::to_string(use.props.size()));
        for (const Prop& prop : use.props)
            for (const std::string* part : {&prop.name, &prop.json, &prop.type})
                add_part(out, *part);
    }
    return out;
}

// The components whose file it may import, because it has their name after "./". Too many do no
// harm.
std::vector<std::size_t> named(const Component& component,
                               const std::map<std::string, std::size_t>& at) {
    std::vector<std::size_t> out;
    const std::string& text = component.source;
    for (auto place = text.find("./"); place != text.npos; place = text.find("./", place + 2)) {
        const auto end = text.find_first_of("\"'`", place + 2);
        if (end == text.npos) break;
        const auto found = at.find(text.substr(place + 2, end - place - 2));
        if (found != at.end()) out.push_back(found->second);
    }
    return out;
}

std::set<std::size_t> reached(std::size_t from,
                              const std::vector<std::vector<std::size_t>>& imports) {
    std::set<std::size_t> out{from};
    std::vector<std::size_t> next{from};
    while (!next.empty()) {
        const std::size_t at = next.back();
        next.pop_back();
        for (const std::size_t other : imports[at])
            if (out.insert(other).second) next.push_back(other);
    }
    return out;
}

}  // namespace

PassCache::PassCache(const std::string& cache, const Job& job, const std::string& made)
    : marks_(cache + "/components") {
    const std::string common = made + client_text(job);
    std::map<std::string, std::size_t> at;
    for (std::size_t i = 0; i < job.components.size(); ++i) at[job.components[i].name] = i;
    std::vector<std::vector<std::size_t>> imports;
    for (const Component& component : job.components) imports.push_back(named(component, at));
    std::string all;
    for (std::size_t i = 0; i < job.components.size(); ++i) {
        std::string text = common;
        add_part(text, job.components[i].sample);
        for (const std::size_t part : reached(i, imports)) {
            add_part(text, job.components[part].name);
            add_part(text, job.components[part].source);
        }
        keys_.push_back(base::sha256_hex(text));
        known_.push_back(marks_.has(keys_.back()));
        all += keys_.back();
    }
    whole_ = base::sha256_hex(all + uses_text(job));
}

void PassCache::store() const {
    std::vector<std::string> all = keys_;
    all.push_back(whole_);
    marks_.add(all);
}

}  // namespace svc::gates
