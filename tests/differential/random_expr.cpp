#include "random_expr.hpp"

#include <utility>

namespace svc::differential {
namespace {

constexpr int kDepth = 4;

enum class Type { boolean, integer, decimal, text, date, time, moment, uuid, span, tags };

using Texts = std::vector<std::string>;

const Texts& fields(Type type) {
    static const Texts kFields[] = {{"flag", "lit"},
                                    {"qty", "more", "price"},
                                    {"amount", "ratio", "score", "other"},
                                    {"name", "note", "kind"},
                                    {"day", "due"},
                                    {"at", "till"},
                                    {"seen", "done", "created_at"},
                                    {"id", "user_id", "code", "who", "parent_id", "shelf_id"},
                                    {},
                                    {"labels", "words"}};
    return kFields[static_cast<std::size_t>(type)];
}

// Paths over refs; many() has relations.
const Texts& walks(Type type) {
    static const Texts kWalks[] = {
        {"shelf.lit", "parent.flag", "parent.shelf.lit", "exists(parts)", "exists(shelf.title)",
         "all(parts.good)", "exists(parent.children)", "all(parts.shelf.lit)"},
        {"shelf.room", "parent.qty", "count(parts)", "sum(parts.pieces)", "max(parts.pieces)",
         "min(parts.shelf.room)", "count(parent.parts)", "sum(parent.parent.children.qty)"},
        {"shelf.load", "parent.amount", "parent.score", "sum(parts.weight)", "max(parts.drag)",
         "min(parts.weight)", "sum(parts.drag)", "sum(parts.shelf.load)"},
        {"shelf.title", "parent.name", "parent.parent.note", "max(parts.label)",
         "min(parts.label)"},
        {"shelf.opened", "parent.day", "max(parts.made)"},
        {"parent.at"},
        {"parent.seen", "min(parts.seen)"},
        {"parent.code", "parent.shelf_id", "shelf.id", "parent.user_id"},
        {},
        {"parent.labels"}};
    return kWalks[static_cast<std::size_t>(type)];
}

// The right sides of `in` over other rows.
const Texts& members(Type type) {
    static const Texts kNone;
    static const Texts kIntegers = {"parts.pieces", "children.qty"};
    static const Texts kDecimals = {"parts.weight", "parts.drag"};
    static const Texts kTexts = {"parts.label", "children.name"};
    static const Texts kIds = {"parts", "children", "parts.shelf_id", "children.user_id"};
    static const Texts kDays = {"parts.made"};
    switch (type) {
        case Type::integer:
            return kIntegers;
        case Type::decimal:
            return kDecimals;
        case Type::text:
            return kTexts;
        case Type::uuid:
            return kIds;
        case Type::date:
            return kDays;
        case Type::boolean:
        case Type::time:
        case Type::moment:
        case Type::span:
        case Type::tags:
            return kNone;
    }
    return kNone;
}

const Texts& literals(Type type) {
    static const Texts kLiterals[] = {
        {"true", "false"},
        {"0", "1", "2", "3", "(-1)", "7", "100", "10000", "2147483647", "2147483648",
         "9223372036854775807", "(-9223372036854775807)"},
        {"0.0", "0.5", "1.50", "3.333", "100.000", "0.0000001", "12345678901234567890.12", "(-2.5)",
         "0.3", "1.0"},
        {"''",      "' '",      "'a'",     "'A'",      "'aa'",       "' a '",         "'é'",
         "'É'",     "'日本'",   "'a\\'b'", "'a\\\\b'", "'('",        "')'",           "'%'",
         "'draft'", "'placed'", "'\\n'",   "'NULL'",   "'customer'", "'is not true'", "'a,b'"},
        {"'2026-02-28'", "'2024-02-29'", "'1969-12-31'", "'2026-11-21'"},
        {"'00:00'", "'09:30:15.25'", "'23:59:59.999999'"},
        {"'2026-03-29T01:30:00+01:00'", "'2026-11-21'", "'2026-11-21T10:00'",
         "'1970-01-01 00:00Z'"},
        {"'00000000-0000-4000-8000-000000000001'", "'00000000-0000-4000-8000-00000000000A'",
         "'ffffffff-ffff-4fff-8fff-ffffffffffff'"},
        {"duration('0s')", "duration('90s')", "duration('15m')", "duration('2h')", "duration('7d')",
         "duration('400d')"},
        {}};
    return kLiterals[static_cast<std::size_t>(type)];
}

// Types whose literals are texts and get the type of the other side.
bool borrows_literals(Type type) {
    return type == Type::date || type == Type::time || type == Type::moment || type == Type::uuid;
}

class Writer {
  public:
    Writer(Dice& dice, const Reach& reach) : dice_(dice), reach_(reach) {}

