// The page where a builder registers a passkey: only a browser can make one. Its script calls the
// developer API as any client does, keeps nothing, and signs out when it is done.
#include "routes/account/page.hpp"
#include "routes/account/second_factor.hpp"
#include "routes/routes.hpp"

namespace svc::devapi {
namespace {

constexpr const char* kPasskeysTitle = "svc: register a passkey";

constexpr std::string_view kRegisterForm =
    "<h1>Register a passkey</h1><noscript><p>This page needs a browser that runs "
    "scripts.</p></noscript><form method=\"post\" action=\"/passkeys\" hidden>"
    "<label>E-mail<input type=\"email\" name=\"email\" autocomplete=\"username\" required></label>"
    "<label>Password<input type=\"password\" name=\"password\" autocomplete=\"current-password\" "
    "required></label>"
    "<label>Code of your authenticator app, if you have one<input name=\"code\" "
    "autocomplete=\"one-time-code\"></label>"
    "<label>A second code, because each code works only once: the next one, or a backup code<input "
    "name=\"next\" autocomplete=\"off\"></label>"
    "<label>Name of the passkey<input name=\"name\" maxlength=\"80\" autocomplete=\"off\"></label>"
    "<p role=\"status\"></p><button>Register</button></form>";

constexpr std::string_view kRegisterScript = R"(
const form = document.querySelector('form'), said = form.querySelector('p');
form.hidden = !window.PublicKeyCredential;
const call = async (method, path, body, token) => {
  const headers = { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) };
  const answer = await fetch(`/dev/v1${path}`, { method, headers, body: body && JSON.stringify(body) });
  const json = await answer.json();
  if (!answer.ok) throw new Error(json.error);
  return json;
};
const used = async (options) => (await navigator.credentials.get({
  publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) })).toJSON();
const signIn = async ({ email, password, code }) => {
  const first = await call('POST', '/session', { email, password });
  if (!first.needsMfa) return first.token;
  const shown = code || !first.passkeyOptions ? { code } : { passkey: await used(first.passkeyOptions) };
  return (await call('POST', '/session/mfa', { pending: first.pending, ...shown })).token;
};
const register = async ({ password, next, name }, token) => {
  const { options } = await call('POST', '/mfa/passkeys/register/start', { password, ...(next ? { code: next } : {}) }, token);
  const made = await navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) });
  await call('POST', '/mfa/passkeys/register/finish', { credential: made.toJSON(), name }, token);
};
form.addEventListener('submit', async (event) => {
  event.preventDefault();
  const fields = Object.fromEntries(new FormData(form));
  let token;
  try {
    token = await signIn(fields);
    await register(fields, token);
    form.reset();
    said.textContent = 'The passkey is registered. Other sessions of this account have ended.';
  } catch (error) {
    said.textContent = error.message;
  } finally {
    if (token) await call('DELETE', '/session', undefined, token).catch(() => {});
  }
});
)";

void show_register(Context& context, const Request&, Response& response) {
    if (passkey_site(context.config).empty())
        return page(response, 404, kPasskeysTitle,
                    "<p role=\"alert\">Passkeys need a host name, but this service is reached by "
                    "an IP address. Ask its operator to set SVC_PUBLIC_ORIGIN.</p>");
    page(response, 200, kPasskeysTitle, kRegisterForm, {kRegisterScript, true});
}

}  // namespace

void bind_passkey_page(RouteTable& pages) {
    pages.add({"GET", "/passkeys", Need::nothing, Role::viewer, show_register});
}

}  // namespace svc::devapi
