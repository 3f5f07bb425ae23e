// The shop's client against a running shop: what a page and a job of it would do.
import assert from "node:assert/strict";
import { connect, SvcError, type App } from "./client/index.js";

export interface Place {
  url: string;
  browserKey: string;
  serverKey: string;
  /** The id of an account whose persona hears of low stock. */
  clerk: string;
  /** The code of an authenticator app, so many half minutes on. */
  code: (secret: string, steps: number) => string;
}

const code = (expected: string, status: number) => (error: unknown) =>
  error instanceof SvcError && error.code === expected && error.status === status && error.message !== "";

async function stockUp(manager: App) {
  const { product } = manager.tables;
  const tea = await product.create({ sku: "OOLONG", title: "Oolong", price: 900, cost: 300, stock: 3 });
  assert.equal(tea.cost, 300);
  assert.equal(tea.active, true);
  assert.equal((await product.update(tea.id, { price: 950 })).price, 950);
  await assert.rejects(product.create({ sku: "OOLONG", title: "Again", price: 1 }), (error: SvcError) => code("CONFLICT", 409)(error) && error.field === "sku");
  await assert.rejects(product.create({ sku: "lower", title: "x", price: 1 }), (error: SvcError) => code("23514", 400)(error) && error.field === "sku");
  return tea;
}

async function bringBack(manager: App, server: App) {
  const { product } = manager.tables;
  const { id } = await product.create({ sku: "GONE", title: "Gone", price: 1, active: false });
  await product.remove(id);
  assert.equal(await product.get(id), null);
  assert.equal((await product.restore(id)).sku, "GONE");
  await assert.rejects(product.restore(id), code("NOT_FOUND", 404));
  const first = await server.tables.product.history(id, { limit: 2 });
  assert.deepEqual(first.history.map(({ event }) => event), ["restored", "deleted"]);
  assert.ok(first.hasMore && first.nextCursor !== null);
  const rest = await server.tables.product.history(id, { cursor: first.nextCursor });
  assert.deepEqual([rest.history[0]?.new?.sku, rest.nextCursor], ["GONE", null]);
  await product.remove(id);
}

async function browse(guest: App, id: string) {
  const { product } = guest.tables;
  const { rows, truncated } = await product.list({ filter: [{ field: "price", op: "gte", value: 900 }, { field: "title", op: "starts_with", value: "oo" }], sort: { field: "title" } });
  assert.deepEqual(rows.map(({ sku }) => sku), ["OOLONG"]);
  assert.equal(truncated, false);
  assert.equal(rows[0]?.cost, undefined, "not for guests");
  assert.equal((await product.list({ limit: 1, where: { active: true } })).truncated, true);
  assert.equal((await product.get(id))?.title, "Oolong");
  assert.equal(await product.get("0198b6a0-0000-7000-8000-000000000009"), null);
  await assert.rejects(product.create({ sku: "X", title: "x", price: 1 }), code("TABLE_FORBIDDEN", 403));
  assert.equal(await guest.auth.me(), null);
}

async function order(customer: App, product: string) {
  const signedUp = await customer.auth.signUp({ email: "client@example.test", password: "a long password", name: "Ann", persona: "customer" });
  assert.ok(!signedUp.pending && signedUp.token === customer.auth.session);
  assert.equal((await customer.auth.me())?.name, "Ann");
  const { order: orders, order_line: lines } = customer.tables;
  const { id, status } = await orders.create({ note: "Ring twice." });
  assert.equal(status, "draft");
  await assert.rejects(orders.transition(id, "place"), (error: SvcError) =>
    code("TRANSITION_REFUSED", 409)(error) && JSON.stringify(error.details["allowed"]) === '["place","cancel"]');
  const line = await lines.create({ order_id: id, product_id: product, quantity: 2 });
  await assert.rejects(lines.update(line.id, { quantity: 4 }), (error: SvcError) => code("RULE_REFUSED", 422)(error) && /Only 3 left/.test(error.message));
  assert.equal((await orders.transition(id, "place")).status, "placed");
  const second = await orders.create({});
  await orders.remove(second.id);
  await assert.rejects(orders.remove(second.id), code("NOT_FOUND", 404));
  const top = await customer.query("reports/top_products", { since: "2026-01-01" });
  assert.deepEqual([top.rows, top.truncated], [[{ title: "Oolong", units: 2 }], false]);
  await assert.rejects(customer.query("reports/top_products", { since: "2026-01-01" }, { admin: true }), (error: SvcError) => error.status === 403 && error.message === "Admin required");
}

