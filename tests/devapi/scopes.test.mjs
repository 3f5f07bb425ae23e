// Access to every route of svcd: scope of a token × role in the workspace × operation × environment. The expectation is
// the interface's table, written down here.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import test, { after, before } from 'node:test';
import { sql } from '../lib/admin_sql.mjs';
import { Stack, bin, owner } from '../lib/stack.mjs';

// need: nothing, any, read, apply, deploy, session; change: apply on dev, deploy on prod; read_or_change:
// read, and for what changes something the same. role: the least in the project's workspace.
const expected = {
  'POST /session': ['nothing'], 'DELETE /session': ['session'], 'GET /me': ['any'], 'GET /docs': ['any'], 'POST /mcp': ['any'],
  'POST /session/mfa': ['nothing'], 'GET /mfa': ['session'], 'POST /mfa/enroll/start': ['session'], 'POST /mfa/enroll/confirm': ['session'],
  'POST /mfa/disable': ['session'], 'POST /mfa/backup-codes/regenerate': ['session'], 'GET /mfa/passkeys': ['session'],
  'POST /mfa/passkeys/register/start': ['session'], 'POST /mfa/passkeys/register/finish': ['session'], 'DELETE /mfa/passkeys/:': ['session'],
  'PATCH /workspaces/:': ['session'],
  'POST /tokens': ['session'], 'GET /tokens': ['any'], 'DELETE /tokens/:': ['any'],
  'GET /projects': ['any'], 'POST /projects': ['apply'],
  'GET /projects/:': ['any', 'viewer'], 'PATCH /projects/:': ['apply', 'developer'], 'DELETE /projects/:': ['deploy', 'admin'],
  'GET /projects/:/contract': ['any', 'viewer'], 'POST /projects/:/contract/merge': ['read', 'viewer'], 'POST /projects/:/check': ['any', 'viewer'],
  'POST /projects/:/apply': ['apply', 'developer'], 'POST /projects/:/patch': ['apply', 'developer'],
  'POST /projects/:/verify': ['any', 'viewer'], 'POST /projects/:/data/query': ['read', 'viewer'],
  'GET /projects/:/logs': ['any', 'viewer'], 'POST /projects/:/deploy': ['deploy', 'developer'],
  'POST /projects/:/sql': ['read_or_change', 'viewer'], 'POST /projects/:/rows': ['change', 'viewer'],
  'GET /projects/:/schema': ['read', 'viewer'],
  'GET /projects/:/snapshots': ['read', 'viewer'], 'POST /projects/:/snapshots': ['apply', 'developer'],
  'POST /projects/:/snapshots/:/restore': ['deploy', 'developer'],
  'GET /projects/:/deploys': ['read', 'viewer'], 'POST /projects/:/deploys/:/rollback': ['deploy', 'developer'],
  'DELETE /projects/:/preview': ['deploy', 'developer'],
  'POST /projects/:/workflows/:/run': ['change', 'viewer'], 'GET /projects/:/runs/:': ['read', 'viewer'],
  'GET /projects/:/dead-letters': ['read', 'viewer'], 'POST /projects/:/dead-letters/replay': ['apply', 'developer'],
  'GET /projects/:/workflows': ['read', 'viewer'], 'POST /projects/:/runs/:/cancel': ['change', 'viewer'],
  'GET /projects/:/held': ['change', 'viewer'], 'POST /projects/:/held/release': ['change', 'viewer'], 'POST /projects/:/held/drop': ['change', 'viewer'],
  'GET /projects/:/hooks': ['read', 'viewer'], 'GET /projects/:/hooks/:/secret': ['change', 'viewer'], 'POST /projects/:/hooks/:/rotate': ['change', 'viewer'], 'GET /projects/:/deliveries': ['read', 'viewer'], 'POST /projects/:/deliveries/:/redeliver': ['change', 'viewer'], 'GET /projects/:/ai/usage': ['read', 'viewer'],
  'GET /projects/:/payments': ['read', 'viewer'], 'GET /projects/:/payments/:': ['read', 'viewer'], 'POST /projects/:/payments/:/end': ['change', 'viewer'],
  'GET /projects/:/files': ['read', 'viewer'], 'GET /projects/:/files/check': ['read', 'viewer'],
  'GET /projects/:/tail': ['read', 'viewer'], 'GET /projects/:/rows/:/:/history': ['read', 'viewer'],
  'GET /projects/:/topics': ['read', 'viewer'], 'POST /projects/:/topics/:/publish': ['change', 'viewer'],
  'GET /projects/:/secrets': ['read', 'viewer'], 'PUT /projects/:/secrets/:': ['apply', 'admin'], 'DELETE /projects/:/secrets/:': ['apply', 'admin'],
  'PATCH /projects/:/secrets/:': ['apply', 'admin'], 'POST /projects/:/domains/:/verify': ['deploy', 'developer'],
  'PUT /projects/:/domains/:': ['deploy', 'developer'], 'DELETE /projects/:/domains/:': ['deploy', 'developer'],
  // Routes that the table leaves open.
  'GET /projects/:/client': ['any', 'viewer'], 'GET /projects/:/openapi': ['any', 'viewer'],
  'GET /projects/:/keys': ['any', 'viewer'], 'POST /projects/:/keys': ['session', 'developer'], 'DELETE /projects/:/keys/:': ['apply', 'developer'],
  'POST /projects/:/preview-token': ['any', 'viewer'], 'GET /projects/:/mail': ['change', 'viewer'],
  'GET /projects/:/sign-in': ['any', 'viewer'], 'POST /projects/:/sign-in': ['apply', 'developer'],
  'POST /workspaces': ['session'], 'GET /workspaces/:/members': ['session'], 'POST /workspaces/:/members': ['session'],
  'PUT /workspaces/:/members/:': ['session'], 'DELETE /workspaces/:/members/:': ['session'], 'GET /workspaces/:/audit': ['any'],
  'POST /join': ['session'], 'POST /projects/:/keys/:/adopt': ['session', 'admin'],
  'POST /cli/login': ['nothing'], 'POST /cli/login/poll': ['nothing'],
  'POST /components/check': ['any'], 'POST /projects/:/components/check': ['any', 'viewer'],
  'POST /projects/:/screenshot': ['any', 'viewer'],
  'GET /projects/:/demo-reset': ['read', 'viewer'], 'POST /projects/:/demo-reset': ['apply', 'developer'],
};
const roles = ['viewer', 'developer', 'admin', 'owner'];
const tokenScopes = [['read'], ['apply'], ['deploy'], ['read', 'apply'], ['read', 'apply', 'deploy']];
const shape = (path) => path.replace(/:\w+/g, ':');
const { routes } = JSON.parse(execFileSync(join(bin, 'svcd'), ['--routes'], { encoding: 'utf8' }));

