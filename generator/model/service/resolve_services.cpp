// Organisations, ways to sign in, files and AI: settings that name no entity.
#include <algorithm>
#include <string_view>

#include "contract/shape/shape.hpp"
#include "model/names.hpp"
#include "model/parts.hpp"
#include "model/urls.hpp"
#include "model/values.hpp"

namespace svc::model {
namespace {

constexpr std::string_view kOidc = "oidc:";
constexpr std::uint64_t kMaxFileSize = 1ULL << 30;

std::string without_prefix(const std::string& secret) {
    return secret.substr(contract::kSecretPrefix.size());
}

void bad_option(Work work, const std::string& path, const std::string& message,
                const std::string& fix = {}) {
    work.findings.error("BAD_OPTION", path, message, fix);
}

Provider provider(Work work, const contract::Provider& in) {
    Provider out;
    out.id = in.id.text;
    out.label = in.label.text.empty() ? words(out.id) : in.label.text;
    out.client_id = in.client_id.text;
    out.client_secret = without_prefix(in.client_secret.text);
    out.scopes = distinct_names(work, in.scopes);
    if (out.scopes.empty()) out.scopes = {"openid", "email", "profile"};
    if (in.preset) out.preset = in.preset->text;
    if (in.issuer) {
        out.issuer = in.issuer->text;
        if (!is_safe_address(out.issuer)) {
            work.findings.error("BAD_URL", in.issuer->path,
                                "\"" + out.issuer + "\" is not an https address of an issuer.",
                                "write the address below which the provider answers "
                                "/.well-known/openid-configuration");
        }
    }
    if (out.client_id.empty()) {
        bad_option(work, in.client_id.path, "The client's id is empty.",
                   "write the id that the provider gave to this app");
    }
    return out;
}

std::vector<Provider> providers(Work work) {
    std::vector<Provider> out;
    NameTable names(NameKind::other, work.findings);
    for (const contract::Provider& in : work.in.auth.providers) {
        names.add(in.id);
        out.push_back(provider(work, in));
    }
    return out;
}

void method(Work work, const contract::Text& name, const std::vector<Provider>& known, Auth& out) {
    if (name.text == "password") {
        out.password = true;
        return;
    }
    if (name.text == "magic") {
        out.magic = true;
        return;
    }
    if (name.text == "passkey") {
        out.passkey = true;
        return;
    }
    if (!name.text.starts_with(kOidc)) {
        work.findings.error("UNKNOWN_VALUE", name.path,
                            "There is no sign-in method " + contract::json_string(name.text) + ".",
                            "use password, magic, passkey or oidc:<provider>");
        return;
    }
    const std::string id = name.text.substr(kOidc.size());
    const auto found =
        std::find_if(known.begin(), known.end(), [&](const Provider& p) { return p.id == id; });
    if (found == known.end()) {
        std::vector<std::string> ids;
        ids.reserve(known.size());
        for (const Provider& provider : known) ids.push_back(provider.id);
        work.findings.missing("UNKNOWN_PROVIDER", id, name.path,
                              "There is no provider \"" + id + "\" in auth.providers.",
                              did_you_mean(id, ids, "add it to auth.providers"));
        return;
    }
    out.providers.push_back(*found);
}

std::uint32_t number(Work work, const std::optional<contract::Value>& value, std::uint32_t least,
                     std::uint32_t greatest, std::uint32_t otherwise) {
    if (!value) return otherwise;
    const auto given = static_cast<std::uint32_t>(std::stoul(value->text));
    if (given < least || given > greatest) {
        const std::string key = value->path.substr(value->path.rfind('/') + 1);
        const std::string range =
            "from " + std::to_string(least) + " to " + std::to_string(greatest);
        bad_option(work, value->path,
                   "\"" + key + "\" must be " + range + ", but is " + value->text + ".",
                   "use a number " + range);
    }
    return given;
}

std::optional<std::uint32_t> tokens(const std::optional<contract::Value>& value) {
    if (!value) return std::nullopt;
    return static_cast<std::uint32_t>(std::stoul(value->text));
}

void model_name(Work work, const std::optional<contract::Text>& in,
                const std::vector<std::string>& allowed, std::string& out) {
    if (!in) return;
    out = in->text;
    if (out.empty() || out.size() > 200) {
        bad_option(work, in->path, "A model's name has 1 to 200 bytes.");
    } else if (!allowed.empty() &&
               std::find(allowed.begin(), allowed.end(), out) == allowed.end() &&
               !work.findings.doubts("/ai/models")) {
        bad_option(work, in->path, "\"" + out + "\" is not in \"models\".", "add it to \"models\"");
    }
}

void quota(Work work, const std::optional<contract::Text>& in, std::uint64_t& out) {
    if (!in) return;
    out = bytes_of(in->text).value_or(0);
    if (out != 0) return;
    work.findings.error("BAD_SIZE", in->path, "\"" + in->text + "\" is not a size.",
                        "write a whole number and KB, MB or GB: \"500MB\"");
}

}  // namespace

void resolve_orgs(Work work) {
    const contract::Orgs& in = work.in.orgs;
    if (!in.enabled) return;
    work.out.org_roles = distinct_names(work, in.roles);
    if (work.out.org_roles.empty()) work.out.org_roles = {"owner", "admin", "member"};
    const auto& roles = work.out.org_roles;
    if (std::find(roles.begin(), roles.end(), "owner") == roles.end() &&
        !work.findings.doubts("/orgs/roles")) {
        bad_option(
            work, in.roles.front().path,
            "\"roles\" has no \"owner\": the account that creates an organisation gets this role.",
            "add \"owner\" as the first role");
    }
}

void resolve_sign_in(Work work) {
    const std::vector<Provider> known = providers(work);
    Auth& out = work.out.auth;
    if (!work.in.auth.methods) {
        out.providers = known;
        return;
    }
    out.password = out.magic = out.passkey = false;
    for (const contract::Text& name : distinct(work, *work.in.auth.methods)) {
        method(work, name, known, out);
    }
    if (work.in.auth.methods->empty()) {
        work.findings.missing("BAD_OPTION", "/auth/methods", "/auth/methods",
                              "\"methods\" is empty, so nobody can sign in.",
                              "add password, magic, passkey or oidc:<provider>");
    }
}

void resolve_files(Work work) {
    Files& out = work.out.files;
    out.mime = known_mime();
    if (!work.in.services.files) return;
    const contract::Files& in = *work.in.services.files;
    if (in.max_size) {
        out.max_size = bytes_of(in.max_size->text).value_or(0);
        if (out.max_size == 0) {
            work.findings.error("BAD_SIZE", in.max_size->path,
                                "\"" + in.max_size->text + "\" is not a size.",
                                "write a whole number and KB, MB or GB: \"25MB\"");
        } else if (out.max_size > kMaxFileSize) {
            work.findings.error("BAD_SIZE", in.max_size->path, "\"maxSize\" can be at most 1GB.",
                                "write \"1GB\" or less");
        }
    }
    quota(work, in.user_quota, out.user_quota);
    quota(work, in.project_quota, out.project_quota);
    if (!in.mime) return;
    out.mime = distinct_names(work, *in.mime);
    for (const contract::Text& pattern : *in.mime) {
        if (is_known_mime(pattern.text)) continue;
        work.findings.error("BAD_MIME", pattern.path,
                            "Files of type \"" + pattern.text + "\" are never allowed.",
                            did_you_mean(pattern.text, known_mime(),
                                         "the allowed types are " + joined(known_mime())));
    }
    if (in.mime->empty()) {
        work.findings.missing("BAD_MIME", "/files/mime", "/files/mime",
                              "\"mime\" is empty, so no file can be uploaded.",
                              "name types, or remove \"mime\" to allow all known types");
    }
}

void resolve_ai(Work work) {
    if (!work.in.services.ai) return;
    const contract::Ai& in = *work.in.services.ai;
    Ai& out = work.out.ai;
    out.present = true;
    if (in.models) out.models = distinct_names(work, *in.models);
    model_name(work, in.model, out.models, out.model);
    model_name(work, in.embed_model, out.models, out.embed_model);
    if (in.system) out.system = in.system->text;
    out.max_input_chars = number(work, in.max_input_chars, 1, 1'000'000, out.max_input_chars);
    out.max_output_tokens = number(work, in.max_output_tokens, 1, 1'000'000, out.max_output_tokens);
    out.per_user_daily = tokens(in.per_user_daily);
    out.per_project_daily = tokens(in.per_project_daily);
    if (!in.models) {
        for (const std::string& name : {out.model, out.embed_model}) {
            if (!name.empty()) out.models.push_back(name);
        }
    }
}

}  // namespace svc::model
