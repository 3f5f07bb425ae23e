#include "plan/json_writer.hpp"

#include "base/json_text.hpp"

namespace svc::plan {

std::string json_list(const std::vector<std::string>& items) {
    std::string out = "[";
    for (const std::string& item : items) out += (out.size() == 1 ? "" : ",") + item;
    return out + "]";
}

JsonWriter& JsonWriter::put(std::string_view name, const std::string& value) {
    if (out_.size() > 1) out_ += ',';
    base::append_json(out_, name);
    out_ += ':' + value;
    return *this;
}

JsonWriter& JsonWriter::put_text(std::string_view name, std::string_view text) {
    return put(name, json_string(text));
}

JsonWriter& JsonWriter::put_number(std::string_view name, std::uint64_t number) {
    return put(name, std::to_string(number));
}

}  // namespace svc::plan
