// Uses that the types of the shop's client refuse or accept: compiled, never run.
import { connect, type App } from "./client/index.js";

const app: App = connect({ url: "http://127.0.0.1:7878", key: "dpk_s_…" });
const { product, order, order_line: line } = app.tables;
const id = "0198b6a0-0000-7000-8000-000000000001";

export async function columns(): Promise<void> {
  const { rows } = await product.list({ where: { active: true }, sort: { field: "price", dir: "desc" }, limit: 5 });
  const price: number | undefined = rows[0]?.price;
  const cost: number | null | undefined = rows[0]?.cost;
  const status: "draft" | "placed" | "shipped" | "cancelled" | undefined = (await order.get(id))?.status;
  void [price, cost, status];
  // @ts-expect-error there is no such column
  rows[0]?.colour;
  // @ts-expect-error nor here
  await product.list({ where: { colour: "green" } });
  // @ts-expect-error nor to sort by
  await product.list({ sort: { field: "colour" } });
  // @ts-expect-error no such table
  app.tables.colour;
}

export async function filters(): Promise<void> {
  await product.list({ filter: [{ field: "price", op: "between", value: [1, 2] }, { not: { field: "title", op: "contains", value: "tea" } }] });
  await order.list({ filter: [{ or: [{ field: "placed_at", op: "range", value: "this_month" }, { field: "placed_at", op: "is_null" }] }] });
  await order.list({ filter: [{ field: "status", op: "in", value: ["draft", "placed"] }] });
  await line.list({ filter: [{ field: "product.title", op: "starts_with", value: "green" }], sort: [{ field: "product_id.price" }, { field: "quantity" }] });
  // @ts-expect-error no such column behind the ref
  await line.list({ filter: [{ field: "product.colour", op: "is_null" }] });
  // @ts-expect-error a number behind the ref
  await line.list({ filter: [{ field: "product.price", op: "eq", value: "1" }] });
  // @ts-expect-error an operator of texts on a number
  await product.list({ filter: [{ field: "price", op: "contains", value: "1" }] });
  // @ts-expect-error a text where a number is
  await product.list({ filter: [{ field: "price", op: "eq", value: "1" }] });
  // @ts-expect-error no such state
  await order.list({ filter: [{ field: "status", op: "eq", value: "lost" }] });
  // @ts-expect-error a calendar for no date
  await order.list({ filter: [{ field: "number", op: "today" }] });
  // @ts-expect-error no such column below "or"
  await order.list({ filter: [{ or: [{ field: "colour", op: "is_null" }] }] });
}

export async function selections(): Promise<void> {
  const { rows } = await order.list({ select: ["number", { lines: ["quantity", { product: ["title"] }] }] });
  const title: string | undefined = rows[0]?.lines[0]?.product?.title;
  const all = await order.get(id, { select: ["*", { lines: ["id"] }] });
  const note: string | null | undefined = all?.note;
  void [title, note];
  // @ts-expect-error not selected
  rows[0]?.note;
  // @ts-expect-error a product leads nowhere
  await product.list({ select: ["title", { lines: ["id"] }] });
  // @ts-expect-error no such column behind the link
  await order.list({ select: [{ lines: ["colour"] }] });
}

export async function writes(): Promise<void> {
  await product.create({ sku: "TEA-2", title: "Black tea", price: 500 });
  await line.update(id, { quantity: 2 }, { ifMatch: '"1"' });
  await order.transition(id, "place");
  // @ts-expect-error required: title and price
  await product.create({ sku: "TEA-2" });
  // @ts-expect-error the id is made by the server
  await product.create({ id, sku: "TEA-2", title: "Black tea", price: 500 });
  // @ts-expect-error required: no null
  await product.create({ sku: null, title: "Black tea", price: 500 });
  // @ts-expect-error immutable
  await line.update(id, { order_id: id });
  // @ts-expect-error the lifecycle's
  await order.update(id, { status: "placed" });
  // @ts-expect-error no such transition
  await order.transition(id, "fly");
  await product.restore(id);
  await product.history(id, { limit: 5 });
  // @ts-expect-error its deleted rows are gone
  await order.restore(id);
  // @ts-expect-error no history is kept of it
  await order.history(id);
  // @ts-expect-error no lifecycle
  await product.transition(id, "place");
}

export async function numbers(): Promise<void> {
  const { values } = await product.aggregates(["count", "max:price"], { range: "this_month", compare: true });
  const { groups, previousGroups } = await order.groups({ metric: "count", groupBy: "status", range: "this_month", compare: true });
  const key: "draft" | "placed" | "shipped" | "cancelled" | null | undefined = groups[0]?.key ?? previousGroups?.[0]?.key;
  void [values["max:price"], key];
  // @ts-expect-error not asked for
  values["min:price"];
  // @ts-expect-error the sum of texts
  await product.aggregate({ metric: "sum", column: "title" });
  // @ts-expect-error of which column
  await product.aggregate({ metric: "max" });
  // @ts-expect-error the same in one word
  await product.aggregates(["sum:title"]);
}

export async function others(): Promise<void> {
  const top = await app.query("reports/top_products", { since: "2026-01-01" });
  const units: number | null | undefined = top.rows[0]?.units;
  const login = await app.auth.login({ email: "ann@example.test", password: "a long password" });
  // @ts-expect-error a second factor may be due
  login.token.length;
  if (login.needsMfa) await app.auth.verifyFactor(login.pending, "123456");
  const [found] = await app.search("tea", ["product", "order"]);
  if (found?.table === "product") void found.rows[0]?.sku;
  await app.auth.signUp({ email: "ann@example.test", password: "a long password", persona: "customer" });
  void units;
  // @ts-expect-error it has a parameter that is required
  await app.query("reports/top_products");
  // @ts-expect-error no such query
  await app.query("reports/flop_products", {});
  // @ts-expect-error no such table
  await app.search("tea", ["colour"]);
  // @ts-expect-error no such persona
  await app.auth.signUp({ email: "ann@example.test", password: "a long password", persona: "king" });
}

export async function happenings(): Promise<void> {
  const live = await order.live({ where: { status: "placed" }, sort: { field: "placed_at" } }, (rows) => void rows[0]?.number);
  const number: string | null | undefined = live.rows[0]?.number;
  order.feed((change) => {
    const event: "created" | "updated" | "deleted" = change.event;
    // @ts-expect-error what is deleted is not told
    change.row;
    if (change.event !== "deleted") void change.row.note;
    void event;
  }, { filter: [{ field: "status", op: "eq", value: "placed" }] });
  app.topics.subscribe<{ text: string }>([`app:customer:${id}`, "counter"], ({ topic, payload }) => void [topic, payload.text.length]);
  await app.topics.publish("app:anything", { any: ["json"] }, { idempotencyKey: "1" });
  void number;
  // @ts-expect-error rows come and go, so a place among them means nothing
  await order.live({ offset: 10 }, () => undefined);
  // @ts-expect-error no such column
  order.feed(() => undefined, { filter: [{ field: "colour", op: "is_null" }] });
  // @ts-expect-error a change of another row would not be seen
  await line.live({ filter: [{ field: "product_id.title", op: "eq", value: "Tea" }] }, () => undefined);
  // @ts-expect-error nor here
  await line.live({ sort: { field: "product_id.title" } }, () => undefined);
  // @ts-expect-error a stream reads days as the app does
  await order.live({ tz: "Europe/Paris" }, () => undefined);
}
