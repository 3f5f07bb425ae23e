#include "svc/predicate.hpp"

#include <charconv>
#include <cstdlib>

namespace svc {
namespace {

template <class T, class Read>
Maybe<T> read(const Text& text, Read how) {
    if (!text.known()) return {};
    return how(*text);
}

// {a,"b c",NULL}, nested ones flattened: PostgreSQL's = any() does not care for dimensions either.
class ArrayReader {
  public:
    explicit ArrayReader(std::string_view text) : text_(text) {}

    TagList run() {
        while (at_ < text_.size() && text_[at_] != '{') ++at_;  // [0:1]={…}
        for (; at_ < text_.size();) {
            const char c = text_[at_];
            if (c == '{' || c == '}' || c == ',') {
                ++at_;
            } else {
                element();
            }
        }
        return std::move(out_);
    }

  private:
    void element() {
        const bool quoted = text_[at_] == '"';
        at_ += quoted ? 1 : 0;
        std::string value;
        for (; at_ < text_.size(); ++at_) {
            const char c = text_[at_];
            if (quoted ? c == '"' : c == ',' || c == '}') break;
            if (c == '\\') ++at_;
            value += text_[at_];
        }
        at_ += quoted ? 1 : 0;
        ++out_.size;
        if (quoted || value != "NULL") out_.tags.push_back(std::move(value));
    }

    std::string_view text_;
    std::size_t at_ = 0;
    TagList out_;
};

bool is_nan(double value) { return value != value; }

}  // namespace

Maybe<bool> Record::boolean(unsigned column) const {
    return read<bool>(columns_[column], [](std::string_view text) {
        return Maybe<bool>(text == "t" || text == "true");
    });
}

Maybe<std::int64_t> Record::integer(unsigned column) const {
    return read<std::int64_t>(columns_[column], [](std::string_view text) {
        std::int64_t value = 0;
        const auto end = std::from_chars(text.data(), text.data() + text.size(), value);
        return end.ec == std::errc() ? Maybe<std::int64_t>(value) : Maybe<std::int64_t>();
    });
}

Maybe<Number> Record::decimal(unsigned column) const {
    return read<Number>(columns_[column], Number::parse);
}

Maybe<double> Record::stored_float(unsigned column) const {
    return read<double>(columns_[column], [](std::string_view text) {
        return Maybe<double>(std::strtod(std::string(text).c_str(), nullptr));
    });
}

Maybe<Number> Record::floating(unsigned column) const {
    const Maybe<double> value = stored_float(column);
    return value.known() ? Maybe<Number>(Number::of(*value)) : Maybe<Number>();
}

Maybe<Day> Record::date(unsigned column) const { return read<Day>(columns_[column], day); }

Maybe<TimeOfDay> Record::time(unsigned column) const {
    return read<TimeOfDay>(columns_[column], time_of_day);
}

Maybe<Moment> Record::timestamp(unsigned column) const {
    return read<Moment>(columns_[column], moment);
}

Maybe<TagList> Record::tags(unsigned column) const {
    return read<TagList>(columns_[column], [](std::string_view text) {
        return Maybe<TagList>(ArrayReader(text).run());
    });
}

bool distinct(const Maybe<double>& a, const Maybe<double>& b) {
    if (!a.known() || !b.known()) return a.known() != b.known();
    return *a != *b && !(is_nan(*a) && is_nan(*b));
}

Text text(const char* literal) { return std::string_view(literal); }

Maybe<std::string> operator+(const Text& a, const Text& b) {
    if (!a.known() || !b.known()) return {};
    return std::string(*a).append(*b);
}

Text trimmed(const Text& text) {
    if (!text.known()) return {};
    const auto first = (*text).find_first_not_of(' ');
    if (first == std::string_view::npos) return std::string_view();
    return (*text).substr(first, (*text).find_last_not_of(' ') - first + 1);
}

Maybe<std::int64_t> length(const Text& text) {
    if (!text.known()) return {};
    std::int64_t characters = 0;
    for (const char c : *text) characters += (static_cast<unsigned char>(c) & 0xC0) != 0x80 ? 1 : 0;
    return characters;
}

Maybe<std::int64_t> length(const Maybe<TagList>& tags) {
    return tags.known() ? Maybe<std::int64_t>((*tags).size) : Maybe<std::int64_t>();
}

Maybe<bool> contains(const Text& text, const Text& part) {
    if (!text.known() || !part.known()) return {};
    return (*text).find(*part) != std::string_view::npos;
}

Maybe<bool> contains(const Maybe<TagList>& tags, const Text& tag) {
    if (tags.known() && (*tags).size == 0) return false;  // whatever the tag
    if (!tags.known() || !tag.known()) return {};
    for (const std::string& each : (*tags).tags) {
        if (each == *tag) return true;
    }
    const bool all_known = std::ssize((*tags).tags) == (*tags).size;
    return all_known ? Maybe<bool>(false) : Maybe<bool>();
}

Maybe<bool> starts_with(const Text& text, const Text& part) {
    if (!text.known() || !part.known()) return {};
    return (*text).starts_with(*part);
}

Maybe<bool> ends_with(const Text& text, const Text& part) {
    if (!text.known() || !part.known()) return {};
    return (*text).ends_with(*part);
}

}  // namespace svc