    Written condition(int depth) {
        Written out = one_condition(depth);
        out.condition = true;
        return out;
    }

  private:
    std::string row() {
        if (!reach_.rule) return {kRow};
        return dice_.chance(60) ? "new." : "old.";
    }

    // Every path inside a call over other rows gets the same row.
    std::string rooted(const std::string& path) {
        const auto open = path.find('(');
        return open == std::string::npos ? row() + path
                                         : path.substr(0, open + 1) + row() + path.substr(open + 1);
    }

    std::string user(Type type) {
        if (type == Type::boolean) return "user.isAdmin";
        if (type == Type::uuid) return dice_.chance(70) ? "user.id" : "user.org";
        return dice_.chance(50) ? "user.email" : "user.persona";
    }

    Written leaf(Type type) {
        const bool is_users = type == Type::boolean || type == Type::uuid || type == Type::text;
        if (is_users && dice_.chance(15)) return {user(type), false, {}};
        if (type == Type::date && dice_.chance(10)) return {"today()", false, {}};
        if (type == Type::moment && dice_.chance(10)) return {"now()", false, {}};
        if (reach_.walks && !walks(type).empty() && dice_.chance(45)) {
            return {rooted(dice_.one(walks(type))), false, {}};
        }
        const bool literal = !literals(type).empty() && !borrows_literals(type) && dice_.chance(25);
        if (literal || fields(type).empty()) return {dice_.one(literals(type)), false, {}};
        return {row() + dice_.one(fields(type)), false, {}};
    }

    Written value(Type type, int depth) {
        if (type == Type::boolean) return condition(depth);
        if (depth <= 0 || dice_.chance(35)) return leaf(type);
        switch (type) {
            case Type::integer:
                return integer(depth - 1);
            case Type::decimal:
                return decimal(depth - 1);
            case Type::text:
                return text(depth - 1);
            case Type::moment:
                return moment(depth - 1);
            case Type::span:
                return span(depth - 1);
            case Type::date:
                return day(depth - 1);
            case Type::time:
            case Type::uuid:
            case Type::tags:
            case Type::boolean:
                break;
        }
        return chosen(type, depth - 1);
    }

    Written made(const std::string& before, std::vector<Written> parts, const std::string& between,
                 const std::string& after) {
        Written out;
        for (const Written& part : parts) {
            out.text += (out.text.empty() ? before : between) + part.text;
        }
        out.text += after;
        out.parts = std::move(parts);
        return out;
    }
    Written call(const std::string& name, std::vector<Written> parts) {
        return made(name + "(", std::move(parts), ", ", ")");
    }
    Written joined(Written left, const std::string& symbol, Written right) {
        return made("(", {std::move(left), std::move(right)}, " " + symbol + " ", ")");
    }

    // A literal where one may stand, else a value.
    Written right_side(Type type, int depth) {
        if (!literals(type).empty() && dice_.chance(30)) {
            return {dice_.one(literals(type)), false, {}};
        }
        return value(type, depth);
    }

    Written chosen(Type type, int depth) {
        std::vector<Written> parts = {value(type, depth), right_side(type, depth)};
        if (dice_.chance(25)) parts.push_back(right_side(type, depth));
        const bool no_order = type == Type::tags;
        return call(no_order ? "coalesce" : dice_.one(Texts{"coalesce", "min", "max"}),
                    std::move(parts));
    }

