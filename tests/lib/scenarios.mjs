// HTTP behaviour as data. A scenario file is {"about": …, "steps": [step]}; a step is
//   {"name", "as": caller, "call": "POST /api/v1/order", "host"?, "headers"?, "body"?, "status", "answer"?, "has"?, "header"?, "keep"?, "keepHeader"?}
// `as` is a caller below; `answer` is matched by match.mjs; `has` stands in the answer's text; `keep` takes values of the answer for later
// steps: {"order": "rows.0.id"} is written as ${order} in calls and bodies; `keepHeader` takes headers: {"version": "etag"}. Steps of a file run in order.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import assert from 'node:assert/strict';
import test from 'node:test';
import { difference } from './match.mjs';

const data = { 'x-svc-data-api': '1' };

// Organisations to act for, as "… of north" says it.
export const orgs = { north: '0198b6a0-0000-7000-8000-00000000000a', south: '0198b6a0-0000-7000-8000-00000000000b' };

// Headers of each caller. People are signed up by the harness; staff act through the server key. "staff
// clerk", "staff clerk,org:admin of north", "server as ann of north".
function callers(project, people) {
  const browser = { authorization: `Bearer ${project.browser}`, origin: 'http://app.test', ...data };
  const server = { authorization: `Bearer ${project.server}`, ...data };
  const all = { nobody: {}, guest: browser, server };
  for (const [name, person] of Object.entries(people)) {
    all[name] = { ...browser, 'x-svc-app-session': person.token };
    all[`server as ${name}`] = { ...server, 'x-svc-app-user': person.id };
  }
  return new Proxy(all, {
    get(target, name) {
      if (name in target) return target[name];
      const member = / of (\w+)$/.exec(name);
      if (member) return { ...this.get(target, name.slice(0, member.index)), 'x-svc-app-org': orgs[member[1]] };
      const role = /^staff ([\w:,]+)$/.exec(name);
      if (role) return { ...server, 'x-svc-app-role': role[1] };
      throw new Error(`no caller ${String(name)}`);
    },
  });
}

const filled = (value, kept) => JSON.parse(JSON.stringify(value), (_, v) =>
  typeof v === 'string' ? v.replace(/\$\{(\w+)\}/g, (_all, name) => kept[name] ?? `\${${name}}`) : v);

const pick = (json, path) => path.split('.').reduce((value, key) => value?.[key], json);

// Where the app asks for it, the address is confirmed by the link that it mailed.
export async function signUp(stack, project, host, name, persona) {
  const headers = { authorization: `Bearer ${project.browser}`, origin: 'http://app.test' };
  const body = { email: `${name}@example.test`, password: `${name} has a password`, name, persona };
  const call = (method, path, sent) => stack.fetch(method, `/__svc/auth/${path}`, { headers, body: sent, host });
  let { json, text } = await call('POST', 'signup', body);
  if (json?.pending) {
    const { mails: [mail] } = (await stack.dev('GET', `/projects/${project.id}/mail?to=${encodeURIComponent(body.email)}`, undefined, { expect: 200 })).json;
    await call('GET', `verify/confirm${new URL(mail.links[0]).search}`);
    ({ json, text } = await call('POST', 'login', { email: body.email, password: body.password }));
  }
  assert.ok(json?.ok, `sign-up of ${name}: ${text}`);
  return { token: json.token, id: json.user.id };
}

// `observe` is shown every call with its answer.
export async function runScenarios({ folder, stack, project, host, people, kept = {}, observe = () => {} }) {
  const as = callers(project, people);
  for (const [name, person] of Object.entries(people)) kept[`${name}_id`] = person.id;
  Object.assign(kept, orgs);
  for (const file of readdirSync(folder).filter((f) => f.endsWith('.json')).sort()) {
    const { about, steps } = JSON.parse(readFileSync(join(folder, file), 'utf8'));
    await test(`${file}: ${about}`, async (t) => {
      for (const step of steps) {
        await t.test(step.name, async () => {
          const [method, path] = filled(step.call, kept).split(/ (.*)/s);
          const headers = { ...as[step.as], ...filled(step.headers ?? {}, kept) };
          for (const [header, value] of Object.entries(headers)) if (value === '') delete headers[header];
          const body = step.body === undefined ? undefined : filled(step.body, kept);
          const target = path.startsWith('!') ? path.slice(1) : `/__svc${encodeURI(path).replace(/%25/g, '%')}`;
          const answer = await stack.fetch(method, target, { headers, body, host: step.host ?? host });
          const shown = `${method} ${path}: ${answer.status} ${answer.text.slice(0, 1000)}`;
          assert.equal(answer.status, step.status, shown);
          if (step.answer) assert.equal(difference(filled(step.answer, kept), answer.json), null, shown);
          observe({ method, path, answer });
          if (step.has) assert.ok(answer.text.includes(step.has), shown);
          for (const [header, value] of Object.entries(step.header ?? {})) {
            assert.equal(difference(value, answer.headers[header], header), null, shown);
          }
          for (const [key, at] of Object.entries(step.keep ?? {})) kept[key] = pick(answer.json, at);
          for (const [key, at] of Object.entries(step.keepHeader ?? {})) kept[key] = answer.headers[at];
        });
      }
    });
  }
}
