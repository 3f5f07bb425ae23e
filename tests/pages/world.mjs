// Somebody at a browser without a script: cookies, links and forms of an app's pages.
import assert from 'node:assert/strict';
import { multipart } from '../files/world.mjs';

const entities = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
export const decoded = (text) => text.replace(/&(amp|lt|gt|quot|#39);/g, (_, name) => entities[name]);

const attributes = (tag) => Object.fromEntries([...tag.matchAll(/ ([a-z-]+)(?:="([^"]*)")?/g)]
  .map(([, name, value]) => [name, decoded(value ?? '')]));

// The controls of a form with their values, as a browser sends them.
function controls(html, parts = false) {
  const out = {};
  for (const [tag] of html.matchAll(/<input[^>]*>/g)) {
    const { name, type, value = '', checked } = attributes(tag);
    if (type === 'file') out[name] = parts ? { file: '', type: 'application/octet-stream', bytes: '' } : '';
    else if (name && (type !== 'checkbox' || checked !== undefined)) out[name] = value;
  }
  for (const [, tag, value] of html.matchAll(/<textarea([^>]*)>\n?([^]*?)<\/textarea>/g)) out[attributes(tag).name] = decoded(value);
  for (const [, tag, options] of html.matchAll(/<select([^>]*)>([^]*?)<\/select>/g)) {
    const all = [...options.matchAll(/<option([^>]*)>/g)].map(([, option]) => attributes(option));
    out[attributes(tag).name] = (all.find((option) => 'selected' in option) ?? all[0])?.value ?? '';
  }
  return out;
}

export class Visitor {
  cookies = new Map();

  constructor(stack, host) {
    this.stack = stack;
    this.host = host;
    this.origin = `http://${host}`;
  }

  async ask(method, path, { headers = {}, body } = {}) {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await this.stack.fetch(method, path, {
      host: this.host, body, headers: { accept: 'text/html', ...(cookie ? { cookie } : {}), ...headers },
    });
    for (const line of answer.headers['set-cookie'] ?? []) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line);
      if (/Max-Age=0/.test(line)) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return answer;
  }

  async get(path, status = 200) {
    const answer = await this.ask('GET', path);
    assert.equal(answer.status, status, `GET ${path}: ${answer.text.slice(0, 2000)}`);
    return answer;
  }

  post(path, members, headers = {}) {
    return this.ask('POST', path, {
      body: new URLSearchParams(members).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: this.origin, ...headers },
    });
  }

  // Posts a form as browsers do if it may have files: an input without a file is sent as a file without a name. A value
  // is a text, or {file, type, bytes}.
  postParts(path, members, headers = {}) {
    const { body, type } = multipart(Object.entries(members).map(([name, value]) => (
      typeof value === 'object' ? { name, ...value } : { name, bytes: value.replaceAll(/\r?\n/g, '\r\n') })));
    return this.ask('POST', path, { body, headers: { 'content-type': type, origin: this.origin, ...headers } });
  }

  // Fills in the form of a page that has a button with these words, and presses it.
  async submit(path, words, values = {}, status = 303) {
    return this.press(path, await this.get(path), words, values, status);
  }

  // As above, on a page that was read already.
  async press(path, page, words, values = {}, status = 303) {
    const form = [...page.text.matchAll(/<form([^>]*)>([^]*?)<\/form>/g)].filter(([, tag]) => /method="post"/.test(tag))
      .find(([, , inner]) => new RegExp(`<button[^>]*>[^<]*(<svg[^]*?</svg>)?${words}`).test(inner));
    assert.ok(form, `${path} has no form to ${words}: ${page.text}`);
    const [, open, inner] = form;
    const [tag] = new RegExp(`<button[^>]*>(?=[^<]*(<svg[^]*?</svg>)?${words})`).exec(inner);
    const { name, value } = attributes(tag);
    const parts = /enctype="multipart\/form-data"/.test(open);
    const members = { ...controls(inner, parts), ...(name ? { [name]: value } : {}), ...values };
    const answer = await (parts ? this.postParts(path, members) : this.post(path, members));
    assert.equal(answer.status, status, `${words} at ${path}: ${answer.status} ${answer.text.slice(0, 3000)}`);
    return answer;
  }

  // Lets the demo link of an account sign this visitor in.
  async signInAs(project, email) {
    const { json } = await this.stack.dev('POST', `/projects/${project.id}/sign-in`, { as: email }, { expect: 200 });
    await this.ask('GET', new URL(json.url).pathname + new URL(json.url).search);
    assert.ok(this.cookies.size > 0, 'the link of the demo gave no session');
  }
}

// A page without the one script that every page has.
export const markup = (html) => html.replace(/<script type="module" nonce="[^"]+" src="\/assets\/[0-9a-f]+\.js"><\/script>/, '');

// Text that people see, without markup.
export const seen = (html) => decoded(html.replace(/<(style|script)[^]*?<\/\1>/g, '').replace(/<[^>]*>/g, ' ')).replace(/\s+/g, ' ');