    Written integer(int depth) {
        switch (dice_.below(8)) {
            case 0:
                return call("size", {value(Type::text, depth)});
            case 1:
                return call("size", {value(Type::tags, depth)});
            case 2:
                return joined(value(Type::date, depth), "-", value(Type::date, depth));
            case 3:
                return made("(-", {value(Type::integer, depth)}, "", ")");
            case 4:
                return call(dice_.one(Texts{"abs", "round"}), {value(Type::integer, depth)});
            case 5:
                return chosen(Type::integer, depth);
            default:
                return joined(value(Type::integer, depth), dice_.one(Texts{"+", "-", "*", "/"}),
                              value(Type::integer, depth));
        }
    }

    Written decimal(int depth) {
        const auto number = [&] {
            return value(dice_.chance(25) ? Type::integer : Type::decimal, depth);
        };
        switch (dice_.below(7)) {
            case 0:
                return made("(-", {value(Type::decimal, depth)}, "", ")");
            case 1:
                return call(dice_.one(Texts{"abs", "round"}), {value(Type::decimal, depth)});
            case 2:
                return call("round", {number(), {dice_.one(Texts{"0", "1", "2", "5"}), false, {}}});
            case 3:
                return call(dice_.one(Texts{"coalesce", "min", "max"}),
                            {value(Type::decimal, depth), number()});
            default:
                return joined(value(Type::decimal, depth), dice_.one(Texts{"+", "-", "*", "/"}),
                              number());
        }
    }

    Written text(int depth) {
        switch (dice_.below(4)) {
            case 0:
                return call(dice_.one(Texts{"trim", "trim", "lower", "upper"}),
                            {value(Type::text, depth)});
            case 1:
                return chosen(Type::text, depth);
            default:
                return joined(value(Type::text, depth), "+", value(Type::text, depth));
        }
    }

    Written day(int depth) {
        const std::string days =
            dice_.one(Texts{"duration('0d')", "duration('1d')", "duration('21d')",
                            "duration('48h')", "(-duration('7d'))", "duration('40000d')"});
        switch (dice_.below(4)) {
            case 0:
                return chosen(Type::date, depth);
            case 1:
                return call("date", {value(dice_.chance(20) ? Type::date : Type::moment, depth)});
            case 2:
                return made("(" + days + " + ", {value(Type::date, depth)}, "", ")");
            default:
                return made("(", {value(Type::date, depth)}, "",
                            dice_.one(Texts{" + ", " - "}) + days + ")");
        }
    }

    Written moment(int depth) {
        const bool from_day = dice_.chance(30);
        switch (dice_.below(3)) {
            case 0:
                return chosen(Type::moment, depth);
            case 1:
                return joined(value(Type::span, depth), "+",
                              value(from_day ? Type::date : Type::moment, depth));
            default:
                return joined(value(from_day ? Type::date : Type::moment, depth),
                              dice_.one(Texts{"+", "-"}), value(Type::span, depth));
        }
    }

    Written span(int depth) {
        switch (dice_.below(4)) {
            case 0:
                return joined(value(Type::moment, depth), "-", value(Type::moment, depth));
            case 1:
                return made("(-", {value(Type::span, depth)}, "", ")");
            case 2:
                return chosen(Type::span, depth);
            default:
                return joined(value(Type::span, depth), dice_.one(Texts{"+", "-"}),
                              value(Type::span, depth));
        }
    }

    Type any_type() {
        return dice_.one(std::vector<Type>{
            Type::boolean, Type::integer, Type::integer, Type::decimal, Type::decimal, Type::text,
            Type::text, Type::date, Type::time, Type::moment, Type::uuid, Type::uuid, Type::span});
    }

    Written comparison(int depth) {
        const Type type = any_type();
        const bool equality = type == Type::boolean || type == Type::uuid || dice_.chance(50);
        const std::string symbol =
            equality ? dice_.one(Texts{"==", "!="}) : dice_.one(Texts{"<", "<=", ">", ">="});
        Type other = type;
        if (type == Type::integer && dice_.chance(20)) other = Type::decimal;
        if (type == Type::date && dice_.chance(25)) other = Type::moment;
        Written left = value(type, depth);
        Written right = right_side(other, depth);
        if (dice_.chance(20) && other == type && !borrows_literals(type)) std::swap(left, right);
        return joined(std::move(left), symbol, std::move(right));
    }

