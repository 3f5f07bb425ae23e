#include "hook/secrets.hpp"

#include <algorithm>

#include "base/ascii.hpp"
#include "base/sql_state.hpp"
#include "identity/command.hpp"
#include "identity/secret/sealer.hpp"

namespace svc::hook {
namespace {

// The purposes of sealing. Project secrets have the purpose that svcd uses.
constexpr std::string_view kProjects = "secret", kOurs = "hook";

constexpr std::string_view kHookIn =
    "select h.scheme, h.dedupe, h.secret, s.sealed, h.built_in from svc.hook_in h left join "
    "lateral ("
    "select o.sealed, o.made_at as since from svc.hook_secret o"
    " where h.secret = '' and o.hook = h.name and (o.until is null or o.until > now())"
    " union all select p.sealed, now() from svc.secret p where p.name = h.secret"
    " union all select b.sealed, '-infinity' from svc.secret_before b"
    " where b.name = h.secret and b.until > now()) s on true"
    " where h.name = $1::text order by s.since desc";

// Parallel calls make the first secret only once.
constexpr std::string_view kMake =
    "insert into svc.hook_secret (hook, sealed) values ($1::text, $2::text) on conflict do nothing";

constexpr std::string_view kReplace = "select svc.replace_hook_secret($1::text, $2::text)";

constexpr std::string_view kSigning =
    "select s.sealed from svc.secret s"
    " where s.name = $1::text and $2::text <> '' and $2::text = any (s.hosts)"
    " union all select b.sealed from svc.secret s join svc.secret_before b on b.name = s.name"
    " where s.name = $1::text and $2::text <> '' and $2::text = any (s.hosts) and b.until > now()";

class HookRows : public db::RowSink {
  public:
    explicit HookRows(std::string_view secret)
        : projects_(secret, kProjects), ours_(secret, kOurs) {}
    void row(const Row& row) override {
        if (!hook) {
            hook.emplace();
            hook->scheme = base::read_word<Scheme>(row.text(0)).value_or(Scheme::svc);
            hook->dedupe = row.text(1);
            hook->secret_name = row.text(2);
            hook->built_in = row.text(4) == "t";
        }
        if (row.null(3)) return;
        const identity::Sealer& sealer = hook->secret_name.empty() ? ours_ : projects_;
        if (auto value = sealer.unseal(row.text(3))) hook->secrets.push_back(std::move(*value));
    }
    std::optional<WebhookIn> hook;

  private:
    const identity::Sealer projects_, ours_;
};

class SealedRows : public db::RowSink {
  public:
    explicit SealedRows(std::string_view secret) : sealer_(secret, kProjects) {}
    void row(const Row& row) override {
        if (auto value = sealer_.unseal(row.text(0))) values.push_back(std::move(*value));
    }
    std::vector<std::string> values;

  private:
    const identity::Sealer sealer_;
};

bool is_name(std::string_view text) {
    return std::ranges::all_of(text, [](char c) { return base::is_alphanumeric(c) || c == '_'; });
}

Task<identity::Result<std::optional<WebhookIn>>> read(db::Pool& system, std::string_view secret,
                                                      std::string_view name) {
    HookRows rows(secret);
    const db::Param params[] = {name};
    const db::Command command = identity::command("svc_hook_in", kHookIn, params, &rows);
    const db::Outcome outcome = co_await system.run({&command, 1});
    if (!outcome.ok) co_return identity::refusal(outcome);
    co_return std::move(rows.hook);
}

}  // namespace

Task<identity::Result<std::optional<WebhookIn>>> webhook_in(db::Pool& system,
                                                            std::string_view secret,
                                                            std::string_view name) {
    if (!is_name(name)) co_return std::nullopt;
    auto hook = co_await read(system, secret, name);
    const bool lacks = hook && *hook && (*hook)->secret_name.empty() && (*hook)->secrets.empty() &&
                       (*hook)->scheme != Scheme::none;
    if (!lacks) co_return hook;
    const std::string sealed = identity::Sealer(secret, kOurs).seal(new_secret());
    const db::Param params[] = {name, sealed};
    const db::Command command = identity::command("svc_hook_secret", kMake, params);
    const db::Outcome outcome = co_await system.run({&command, 1});
    if (!outcome.ok) co_return identity::refusal(outcome);
    auto made = co_await read(system, secret, name);
    co_return made;
}

Task<identity::Result<std::string>> rotate(db::Pool& system, std::string_view secret,
                                           std::string_view name) {
    std::string value = new_secret();
    const std::string sealed = identity::Sealer(secret, kOurs).seal(value);
    const db::Param params[] = {name, sealed};
    const db::Command command = identity::command("svc_hook_secret_replace", kReplace, params);
    const db::Outcome outcome = co_await system.run({&command, 1});
    if (!outcome.ok && outcome.error().sqlstate == base::sqlstate::kTaken)
        co_return identity::refusal(Code::conflict,
                                    "Another call is replacing this secret right now. Try again.");
    if (!outcome.ok) co_return identity::refusal(outcome);
    co_return std::move(value);
}

Task<identity::Result<std::vector<std::string>>> signing_secrets(db::Pool& system,
                                                                 std::string_view secret,
                                                                 std::string_view name,
                                                                 std::string_view host) {
    SealedRows rows(secret);
    const db::Param params[] = {name, host};
    const db::Command command = identity::command("svc_hook_signing", kSigning, params, &rows);
    const db::Outcome outcome = co_await system.run({&command, 1});
    if (!outcome.ok) co_return identity::refusal(outcome);
    co_return std::move(rows.values);
}

}  // namespace svc::hook