let stack, project;
before(async () => {
  stack = await Stack.start();
  await stack.signIn();
  project = await stack.project('Matrix');
});
after(() => stack?.stop());

test('the routes are those of the table, with its needs', () => {
  for (const { method, path, need, role } of routes) {
    const wanted = expected[`${method} ${shape(path)}`];
    assert.ok(wanted, `${method} ${path} stands in no table: say here who may call it`);
    assert.deepEqual([need, role], [wanted[0], wanted[1] ?? 'viewer'], `${method} ${path}`);
  }
});

// A refusal because of the caller; any other answer is about the request.
function verdict({ status, json }) {
  if (status === 401) return 'UNAUTHENTICATED';
  if (status === 404 && json?.error === 'Project not found.') return 'out of reach';
  return ['FORBIDDEN_SCOPE', 'FORBIDDEN_ROLE', 'SESSION_REQUIRED'].includes(json?.code) ? json.code : 'passed';
}

// All allowed verdicts: the order of two reasons is not promised.
function allowed({ need, role, project: below }, { scopes, role: has }, env) {
  if (need === 'nothing') return ['passed'];
  // A token is of its workspace: it ends with the membership.
  if (has === 'nobody' || (has === 'stranger' && scopes)) return ['UNAUTHENTICATED'];
  const reasons = [];
  const change = need === 'change';
  const changing = env === 'prod' ? 'deploy' : 'apply';
  const either = need === 'read_or_change' && scopes?.includes(changing);
  const scope = change || either ? changing : need === 'read_or_change' ? 'read' : need;
  if (need === 'session' && scopes) reasons.push('SESSION_REQUIRED');
  if (['read', 'apply', 'deploy'].includes(scope) && scopes && !scopes.includes(scope)) reasons.push('FORBIDDEN_SCOPE');
  // Outside of projects a viewer's token keeps nothing of apply and deploy.
  if (!below && ['apply', 'deploy'].includes(scope) && has === 'viewer' && scopes) reasons.push('FORBIDDEN_ROLE');
  if (below && has === 'stranger') return [...(change || need === 'read_or_change' ? [] : reasons), 'out of reach'];
  const least = change || (either && !scopes.includes('read')) ? 'developer' : role;
  if (below && roles.indexOf(has) < roles.indexOf(least)) reasons.push('FORBIDDEN_ROLE');
  return reasons.length ? reasons : ['passed'];
}