async function count(manager: App) {
  const { product } = manager.tables;
  assert.equal((await product.aggregate({ metric: "sum", column: "price", where: { sku: "OOLONG" } })).value, 950);
  const { values, window } = await product.aggregates(["count", "max:price"], { range: "this_month", compare: true });
  assert.deepEqual(values, { count: 2, "max:price": 950 });
  assert.ok(typeof window?.from === "string");
  const { groups, truncated } = await product.groups({ metric: "count", groupBy: "active" });
  assert.deepEqual([groups, truncated], [[{ key: true, value: 2 }], false]);
  const [first] = await manager.search("oolong", ["product", "order"], { snippets: true });
  assert.ok(first?.table === "product" && first.rows[0]?.sku === "OOLONG");
  assert.equal(first.snippets?.[0]?.["title"], "<mark>Oolong</mark>");
}

// Settles once `enough` came.
function collector<T>(enough: number) {
  const got: T[] = [];
  let done: (all: T[]) => void;
  const all = new Promise<T[]>((resolve) => (done = resolve));
  return { all, take: (value: T) => void (got.push(value) === enough && done(got)) };
}

async function watch(customer: App, manager: App, product: string) {
  const me = await customer.auth.me();
  assert.ok(me !== null);
  const orders = collector<readonly { note: string | null }[]>(1);
  const live = await customer.tables.order.live({ where: { note: "Watched." } }, orders.take);
  assert.deepEqual(live.rows, []);
  const stock = collector<string>(1), said = collector<unknown>(2);
  const feed = customer.tables.product.feed((change) => stock.take(change.event === "deleted" ? change.event : `${change.event} ${change.row.stock}`), { filter: [{ field: "sku", op: "eq", value: "OOLONG" }] });
  const letters = customer.topics.subscribe([`app:customer:${me.id}`, "news"], ({ topic, payload }) => said.take([topic === "news", payload]));
  // What happens before a stream has begun is not for it.
  const again = setInterval(() => void manager.tables.product.update(product, { stock: 3 + Math.floor(Math.random() * 1e6) }), 100);
  await stock.all;
  clearInterval(again);
  const calls = setInterval(() => void manager.topics.publish("news", "?"), 100);
  assert.deepEqual((await said.all)[0], [true, "?"]);
  clearInterval(calls);
  await customer.tables.order.create({ note: "Not watched." });
  await customer.tables.order.create({ note: "Watched." });
  assert.deepEqual((await orders.all)[0]?.map(({ note }) => note), ["Watched."]);
  await assert.rejects(customer.topics.publish("counter", 1), code("TOPIC_PUBLISH_FORBIDDEN", 403));
  await assert.rejects(customer.topics.subscribe("counter", () => {}).closed, code("TOPIC_FORBIDDEN", 403));
  for (const each of [live, feed, letters]) {
    each.close();
    await each.closed;
  }
}

async function callAndHear(customer: App, clerk: App, manager: App, { product, me }: { product: string; me: string }) {
  const { place_order } = customer.functions;
  const bought = await place_order({ product, pieces: 2, note: "Called." }, { idempotencyKey: "buy-1" });
  assert.equal(bought.total, 1900);
  assert.deepEqual(await place_order({ product, pieces: 2, note: "Called." }, { idempotencyKey: "buy-1" }), bought);
  assert.equal((await customer.tables.order.get(bought.order ?? ""))?.status, "placed");
  await assert.rejects(place_order({ product, pieces: 4 }), (error: SvcError) => code("RULE_REFUSED", 422)(error) && error.message === "Only 3 left.");
  await assert.rejects(customer.functions.sell({ product }), code("TABLE_FORBIDDEN", 403));
  await assert.rejects(clerk.functions.sell({ product, pieces: 4 }), code("FUNCTION_FAILED", 422));
  const told = collector<string>(1);
  const heard = clerk.notifications.subscribe(me, ({ title }) => told.take(title));
  const sold = setInterval(() => void manager.tables.product.update(product, { stock: 5 }).then(() => clerk.functions.sell({ product })), 200);
  assert.deepEqual(await told.all, ["Low stock: Oolong"]);
  clearInterval(sold);
  heard.close();
  await heard.closed;
  const { notifications: [last], unread } = await clerk.notifications.list({ limit: 1 });
  assert.ok(last !== undefined && last.title === "Low stock: Oolong" && last.body === "4 left." && unread > 0);
  assert.ok((await clerk.notifications.read(last.id)).readAt !== null);
  await clerk.notifications.readAll();
  assert.ok(!(await clerk.notifications.list({ unread: true })).notifications.some(({ id }) => id === last.id));
}

