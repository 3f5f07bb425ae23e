#include "identity/secret/project_secret.hpp"

#include "db/one_value.hpp"
#include "identity/command.hpp"
#include "identity/secret/sealer.hpp"

namespace svc::identity {
namespace {

constexpr std::string_view kSecret =
    "select sealed from svc.secret where name = $1::text"
    " and ($2::text is null or $2::text <> '' and $2::text = any (hosts))";

}  // namespace

Task<Result<std::optional<std::string>>> project_secret(db::Pool& system, std::string_view secret,
                                                        std::string_view name,
                                                        std::optional<std::string_view> host) {
    db::OneText sealed;
    const db::Param params[] = {name, host};
    const db::Command command = identity::command("svc_secret", kSecret, params, &sealed);
    const db::Outcome outcome = co_await system.run({&command, 1});
    if (!outcome.ok) co_return refusal(outcome);
    if (!sealed.text) co_return std::nullopt;
    co_return Sealer(secret, "secret").unseal(*sealed.text).value_or("");
}

}  // namespace svc::identity