// A person of this role with a session and tokens of every kind. Roles are given after the tokens were
// minted: a role that was taken away counts at once.
async function person(role) {
  const email = `one-${role}@example.test`;
  const [[id]] = sql(stack, 'svc_platform', `with a as (insert into account (id, email, password_hash) select gen_random_uuid(), '${email}', password_hash
    from account where email = '${owner.email}' returning id) insert into member (workspace_id, user_id, role) select '${stack.workspace}', id, 'owner' from a returning user_id`);
  const session = (await stack.dev('POST', '/session', { ...owner, email }, { token: null, expect: 200 })).json.token;
  const credentials = [{ role, token: session }];
  for (const scopes of tokenScopes) {
    const body = { name: scopes.join(), workspaceId: stack.workspace, scopes };
    credentials.push({ role, scopes, token: (await stack.dev('POST', '/tokens', body, { token: session, expect: 201 })).json.token });
  }
  sql(stack, 'svc_platform', role === 'stranger' ? `delete from member where user_id = '${id}'` : `update member set role = '${role}' where user_id = '${id}'`);
  return credentials;
}

// Calls that nobody may be hurt by: bodies are empty, ids are nobody's.
async function ask({ method, path }, token, env) {
  const at = path.replace('/projects/:id', `/projects/${project.id}`).replace(/:\w+/g, '0198b6a0-0000-7000-8000-00000000000a');
  const body = method === 'GET' || method === 'DELETE' ? undefined : { env };
  return stack.dev(method, at + (method === 'GET' ? `?env=${env}` : ''), body, { token });
}

test('every credential meets every route as the table says', async (t) => {
  const credentials = [{ role: 'nobody', token: null }];
  for (const role of ['stranger', ...roles]) credentials.push(...await person(role));
  let asked = 0;
  for (const route of routes.filter(({ path }) => path !== '/session')) {
    await t.test(`${route.method} ${route.path}`, async () => {
      for (const credential of credentials) {
        for (const env of ['change', 'read_or_change'].includes(route.need) ? ['dev', 'prod'] : ['dev']) {
          const answer = await ask(route, credential.token, env);
          const may = allowed(route, credential, env);
          assert.ok(may.includes(verdict(answer)), `${credential.role} with ${credential.scopes ?? 'a session'} on ${env}: ${answer.status} ${answer.text.slice(0, 300)}, not ${may}`);
          ++asked;
        }
      }
    });
  }
  assert.ok(asked > 1000, `${asked} calls`);
});
