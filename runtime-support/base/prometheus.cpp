#include "base/prometheus.hpp"

#include <charconv>

namespace svc::base {
namespace {

void append_label(std::string& out, std::string_view value) {
    for (const char c : value) {
        if (c == '\n') {
            out += "\\n";
            continue;
        }
        if (c == '"' || c == '\\') out += '\\';
        out += c;
    }
}

}  // namespace

void Prometheus::family(Kind kind, std::string_view name, std::string_view help) {
    name_ = name;
    text_.append("# HELP ").append(name).append(" ").append(help).append("\n# TYPE ").append(name);
    text_ += kind == Kind::counter ? " counter\n" : " gauge\n";
}

void Prometheus::sample(double value, const Labels& labels) {
    text_ += name_;
    for (std::size_t i = 0; i < labels.size(); ++i) {
        text_.append(i == 0 ? "{" : ",").append(labels[i].first).append("=\"");
        append_label(text_, labels[i].second);
        text_ += '"';
    }
    if (!labels.empty()) text_ += '}';
    char number[32];
    const auto end = std::to_chars(number, number + sizeof number, value).ptr;
    text_.append(" ").append(number, end).append("\n");
}

}  // namespace svc::base
