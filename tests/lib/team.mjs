// People of a stack's workspaces: how they are invited, join and sign in.
export class Team {
  constructor(stack) { this.stack = stack; }

  path(rest = '', workspace = this.stack.workspace) { return `/workspaces/${workspace}/members${rest}`; }
  invite(email, role, { workspace, ...options } = {}) { return this.stack.dev('POST', this.path('', workspace), { email, role }, options); }
  list(options = {}) { return this.stack.dev('GET', this.path('', options.workspace), undefined, { expect: 200, ...options }).then(({ json }) => json.members); }
  remove(id, { workspace, ...options } = {}) { return this.stack.dev('DELETE', this.path(`/${id}`, workspace), undefined, options); }

  // Opens the page of a link as its holder.
  open(joinUrl) { return this.stack.fetch('GET', new URL(joinUrl).pathname + new URL(joinUrl).search); }
  joinPage(joinUrl, password, more = {}) {
    const { pathname, searchParams } = new URL(joinUrl);
    return this.stack.fetch('POST', pathname, { body: { token: searchParams.get('token'), password, ...more } });
  }
  // With a session, by the API.
  join(joinUrl, session) { return this.stack.dev('POST', '/join', { token: new URL(joinUrl).searchParams.get('token') }, { token: session }); }

  signIn(email, password, options = { expect: 200 }) { return this.stack.dev('POST', '/session', { email, password }, { token: null, ...options }); }
  // A new person in a workspace: {id, email, password, session}.
  async person(email, role, options = {}) {
    const { json } = await this.invite(email, role, { expect: 201, ...options });
    const password = `${email} has a password`;
    const joined = await this.joinPage(json.joinUrl, password);
    if (joined.status !== 200) throw new Error(`${email}: ${joined.status} ${joined.text}`);
    return { id: json.userId, email, password, session: (await this.signIn(email, password)).json.token };
  }
  async workspace(name, session = this.stack.session) {
    return (await this.stack.dev('POST', '/workspaces', { name }, { token: session, expect: 201 })).json.workspace.id;
  }
}

export const outcome = ({ status, json }) => `${status}${json?.code ? ` ${json.code}` : ''}`;
