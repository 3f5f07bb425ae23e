// One request for a page, with the data that every part of its answer uses.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/time/zone.hpp"
#include "db/pool.hpp"
#include "identity/budget.hpp"
#include "identity/user/identify.hpp"
#include "page/api.hpp"
#include "page/html/address.hpp"
#include "page/html/html.hpp"
#include "svc/app.hpp"

namespace svc::page {

// The parts that make pages; outlives the pages.
struct Services {
    const App& app;
    const Site& site;
    const route::Router& router;
    identity::Identifier& identifier;
    db::Pool& system;  // for scripts of earlier builds; rows come from the routes
    db::Pool& data;    // for what the caller may do with a row (page/rights.hpp)
    identity::Budget& budget;
    identity::Throttle& visitors;            // requests for pages of one address
    std::shared_ptr<const AppKey> key;       // pages are a client of the app, as a browser is
    std::shared_ptr<const base::Zone> zone;  // the app's; null: UTC
    // Origin of the card provider's pages; empty: none is connected.
    std::function<Task<std::string>()> card_page;
    // Whether the account with this id has an authenticator app, so that sign-ins ask for its code.
    std::function<Task<bool>(std::string)> has_factor_app;
    // As data::PlaceNow, of a moment ago (feed/recent_place.hpp).
    std::function<Task<std::string>(const Caller&)> recent_place;
};

// The result of a step of a visit: it was answered, or it must continue.
enum class Progress : std::uint8_t { answered, goes_on };

// The errors of the form that the visit sent, in words for people.
struct Problems {
    std::size_t block = 0;  // number of the form's block
    bool finds = false;     // none: the form looks for rows, and is shown with what was filled in
    std::string whole = {};
    std::vector<std::pair<std::string, std::string>> fields = {};  // by column

    bool none() const { return whole.empty() && fields.empty(); }
    std::string_view of(std::string_view field) const {
        for (const auto& [name, message] : fields)
            if (name == field) return message;
        return {};
    }
};

// A file that a form brought.
struct SentFile {
    std::string field;         // the input's name: f.cover
    std::string id = {};       // empty: it was not taken
    std::string problem = {};  // why not, in words for people
};

// A message of a chat with the assistant.
struct ChatMessage {
    bool by_caller = false;
    std::string text = {};
};
struct Chat {
    std::size_t block = 0;
    std::vector<ChatMessage> messages = {};
};

struct Rights {
    bool update = false, remove = false;
};
struct KnownRights {
    const Entity* entity;
    std::string id;
    Rights rights;
};

struct Visit {
    const Services& in;
    http::Exchange& exchange;
    Api api;
    Caller caller;            // a guest where nobody is signed in
    bool enrol_only = false;  // their session may only enrol a second factor
    const Page* page = nullptr;
    RouteParams params = {};
    Members query = {}, form = {};
    std::vector<SentFile> files = {};
    std::optional<Problems> problems = {};
    bool missing = false;        // the row that the page is about is not there for the caller
    std::string title = {};      // of the answer; set by whoever knows better than the page's own
    std::string card_page = {};  // origin that forms of the page may lead to besides
    std::string card_link = {};  // where the caller pays, if no form may lead there
    Chat chat = {};              // that the form has brought, and the answer to it
    std::vector<KnownRights> rights = {};        // asked so far
    std::vector<std::string_view> scripts = {};  // modules that the answer loads; see need_script
    mutable const Table* last_table = nullptr;  // that table_of() has found: every cell asks for it

    const App& app() const { return in.app; }
    const Site& site() const { return in.site; }
    std::string_view path() const { return exchange.head().path; }
    std::string place() const;  // this page's address: the path as it stands in one
    bool signed_in() const { return caller.user.has_value(); }
    const SentFile* file(std::string_view field) const;  // null: the form brought none there
    bool sees(PrincipalSet to) const { return (to & caller.principals) != 0; }
    // A member of the query that belongs to block number `block`: b2.sort.
    std::string_view asked(std::size_t block, std::string_view name) const;
    // Lets the answer load a script by its path (page/asset/assets.hpp), once however many blocks
    // ask.
    void need_script(std::string_view path);
    // This page's address with one such member set to another value; an empty value removes it.
    std::string with(std::size_t block, std::string_view name, std::string_view value) const;
};

inline std::string member_name(std::size_t block, std::string_view name) {
    return "b" + std::to_string(block + 1) + "." + std::string(name);
}

// How pages show an entity. Every entity of an app has one.
const Table& table_of(const Visit& visit, const Entity& entity);

// The column with this name if the caller may read it; otherwise -1.
int readable(const Visit& visit, const Entity& entity, std::string_view name);
// Adds it to the columns, where it is readable and not among them.
void add_readable(const Visit& visit, const Entity& entity, std::string_view name,
                  std::vector<std::size_t>& columns);
bool may_see(const Visit& visit, const Entity& entity, std::size_t column);
// True if the caller may send it in a create or an update.
bool may_send(const Visit& visit, const Entity& entity, std::size_t column, bool changes);

// The standard page of a kind that the caller may open; empty: none.
std::string_view row_route(const Visit& visit, const Entity& entity);
std::string_view list_route(const Visit& visit, const Entity& entity);
std::string_view new_route(const Visit& visit, const Entity& entity);
std::string_view edit_route(const Visit& visit, const Entity& entity);

// A text with its placeholders filled in from the caller, the address and a row (null: none). As
// part of an address each value is percent-encoded.
enum class Fill { plain, address };
std::string filled(const Visit& visit, const Text& text, const Json* row, Fill how = Fill::plain);
// A value as JSON.
std::string filled_json(const Visit& visit, const Value& value);

// The fields of a row's name that the caller may read.
std::vector<std::string_view> name_columns(const Visit& visit, const Table& table);
// A row's name; the entity's where it has none that the caller may read.
std::string name_of(const Visit& visit, const Table& table, const Json& row);

// A scalar as text: of a string itself, of numbers and booleans as sent; empty for the rest.
const std::string& plain(const Json* value);

}  // namespace svc::page
