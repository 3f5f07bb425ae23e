// Builders with and without a second factor.
import assert from 'node:assert/strict';
import { sql } from './admin_sql.mjs';
import { totp } from './oathtool.mjs';
import { owner } from './stack.mjs';

let made = 0;

// Somebody with the owner's password and a workspace of their own.
export class Builder {
  constructor(stack) {
    this.stack = stack;
    this.email = `builder${++made}@example.test`;
    const [[id]] = this.platform(`insert into account (id, email, password_hash) select gen_random_uuid(), '${this.email}', password_hash
      from account where email = '${owner.email}' returning id`);
    const [[workspace]] = this.platform("insert into workspace (id, name) values (gen_random_uuid(), 'Own') returning id");
    Object.assign(this, { id, workspace });
    this.join(workspace, 'owner');
  }
  platform(text) { return sql(this.stack, 'svc_platform', text); }
  join(workspace, role) { this.platform(`insert into member (workspace_id, user_id, role) values ('${workspace}', '${this.id}', '${role}')`); }
  call(method, path, body, token = this.session) { return this.stack.dev(method, path, body, { token }); }
  password() { return this.stack.dev('POST', '/session', { email: this.email, password: owner.password }, { token: null }); }
  async signIn() {
    const { json } = await this.password();
    this.session = json.token;
    return json;
  }
  async pending() { return (await this.password()).json.pending; }
  show(pending, given) { return this.stack.dev('POST', '/session/mfa', { pending, code: given }, { token: null }); }
  // With the code of the step before, so that this one's and the next one's are there to be used.
  async enrol() {
    await this.signIn();
    const begun = await this.call('POST', '/mfa/enroll/start', { password: owner.password });
    assert.equal(begun.status, 200, begun.text);
    this.secret = begun.json.secret;
    const confirm = () => this.call('POST', '/mfa/enroll/confirm', { code: this.first = totp(this.secret, -1) });
    let confirmed = await confirm();
    if (confirmed.status === 401) confirmed = await confirm();  // the next half minute began on the way
    assert.equal(confirmed.status, 200, confirmed.text);
    this.backup = confirmed.json.backupCodes;
    return this;
  }
  token() { return this.call('POST', '/tokens', { name: 'tool', workspaceId: this.workspace, scopes: ['read', 'apply'] }).then(({ json }) => json.token); }
}

// The answer of the developer API is a refusal of this status and code.
export function refused(answer, status, code) {
  assert.equal(answer.status, status, answer.text);
  assert.equal(answer.json.code, code, answer.text);
}
