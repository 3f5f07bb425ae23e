// What a restore holds: runs, mails and deliveries, which somebody releases or drops.
#include "operate/held.hpp"

#include "calls/environment.hpp"
#include "http/fields.hpp"
#include "log/log.hpp"
#include "operate/short_id.hpp"
#include "routes/operate/whole_id.hpp"
#include "routes/routes.hpp"

namespace svc::devapi {
namespace {

constexpr int kUsualHeld = 50, kMostHeld = 200;

// The app's database; empty: answered.
std::string with_held(Context& context, const Request& request, Env env, Response& response) {
    std::string database = database_of(context, request, env, response);
    if (database.empty() || has_held(database)) return database;
    response.refuse(Code::no_app,
                    "This app was built before svc held mails and deliveries. Apply its contract "
                    "once more.");
    return {};
}

// The addresses of mails are here as in …/mail, so the same members read them.
void list_held(Context& context, const Request& request, Response& response) {
    const int limit = limit_of(request, kUsualHeld, kMostHeld, response);
    const auto env = limit == 0 ? std::nullopt : environment_of(request, response);
    if (!env || !may_change(request, *env, response)) return;
    const std::string database = with_held(context, request, *env, response);
    if (!database.empty()) response.body = held_json(database, limit);
}

struct ChosenHeld {
    std::string database;  // empty: answered
    Env env = Env::dev;
    HeldKind kind = HeldKind::runs;
    std::optional<std::vector<std::string>> ids;  // none: all
};

IdsOf held_ids(const ChosenHeld& chosen) {
    switch (chosen.kind) {
        case HeldKind::runs:
            return {chosen.database, kHeldRunRows, "ids", "held run"};
        case HeldKind::mails:
            return {chosen.database, kHeldMailRows, "ids", "held mail"};
        case HeldKind::deliveries:
            break;
    }
    return {chosen.database, kHeldDeliveryRows, "ids", "held delivery"};
}

ChosenHeld chosen_held(Context& context, const Request& request, Response& response) {
    Fields fields(request);
    ChosenHeld out;
    out.env = environment_of(fields);
    if (fields.good() && !may_change(request, out.env, response)) return out;
    const std::string word = fields.required_text("kind", 1, 20);
    const auto kind = base::read_word<HeldKind>(word);
    if (!word.empty() && !kind) fields.wrong("kind", "Must be runs, mails or deliveries.");
    out.ids = fields.texts("ids");
    for (const std::string& id : out.ids.value_or(std::vector<std::string>()))
        if (!is_short_id(id))
            fields.wrong("ids",
                         "Must be ids as …/held lists them, or their first 4 characters or more.");
    if (!fields.good(response)) return out;
    out.kind = *kind;
    out.database = with_held(context, request, out.env, response);
    if (out.database.empty() || !out.ids) return out;
    for (std::string& id : *out.ids) {
        id = whole_id(held_ids(out), id, response);
        if (id.empty()) return {};
    }
    return out;
}

void note_held(const Request& request, const ChosenHeld& chosen, const char* what, int count) {
    log::write(log::Level::info, what,
               {{"project", request.project->id},
                {"env", name(chosen.env)},
                {"user", request.caller.user_id},
                {"kind", base::word(chosen.kind)},
                {"count", count}});
}

void release_of_kind(Context& context, const Request& request, Response& response) {
    const ChosenHeld chosen = chosen_held(context, request, response);
    if (chosen.database.empty()) return;
    const int count = release_held(chosen.database, chosen.kind, chosen.ids);
    note_held(request, chosen, "held_released", count);
    response.send(200, {{"released", count}});
}

void drop_of_kind(Context& context, const Request& request, Response& response) {
    const ChosenHeld chosen = chosen_held(context, request, response);
    if (chosen.database.empty()) return;
    const int count = drop_held(chosen.database, chosen.kind, chosen.ids);
    note_held(request, chosen, "held_dropped", count);
    response.send(200, {{"dropped", count}});
}

}  // namespace

void bind_held(RouteTable& table) {
    Route held{"GET", "/projects/:id/held", Need::change, Role::viewer, list_held};
    held.shows = true;
    table.add(held, {"limit", "env"});
    table.add({"POST", "/projects/:id/held/release", Need::change, Role::viewer, release_of_kind});
    table.add({"POST", "/projects/:id/held/drop", Need::change, Role::viewer, drop_of_kind});
}

}  // namespace svc::devapi
