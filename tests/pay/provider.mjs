// A card provider of our own, which keeps what it was asked for as Stripe's API of checkout sessions does. It is itself
// held to Stripe's npm package (provider.test.mjs).
import { createServer } from 'node:http';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packages } from '../lib/npm.mjs';

export const Stripe = packages(join(dirname(fileURLToPath(import.meta.url)), '../hooks'))('stripe');
export const secretKey = 'sk_test_51OfOurs0123456789';
export const webhookSecret = 'whsec_of_ours';

const hour = 3600;
const now = () => Math.floor(Date.now() / 1000);

class Refused extends Error {
  constructor(status, type, message, param) {
    super(message);
    Object.assign(this, { status, body: { error: { type, message, ...(param ? { param } : {}) } } });
  }
}
const invalid = (message, param) => new Refused(400, 'invalid_request_error', message, param);

// What Stripe answers while another request with the same key is under way.
export const keyInUse = { status: 409, body: { error: { type: 'invalid_request_error', code: 'idempotency_key_in_use', message: 'There is currently another in-progress request using this key.' } } };

// a[b][0]=c as nested objects.
function formOf(text) {
  const out = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const path = name.replaceAll(']', '').split('[');
    let at = out;
    for (const step of path.slice(0, -1)) at = at[step] ??= {};
    at[path.at(-1)] = value;
  }
  return out;
}

export class Provider {
  static async start() {
    const provider = new Provider();
    provider.server = createServer((request, reply) => {
      const pieces = [];
      request.on('data', (piece) => pieces.push(piece));
      request.on('end', () => provider.answer(request, reply, Buffer.concat(pieces).toString('utf8')));
    });
    await new Promise((done) => provider.server.listen(0, '127.0.0.1', done));
    provider.port = provider.server.address().port;
    provider.url = `http://127.0.0.1:${provider.port}`;
    return provider;
  }

  sessions = new Map();
  intents = new Map();
  calls = [];
  answers = new Map();  // by idempotency key
  // A test's own: called before a call is looked at (`before`) or once it was done and not yet answered (`after`); what it
  // gives is answered instead: {status, body, headers, old}, or 'cut' for half an answer. `old`: in HTTP/1.0.
  before = async () => null;
  after = async () => null;
  client = new Stripe('sk_test_none');
  #count = 0;
  #underWay = new Set();  // idempotency keys

  async answer(request, reply, text) {
    const call = { method: request.method, path: request.url, headers: request.headers, text, form: formOf(text) };
    this.calls.push(call);
    const key = call.method === 'POST' && call.headers['idempotency-key'];
    const made = key && this.#underWay.has(key) ? keyInUse : await this.#made(call, key);
    if (made === 'cut') {
      reply.writeHead(200, { 'content-type': 'application/json', 'content-length': 5000 });
      return void reply.write('{"id": "cs_test_', () => reply.destroy());
    }
    if (made.old) return void reply.socket.end(`HTTP/1.0 ${made.status} OK\r\ncontent-type: application/json\r\n\r\n${JSON.stringify(made.body)}`);
    reply.writeHead(made.status, { 'content-type': 'application/json', ...made.headers }).end(JSON.stringify(made.body));
  }

