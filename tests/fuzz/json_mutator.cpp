// Mutates contracts as trees: what comes out is JSON again, so that most runs reach names, types
// and expressions instead of ending at a comma. One in five is left to libFuzzer's own bytes.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

namespace {

using Json = nlohmann::ordered_json;

class Mutator {
  public:
    Mutator(Json& root, unsigned seed) : random_(seed) { collect(root); }

    void run() {
        for (std::size_t n = 1 + pick(3); n > 0; --n) once(*nodes_[pick(nodes_.size())]);
    }

  private:
    void collect(Json& node) {
        nodes_.push_back(&node);
        for (auto& child : node) {
            if (node.is_structured()) collect(child);
        }
    }

    std::size_t pick(std::size_t count) { return random_() % count; }

    // Pointers into a container that was changed are not used again: one change a node, and only
    // values are replaced or added at the end.
    void once(Json& node) {
        switch (pick(4)) {
            case 0:
                if (node.is_string()) return text(node);
                break;
            case 1:
                if (node.is_array() && !node.empty()) return again(node);
                break;
            case 2:
                if (node.is_object() && !node.empty()) return member(node);
                break;
            default:
                break;
        }
        if (node.is_primitive()) scalar(node);
    }

    void text(Json& node) {
        std::string text = node.get<std::string>();
        const std::size_t size = text.size();
        text.resize(size + 64);
        text.resize(
            LLVMFuzzerMutate(reinterpret_cast<std::uint8_t*>(text.data()), size, text.size()));
        node = text;
    }

    void scalar(Json& node) {
        const Json& other = originals_[pick(originals_.size())];
        const Json* from = nodes_[pick(nodes_.size())];
        node = from->is_primitive() && pick(3) > 0 ? Json(*from) : other;
    }

    void again(Json& node) {
        if (pick(2) == 0) {
            node = Json::array();
        } else {
            Json item = node[pick(node.size())];
            Json list = node;
            list.push_back(std::move(item));
            node = std::move(list);
        }
        nodes_.assign(1, &node);
    }

    void member(Json& node) {
        std::vector<std::string> names;
        for (const auto& [name, value] : node.items()) names.push_back(name);
        const std::string& name = names[pick(names.size())];
        if (pick(2) == 0) {
            node.erase(name);
        } else {
            node[name + (pick(2) == 0 ? "" : "x")] = originals_[pick(originals_.size())];
        }
        nodes_.assign(1, &node);
    }

    std::minstd_rand random_;
    std::vector<Json*> nodes_;
    const std::vector<Json> originals_ = {nullptr,
                                          true,
                                          false,
                                          0,
                                          -1,
                                          1e308,
                                          "",
                                          "*",
                                          "id",
                                          Json::array(),
                                          Json::object(),
                                          "@a",
                                          "user_id == user.id",
                                          "parent:order_id",
                                          "{new.id}",
                                          "secret:A",
                                          "999999999999999999999"};
};

std::size_t written(const Json& json, std::uint8_t* data, std::size_t max_size) {
    const std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
    if (text.size() > max_size) return 0;
    std::memcpy(data, text.data(), text.size());
    return text.size();
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t max_size, unsigned seed) {
    if (seed % 5 != 0) {
        Json json = Json::parse(data, data + size, nullptr, false);
        if (!json.is_discarded()) {
            Mutator(json, seed).run();
            if (const std::size_t length = written(json, data, max_size)) return length;
        }
    }
    return LLVMFuzzerMutate(data, size, max_size);
}