    Written null_test(int depth) {
        const std::string after = dice_.one(Texts{" == null)", " != null)"});
        if (dice_.chance(10)) return {"(" + row() + "extra" + after, false, {}};
        const Type type = dice_.chance(10) ? Type::tags : any_type();
        return made("(", {value(type, depth)}, "", after);
    }

    Written membership(int depth) {
        if (dice_.chance(25)) {
            return joined(value(Type::text, depth), "in", value(Type::tags, depth));
        }
        const Type type = any_type();
        if (reach_.walks && !members(type).empty() && dice_.chance(50)) {
            return joined(value(type, depth), "in", {row() + dice_.one(members(type)), false, {}});
        }
        std::vector<Written> items;
        const std::size_t count = dice_.chance(5) ? 0 : 1 + dice_.below(3);
        for (std::size_t i = 0; i < count; ++i) items.push_back(right_side(type, depth - 1));
        Written list = items.empty() ? Written{"[]", false, {}} : made("[", items, ", ", "]");
        Written out = joined(value(type, depth), "in", list);
        out.parts.pop_back();  // a list is not an expression of its own
        for (Written& item : items) out.parts.push_back(std::move(item));
        return out;
    }

    Written about_texts(int depth) {
        if (dice_.chance(20)) {
            return call("contains", {value(Type::tags, depth), value(Type::text, depth)});
        }
        if (dice_.chance(15)) {
            const std::string pattern =
                dice_.one(Texts{"'^a'", "'a.*b'", "'[[:alpha:]]+'", "'^$'", "'^.$'", "'\\\\d'"});
            return call("matches", {value(Type::text, depth), {pattern, false, {}}});
        }
        return call(dice_.one(Texts{"contains", "startsWith", "endsWith"}),
                    {value(Type::text, depth), value(Type::text, depth)});
    }

    Written exists_or_changed() {
        const Type type = dice_.one(std::vector<Type>{Type::integer, Type::decimal, Type::text,
                                                      Type::moment, Type::tags, Type::uuid,
                                                      Type::boolean, Type::date, Type::time});
        const std::string& field = dice_.one(fields(type));
        if (reach_.rule && dice_.chance(70)) return {"changed(" + field + ")", false, {}};
        return {"exists(" + row() + field + ")", false, {}};
    }

    Written junction(int depth) {
        std::vector<Written> parts = {condition(depth), condition(depth)};
        if (dice_.chance(25)) parts.push_back(condition(depth));
        return made("(", std::move(parts), dice_.chance(50) ? " && " : " || ", ")");
    }

    Written one_condition(int depth) {
        if (depth <= 0) return dice_.chance(50) ? leaf(Type::boolean) : comparison(0);
        const int below = depth - 1;
        switch (dice_.below(16)) {
            case 0:
            case 1:
                return made("!", {condition(below)}, "", "");
            case 2:
            case 3:
            case 4:
                return junction(below);
            case 5:
                return null_test(below);
            case 6:
            case 7:
                return membership(below);
            case 8:
                return about_texts(below);
            case 9:
                return exists_or_changed();
            case 10:
                return call("coalesce", {condition(below), condition(below)});
            case 11:
                return leaf(Type::boolean);
            default:
                return comparison(below);
        }
    }

    Dice& dice_;
    const Reach& reach_;
};

}  // namespace

std::string with_rows(const std::string& text, const std::string& prefix) {
    std::string out;
    for (const char c : text) {
        if (c == kRow) {
            out += prefix;
        } else {
            out += c;
        }
    }
    return out;
}

Written random_condition(Dice& dice, const Reach& reach) {
    return Writer(dice, reach).condition(1 + static_cast<int>(dice.below(kDepth)));
}

}  // namespace svc::differential