  async #made(call, key) {
    if (key) this.#underWay.add(key);
    try {
      const instead = await this.before(call);
      if (instead) return instead;
      const made = this.serve(call);
      return (await this.after(call, made)) ?? made;
    } finally {
      this.#underWay.delete(key);
    }
  }

  serve(call) {
    try {
      if (call.headers.authorization !== `Bearer ${secretKey}`) throw new Refused(401, 'invalid_request_error', 'Invalid API Key provided');
      const key = call.method === 'POST' && call.headers['idempotency-key'];
      const known = key && this.answers.get(key);
      if (known && known.text !== call.text) throw new Refused(400, 'idempotency_error', 'Keys for idempotent requests can only be used with the same parameters.');
      if (known) return known.made;
      const made = { status: 200, body: this.route(call) };
      if (key) this.answers.set(key, { text: call.text, made: structuredClone(made) });
      return made;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return { status: error.status, body: error.body };
    }
  }

  route({ method, path, form }) {
    const { pathname, searchParams } = new URL(path, this.url);
    const [, , , , id, act] = pathname.split('/');
    if (!pathname.startsWith('/v1/checkout/sessions')) throw new Refused(404, 'invalid_request_error', 'Unrecognized request URL');
    if (method === 'POST' && !id) return this.create(form);
    const session = this.sessions.get(id);
    if (!session) throw new Refused(404, 'invalid_request_error', `No such checkout.session: ${id}`, 'session');
    if (method === 'POST' && act === 'expire') {
      if (session.status !== 'open') throw invalid('Only Checkout Sessions with a status in ["open"] can be expired.');
      this.end(id, 'expired', 'unpaid');
    } else if (method !== 'GET' || act) {
      throw new Refused(404, 'invalid_request_error', 'Unrecognized request URL');
    }
    const expand = searchParams.getAll('expand[]').concat(searchParams.getAll('expand[0]'));
    return this.shown(session, expand.includes('payment_intent'));
  }

  create(form) {
    const items = Object.values(form.line_items ?? {});
    if (form.mode !== 'payment') throw invalid('mode must be payment', 'mode');
    if (!form.success_url || !URL.canParse(form.success_url)) throw invalid('Not a valid URL', 'success_url');
    if (items.length === 0) throw invalid('line_items is missing', 'line_items');
    for (const { quantity, price_data: price } of items) {
      if (!/^[1-9]\d*$/.test(quantity) || !/^\d+$/.test(price?.unit_amount) || !/^[a-z]{3}$/.test(price?.currency) || !price?.product_data?.name) {
        throw invalid('A line item is not as it should be', 'line_items');
      }
      if (['isk', 'ugx'].includes(price.currency) && price.unit_amount % 100) throw invalid('This currency has no cents', 'line_items');
      if (['bhd', 'kwd', 'jod', 'omr', 'tnd'].includes(price.currency) && price.unit_amount % 10) throw invalid('The last digit must be 0', 'line_items');
    }
    const expires = Number(form.expires_at ?? now() + 24 * hour);
    if (expires < now() + hour / 2 || expires > now() + 24 * hour) throw invalid('expires_at must be 30 minutes to 24 hours away', 'expires_at');
    const id = `cs_test_${(this.#count += 1).toString().padStart(12, '0')}`;
    const session = {
      id, object: 'checkout.session', mode: 'payment', status: 'open', payment_status: 'unpaid', payment_intent: null,
      amount_total: items.reduce((sum, { quantity, price_data: price }) => sum + quantity * price.unit_amount, 0),
      currency: items[0].price_data.currency, client_reference_id: form.client_reference_id ?? null,
      success_url: form.success_url, cancel_url: form.cancel_url ?? null, expires_at: expires, livemode: false,
      metadata: form.metadata ?? {}, url: `https://checkout.example.test/c/${id}`,
    };
    this.sessions.set(id, session);
    return { ...session };
  }

  shown(session, expanded) {
    const intent = this.intents.get(session.payment_intent);
    return { ...session, payment_intent: expanded && intent ? { ...intent } : session.payment_intent };
  }

  end(id, status, payment, intent) {
    const session = this.sessions.get(id);
    Object.assign(session, { status, payment_status: payment, url: null });
    if (!intent) return session;
    session.payment_intent = `pi_${id}`;
    this.intents.set(session.payment_intent, { id: session.payment_intent, object: 'payment_intent', status: intent, amount: session.amount_total, currency: session.currency });
    return session;
  }

  // Actions of the customer and the banks.
  pay(id) { return this.end(id, 'complete', 'paid', 'succeeded'); }
  transfer(id) { return this.end(id, 'complete', 'unpaid', 'processing'); }
  failTransfer(id) { return this.end(id, 'complete', 'unpaid', 'requires_payment_method'); }
  expire(id) { return this.end(id, 'expired', 'unpaid'); }

  // The session that stands behind a payment page.
  idOf(url) { return new URL(url).pathname.split('/').at(-1); }

  // {body, headers} of a webhook's call, signed by Stripe's own package.
  event(type, id, { secret = webhookSecret, name = `evt_${(this.#count += 1)}`, at = now(), object } = {}) {
    const body = JSON.stringify({ id: name, object: 'event', type, created: at, data: { object: object ?? this.shown(this.sessions.get(id), false) } });
    return { body, headers: { 'content-type': 'application/json', 'stripe-signature': this.client.webhooks.generateTestHeaderString({ payload: body, secret, timestamp: at }) } };
  }

  stop() {
    this.server.closeAllConnections();
    return new Promise((done) => this.server.close(done));
  }
}
