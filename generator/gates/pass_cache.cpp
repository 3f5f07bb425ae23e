#include "gates/pass_cache.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include "base/sha256.hpp"

namespace svc::gates {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostMarks = 20'000;

// No part can be taken for another.
void add(std::string& text, const std::string& part) {
    text += std::to_string(part.size()) + ":" + part;
}

std::string client_text(const Job& job) {
    std::string out;
    for (const auto& [name, text] : job.client) {
        add(out, name);
        add(out, text);
    }
    return out;
}

std::string uses_text(const Job& job) {
    std::string out;
    for (const ComponentUse& use : job.uses) {
        add(out, use.component);
        add(out, std::to_string(use.props.size()));
        for (const Prop& prop : use.props)
            for (const std::string* part : {&prop.name, &prop.json, &prop.type}) add(out, *part);
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
    : folder_(cache + "/components") {
    const std::string common = made + client_text(job);
    std::map<std::string, std::size_t> at;
    for (std::size_t i = 0; i < job.components.size(); ++i) at[job.components[i].name] = i;
    std::vector<std::vector<std::size_t>> imports;
    for (const Component& component : job.components) imports.push_back(named(component, at));
    std::string all;
    for (std::size_t i = 0; i < job.components.size(); ++i) {
        std::string text = common;
        add(text, job.components[i].sample);
        for (const std::size_t part : reached(i, imports)) {
            add(text, job.components[part].name);
            add(text, job.components[part].source);
        }
        keys_.push_back(base::sha256_hex(text));
        known_.push_back(known(keys_.back()));
        all += keys_.back();
    }
    whole_ = base::sha256_hex(all + uses_text(job));
}

bool PassCache::known(const std::string& key) const { return fs::exists(folder_ + "/" + key); }

void PassCache::mark(const std::string& key) const { std::ofstream(folder_ + "/" + key).close(); }

// Forgetting costs a run of the gates, and nothing else.
void PassCache::make_room() const {
    const auto count = std::distance(fs::directory_iterator(folder_), fs::directory_iterator());
    if (static_cast<std::size_t>(count) <= kMostMarks) return;
    for (const auto& entry : fs::directory_iterator(folder_)) {
        std::error_code ignored;
        fs::remove(entry.path(), ignored);
    }
}

void PassCache::store() const {
    fs::create_directories(folder_);
    make_room();
    for (const std::string& key : keys_) mark(key);
    mark(whole_);
}

}  // namespace svc::gates
