#include "json/schema.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <regex>

#include "base/json_type.hpp"
#include "base/utf8.hpp"

namespace svc::json {
namespace {

using Kind = Value::Kind;

// Longer texts are not matched against patterns: matching takes polynomial time.
constexpr std::size_t kMostMatched = 2000;
constexpr auto kMatching = std::regex::ECMAScript | std::regex_constants::__polynomial;

bool same(const Value& a, const Value& b) {
    if (a.kind != b.kind || a.items.size() != b.items.size() ||
        a.members.size() != b.members.size())
        return false;
    if (a.is(Kind::number)) return base::json_number(a) == base::json_number(b);
    if (a.text != b.text) return false;
    for (std::size_t i = 0; i < a.items.size(); ++i)
        if (!same(a.items[i], b.items[i])) return false;
    return std::ranges::all_of(a.members, [&b](const Value::Member& member) {
        const Value* other = b.find(member.name);
        return other && same(member.value, *other);
    });
}

// One value at its place, against one schema.
class Check {
  public:
    Check(const Value& value, const Value& schema, std::string place)
        : value_(value), schema_(schema), place_(std::move(place)) {}

    std::string run() const {
        if (schema_.is(Kind::boolean)) return schema_.text == "false" ? says("is not allowed") : "";
        if (!schema_.is(Kind::object)) return {};
        using Part = std::string (Check::*)() const;
        constexpr Part kParts[] = {&Check::type,    &Check::choice,  &Check::limits,
                                   &Check::pattern, &Check::members, &Check::items,
                                   &Check::combined};
        for (const Part part : kParts)
            if (std::string why = (this->*part)(); !why.empty()) return why;
        return {};
    }

  private:
    std::string says(const std::string& what) const {
        return (place_.empty() ? "The value" : place_) + ' ' + what + '.';
    }
    std::string at(const std::string& name) const { return place_ + '/' + name; }
    const Value* keyword(std::string_view name, Kind kind) const {
        const Value* found = schema_.find(name);
        return found && found->is(kind) ? found : nullptr;
    }

    std::string type() const {
        const Value* wanted = schema_.find("type");
        if (!wanted) return {};
        if (wanted->is(Kind::string))
            return base::is_json_type(value_, wanted->text)
                       ? ""
                       : says("must be of type " + wanted->text);
        std::string all;
        for (const Value& one : wanted->items) {
            if (base::is_json_type(value_, one.text)) return {};
            all += (all.empty() ? "" : " or ") + one.text;
        }
        return all.empty() ? "" : says("must be of type " + all);
    }

    std::string choice() const {
        const Value* only = schema_.find("const");
        if (only && !same(*only, value_)) return says("must be " + only->shown());
        const Value* choices = keyword("enum", Kind::array);
        if (!choices) return {};
        std::string all;
        for (const Value& one : choices->items) {
            if (same(one, value_)) return {};
            all += (all.empty() ? "" : ", ") + one.shown();
        }
        return says("must be one of " + all);
    }

    struct Limit {
        const char* name;
        std::function<bool(long double, long double)> holds;
    };
    std::string broken(long double size, std::initializer_list<Limit> limits) const {
        for (const Limit& limit : limits) {
            const Value* bound = keyword(limit.name, Kind::number);
            if (bound && !limit.holds(size, base::json_number(*bound)))
                return says(std::string("breaks \"") + limit.name + "\": " + bound->text);
        }
        return {};
    }

    std::string limits() const {
        using std::greater;
        using std::greater_equal;
        using std::less;
        using std::less_equal;
        const auto size = [](std::size_t n) { return static_cast<long double>(n); };
        if (value_.is(Kind::number))
            return broken(base::json_number(value_),
                          {{"minimum", greater_equal<>()},
                           {"maximum", less_equal<>()},
                           {"exclusiveMinimum", greater<>()},
                           {"exclusiveMaximum", less<>()},
                           {"multipleOf", [](long double a, long double b) {
                                return b == 0 || std::fmod(a, b) == 0;
                            }}});
        if (value_.is(Kind::string))
            return broken(size(base::characters(value_.text)),
                          {{"minLength", greater_equal<>()}, {"maxLength", less_equal<>()}});
        if (value_.is(Kind::array))
            return broken(size(value_.items.size()),
                          {{"minItems", greater_equal<>()}, {"maxItems", less_equal<>()}});
        if (value_.is(Kind::object))
            return broken(size(value_.members.size()), {{"minProperties", greater_equal<>()},
                                                        {"maxProperties", less_equal<>()}});
        return {};
    }

    std::string pattern() const {
        const Value* pattern = keyword("pattern", Kind::string);
        if (!pattern || !value_.is(Kind::string)) return {};
        if (value_.text.size() > kMostMatched) return says("is too long for its \"pattern\"");
        try {
            if (std::regex_search(value_.text, std::regex(pattern->text, kMatching))) return {};
        } catch (const std::regex_error&) {
            return says("cannot be checked: \"pattern\" is not a valid regular expression");
        }
        return says("does not match " + pattern->text);
    }

    std::string members() const {
        if (!value_.is(Kind::object)) return {};
        if (const Value* required = keyword("required", Kind::array))
            for (const Value& name : required->items)
                if (!value_.find(name.text)) return says("needs \"" + name.text + '"');
        const Value* known = keyword("properties", Kind::object);
        const Value* others = schema_.find("additionalProperties");
        for (const Value::Member& member : value_.members) {
            const Value* own = known ? known->find(member.name) : nullptr;
            if (!own && others && others->is(Kind::boolean) && others->text == "false")
                return says("has no property \"" + member.name + '"');
            if (!own) own = others;
            if (!own) continue;
            if (auto why = Check(member.value, *own, at(member.name)).run(); !why.empty())
                return why;
        }
        return {};
    }

    std::string items() const {
        if (!value_.is(Kind::array)) return {};
        const Value* unique = keyword("uniqueItems", Kind::boolean);
        const Value* each = schema_.find("items");
        for (std::size_t i = 0; i < value_.items.size(); ++i) {
            const std::string place = at(std::to_string(i));
            if (each)
                if (auto why = Check(value_.items[i], *each, place).run(); !why.empty()) return why;
            for (std::size_t j = 0; unique && unique->text == "true" && j < i; ++j)
                if (same(value_.items[i], value_.items[j])) return place + " occurs twice.";
        }
        return {};
    }

    bool fits(const Value& schema) const { return Check(value_, schema, place_).run().empty(); }

    std::string combined() const {
        if (const Value* all = keyword("allOf", Kind::array))
            for (const Value& one : all->items)
                if (auto why = Check(value_, one, place_).run(); !why.empty()) return why;
        const auto count = [this](const Value& list) {
            return std::ranges::count_if(list.items,
                                         [this](const Value& one) { return fits(one); });
        };
        const Value* any = keyword("anyOf", Kind::array);
        if (any && count(*any) == 0) return says("fits none of \"anyOf\"");
        const Value* one = keyword("oneOf", Kind::array);
        if (one && count(*one) != 1) return says("must fit exactly one of \"oneOf\"");
        const Value* none = schema_.find("not");
        return none && fits(*none) ? says("is what \"not\" excludes") : "";
    }

    const Value& value_;
    const Value& schema_;
    const std::string place_;
};

}  // namespace

std::string misfit(const Value& value, const Value& schema) {
    return Check(value, schema, "").run();
}

}  // namespace svc::json
