#include "emit/page/pages_json.hpp"

#include <algorithm>

#include "emit/json_page.hpp"
#include "plan/principals.hpp"

namespace svc::emit {
namespace {

using plan::BlockKind;
using plan::PartKind;
using plan::Plan;
using plan::SiteBlock;
using plan::SitePage;
using plan::SiteText;

class PagesWriter {
  public:
    explicit PagesWriter(const Plan& plan) : plan_(plan) {}

    Json write() {
        Json out = Json::array();
        for (const SitePage& page : plan_.site.pages) out.push_back(page_json(page));
        return out;
    }

  private:
    // The names of principals in a contract; the bits are those of svc/sets.hpp.
    Json principals(std::uint64_t who) const {
        if ((who | plan::kServerBit) == plan::kEveryone) return "*";
        std::vector<std::string> words{"guest", "signed_in", "consumer", "staff", ""};
        for (const auto& persona : plan_.personas) words.push_back(persona.id);
        for (const std::string& role : plan_.org_roles) words.push_back("org:" + role);
        Json out = Json::array();
        for (std::size_t i = 0; i < words.size(); ++i)
            if (!words[i].empty() && (who >> i & 1) != 0) out.push_back(words[i]);
        return out;
    }

    std::string entity(const std::string& value) const {
        const auto at = std::find_if(plan_.entities.begin(), plan_.entities.end(),
                                     [&](const auto& one) { return one.cpp_value == value; });
        return at == plan_.entities.end() ? std::string() : at->name;
    }

    static std::string text(const SiteText& parts) {
        std::string out;
        for (const plan::SitePart& part : parts)
            out += part.kind == PartKind::text    ? part.of
                   : part.kind == PartKind::route ? "{route." + part.of + "}"
                   : part.kind == PartKind::user  ? "{user." + part.of + "}"
                                                  : "{" + part.of + "}";
        return out;
    }

    static void put(Json& out, const char* name, const std::string& value) {
        if (!value.empty()) out[name] = value;
    }

    template <class Enum>
    static void put_word(Json& out, const char* name, const std::optional<Enum>& value) {
        if (value) out[name] = base::word(*value);
    }

    static void rows(const SiteBlock& in, Json& out) {
        if (!in.fields.empty()) out["fields"] = in.fields;
        if (!in.sort.empty()) {
            out["sort"]["field"] = in.sort;
            if (in.descending) out["sort"]["dir"] = "desc";
        }
        for (const plan::SiteFilter& filter : in.filter) {
            Json one = {{"field", filter.field}};
            if (filter.value) one["value"] = text(filter.value->text);
            out["filter"].push_back(std::move(one));
        }
        if (in.limit > 0) out["limit"] = in.limit;
    }

    static void number(const SiteBlock& in, Json& out) {
        if (in.kind != BlockKind::metric && in.kind != BlockKind::chart) return;
        put_word(out, "metric", in.measure);
        if (in.kind == BlockKind::chart) put_word(out, "kind", in.chart_kind);
        put(out, "groupBy", in.group_by);
    }

    Json block(const SiteBlock& in, const SitePage& page) const {
        Json out = Json::object();
        put(out, "title", in.title);
        const bool fewer = in.to != plan::kEveryone && in.to != page.to;
        if (fewer) out["to"] = principals(in.to);
        // What is paid for, the contract's "payments" says.
        if (in.kind != BlockKind::pay) put(out, "entity", entity(in.entity));
        if (in.kind == BlockKind::form && !in.id.empty()) out["id"] = text(in.id);
        rows(in, out);
        number(in, out);
        if (in.remove) out["delete"] = true;
        Json named = Json::object();
        named[std::string(base::word(in.kind))] = std::move(out);
        return named;
    }

    Json page_json(const SitePage& page) {
        Json out = {{"route", page.route}, {"title", page.title}};
        out["to"] = principals(page.to);
        if (page.in_menu)
            out["nav"] = {{"icon", page.icon}, {"order", ++order_}};
        else if (page.route.find(':') == std::string::npos)
            out["nav"] = false;
        out["body"] = Json::array();
        for (const SiteBlock& one : page.body) out["body"].push_back(block(one, page));
        return out;
    }

    const Plan& plan_;
    unsigned order_ = 0;
};

}  // namespace

std::string pages_json(const Plan& plan) {
    if (!plan.site.standard) return "null";
    std::string out = json_page(PagesWriter(plan).write());
    while (out.ends_with('\n')) out.pop_back();
    return out;
}

}  // namespace svc::emit
