// A real OpenID Connect provider, on a free port of loopback. Any name in its sign-in form is a person.
import { createServer } from 'node:http';
import { pathToFileURL } from 'node:url';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../lib/stack.mjs';
import { packages } from '../lib/npm.mjs';

// `people`: subject -> claims.
export async function startProvider({ redirectUri, people }) {
  const require = packages(dirname(fileURLToPath(import.meta.url)));
  const { default: Provider } = await import(pathToFileURL(require.resolve('oidc-provider')));
  const port = await freePort();
  const issuer = `http://127.0.0.1:${port}`;
  const provider = new Provider(issuer, {
    clients: [{ client_id: 'shop', client_secret: 'the shop\'s secret', redirect_uris: [redirectUri] }],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    conformIdTokenClaims: false,  // the id token has the address
    cookies: { keys: ['a key of this test'] },
    pkce: { required: () => true, methods: ['S256'] },
    findAccount: (_context, sub) => (people[sub] ? { accountId: sub, claims: () => ({ sub, ...people[sub] }) } : undefined),
  });
  provider.on('server_error', (_context, error) => { throw error; });
  const server = createServer(provider.callback());
  await new Promise((done) => server.listen(port, '127.0.0.1', done));
  return { issuer, clientId: 'shop', clientSecret: 'the shop\'s secret', stop: () => new Promise((done) => { server.closeAllConnections(); server.close(done); }) };
}