async function look(customer: App) {
  const { rows } = await customer.tables.order.list({ select: ["note", { lines: ["quantity", { product: ["title"] }] }], count: "exact" });
  assert.deepEqual(rows, [{ note: "Ring twice.", lines: [{ quantity: 2, product: { title: "Oolong" } }] }]);
  const over = await customer.tables.order_line.list({ filter: [{ field: "product.title", op: "eq", value: "Oolong" }], sort: [{ field: "product.price" }, { field: "quantity" }] });
  assert.equal(over.rows.length, 1);
}

async function many({ tables: { product } }: App) {
  const cups = await product.createMany([1, 2, 3].map((n) => ({ sku: `CUP-${n}`, title: `Cup ${n}`, price: n * 100 })));
  assert.deepEqual(cups.map(({ sku }) => sku), ["CUP-1", "CUP-2", "CUP-3"]);
  await assert.rejects(product.createMany([{ sku: "CUP-4", title: "Cup 4", price: 1 }, { sku: "CUP-1", title: "Cup", price: 1 }]),
    (error: SvcError) => code("CONFLICT", 409)(error) && error.details["index"] === 1);
  const [again] = await product.upsert([{ sku: "CUP-1", title: "Great cup", price: 100 }], ["sku"]);
  assert.deepEqual([again?.id, again?.title], [cups[0]?.id, "Great cup"]);
  const met: string[] = [];
  for await (const { sku } of product.each({ limit: 2, filter: [{ field: "sku", op: "starts_with", value: "CUP" }], sort: { field: "sku" } })) met.push(sku);
  assert.deepEqual(met, ["CUP-1", "CUP-2", "CUP-3"]);
  const known = await product.tagged(again?.id ?? "");
  assert.ok(known?.tag);
  await product.update(known.row.id, { stock: 1 }, { ifMatch: known.tag });
  await assert.rejects(product.update(known.row.id, { stock: 2 }, { ifMatch: known.tag }), code("STALE", 412));
  const once = () => product.create({ sku: "POT", title: "Pot", price: 1 }, { idempotencyKey: "pot-1" });
  assert.equal((await once()).id, (await once()).id);
}

async function secondFactor(customer: App, place: Place) {
  const enrol = async (step: string, body: object) => {
    const headers = { authorization: `Bearer ${place.browserKey}`, origin: "http://app.test", "content-type": "application/json", "x-svc-app-session": customer.auth.session ?? "" };
    const answer = await fetch(`${place.url}/__svc/auth/mfa/enroll/${step}`, { method: "POST", headers, body: JSON.stringify(body) });
    assert.equal(answer.status, 200);
    return (await answer.json()) as { secret: string };
  };
  const { secret } = await enrol("start", {});
  await enrol("confirm", { code: place.code(secret, 0) });
  const before = customer.auth.session;
  const login = await customer.auth.login({ email: "client@example.test", password: "a long password" });
  assert.ok(login.needsMfa);
  assert.deepEqual(login.methods, ["totp"]);
  assert.equal(customer.auth.session, before, "a sign-in that has not ended changes nothing");
  const { token } = await customer.auth.verifyFactor(login.pending, place.code(secret, 1));
  assert.equal(customer.auth.session, token);
  assert.equal((await customer.auth.me())?.email, "client@example.test");
}

async function leave(customer: App) {
  await customer.auth.logout();
  assert.equal(customer.auth.session, null);
  await assert.rejects(customer.auth.login({ email: "client@example.test", password: "wrong" }), code("INVALID_CREDENTIALS", 401));
  const { user } = await customer.auth.login({ email: "client@example.test", password: "a long password" });
  assert.equal(user.role, "customer");
  assert.deepEqual((await customer.auth.signUpOptions()).personas, ["customer"]);
}

export async function run(place: Place): Promise<void> {
  const { url, browserKey, serverKey } = place;
  const headers = { origin: "http://app.test" };  // a browser says it by itself
  const manager = connect({ url, key: serverKey, as: { role: "manager" } });
  const { id } = await stockUp(manager);
  await bringBack(manager, connect({ url, key: serverKey }));
  await browse(connect({ url, key: browserKey, headers }), id);
  const customer = connect({ url, key: browserKey, headers });
  await order(customer, id);
  await count(manager);
  await look(customer);
  const clerk = connect({ url, key: serverKey, as: { user: place.clerk } });
  await callAndHear(customer, clerk, manager, { product: id, me: place.clerk });
  await watch(customer, manager, id);
  await many(manager);
  await leave(customer);
  await secondFactor(customer, place);
  await assert.rejects(connect({ url, key: "dpk_c_none" }).tables.product.list(), code("UNAUTHORIZED", 401));
}
