// Requests of data APIs beside single rows, each compared with the bare statement under the same session, identity and
// policies. Also the cost of a policy and of a change record.
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Stack, appServers } from '../lib/stack.mjs';
import { signUp } from '../lib/scenarios.mjs';
import { library } from './contracts.mjs';
import { interleaved, pgbench, psql, residentMiB, startedIn, wrk } from './lib.mjs';
import { compare, row } from './table.mjs';

const kSales = 10_000;
const kDocuments = Number(process.env.SVC_BENCH_DOCUMENTS ?? 100_000);
const words = `(array['copper','harbour','winter','signal','garden','velvet','engine','letter','silver','mirror'])`;
const json = (value) => encodeURIComponent(JSON.stringify(value));

// The administrator of the stack's private PostgreSQL: past all policies, and may disable triggers.
export function administrator(stack, project) {
  const key = Buffer.from(readFileSync(join(stack.home, 'master.key'), 'utf8').trim(), 'hex');
  const password = createHmac('sha256', key).update('postgres admin').digest('hex');
  const database = `svc_${project.id.replaceAll('-', '').slice(-12)}_dev`;
  return `host='${join(stack.home, 'run/pg')}' user='svc_admin' password='${password}' dbname='${database}'`;
}

async function fill(admin, owner) {
  await psql(admin, `
    insert into topic (name) select 'Topic ' || n from generate_series(1, 20) n;
    insert into sale (user_id, topic_id, category, amount, sold_on, note)
      select '${owner}', (select id from topic order by id offset n % 20 limit 1), 'category ' || n % 25, n, date '2026-01-01' + n % 300, repeat('a note ', 20)
      from generate_series(1, ${kSales}) n;
    insert into document (user_id, title, body)
      select '${owner}', 'Report ' || n || ' on ' || ${words}[1 + n % 10], ${words}[1 + n / 10 % 10] || ' and ' || ${words}[1 + n / 100 % 10] || repeat(' filling words of no weight', 4)
      from generate_series(1, ${kDocuments}) n;
    analyze`);
}

// The same search twice: as in the app, under policy with the search function, and without any policy by the words
// alone.
function search(words) {
  const query = `websearch_to_tsquery('pg_catalog.english'::regconfig, '${words}')`;
  return {
    on: `select t.id, t.title, t.body from svc.document_search('${words}', null, 21) with ordinality f (id, place) join document t on t.id = f.id order by f.place`,
    off: `select m.id, t.title, t.body from (select id, words from svc.document_words where words @@ ${query} order by id desc limit 5000) m join document t on t.id = m.id order by ts_rank_cd(m.words, ${query}) desc, m.id desc limit 21`,
  };
}

export async function data(folder) {
  const stack = await Stack.start({ SVC_RATE_BROWSER: '0', SVC_RATE_SERVER: '0' });
  try {
    await stack.signIn();
    const project = await stack.project('Library');
    await stack.apply(project, library());
    const host = `preview-${project.slug}.localhost`;
    const ann = await signUp(stack, project, host, 'ann', 'reader');
    const [{ pid, env }] = appServers(project);
    const admin = administrator(stack, project);
    await fill(admin, ann.id);
    const session = await psql(env.DATABASE_URL, "select '\\x' || encode(hash, 'hex') from svc.session limit 1");
    const identity = `select set_config('svc.user_id', '${ann.id}', true), set_config('svc.principals', 'reader,consumer,signed_in', true), set_config('svc.claims', '{}', true), svc.require_session('${session}');`;
    const headers = {
      Host: host, Authorization: `Bearer ${project.browser}`, Origin: 'http://app.test',
      'x-svc-data-api': '1', 'x-svc-app-session': ann.token, 'Content-Type': 'application/json',
    };
    const ask = (path, more = {}) => ({ folder, port: stack.port, headers, paths: [`/__svc/api/v1/${path}`], ...more });
    const bare = (sql, url = env.SVC_DATA_URL) => () => pgbench({ folder, url, script: `${identity}\n${sql};` });
    await requests(ask, bare, admin);
    await writes(ask, bare, admin);
    await memory(ask, pid);
    row('exec of an app server to ready', await startedIn(pid, env), 20, 'ms (bar)', 1, false);
  } finally {
    await stack.stop();
  }
}

async function requests(ask, bare, admin) {
  const columns = 's.id, s.user_id, s.topic_id, s.category, s.amount, s.sold_on, s.note, s.created_at, s.updated_at';
  const [id] = (await psql(admin, 'select id from sale limit 1')).split('\n');
  const get = `select ${columns} from sale s where s.id = '${id}'`;
  const list = `select ${columns} from sale s order by s.id limit 51`;
  const embed = `select ${columns}, (select json_build_object('id', t.id, 'name', t.name) from topic t where t.id = s.topic_id) from sale s where s.category = 'category 7' order by s.id limit 51`;
  const aggregate = 'select category, sum(amount) from sale group by category order by category nulls last limit 1001';
  const against = (work, load, has, reference, bar) => compare(work, { load, has, ours: () => wrk(load), reference, bar });

  const filter = json([{ field: 'category', op: 'eq', value: 'category 7' }]);
  await against('list 50 with filter and embed against the bare statement',
    ask(`sale?limit=50&filter=${filter}&select=${encodeURIComponent('*,topic(id,name)')}`), '"topic":{', bare(embed), 0.65);
  await against(`aggregate over ${kSales} rows against the bare statement`,
    ask('sale/aggregate?metric=sum&column=amount&groupBy=category'), '"groups":[{', bare(aggregate), null);
  await against(`search over ${kDocuments} rows against the bare statement without policy`,
    ask('search?tables=document&limit=20&q=copper%20harbour', { connections: 8 }), 'copper', bare(search('copper harbour').off, admin), null);

  const twice = { get: { on: get, off: get }, list: { on: list, off: list }, aggregate: { on: aggregate, off: aggregate },
    search: search('copper harbour'), 'search of a word that every row has': search('filling') };
  for (const [name, statement] of Object.entries(twice)) {
    const [on, off] = await interleaved([bare(statement.on), bare(statement.off, admin)]);
    row(`${name} under policy against the same without`, on, off, 'statements/s', 1 / 1.2);
  }
}

async function writes(ask, bare, admin) {
  const topic = (await psql(admin, 'select id from topic limit 1')).trim();
  const sale = { topic_id: topic, category: 'category 3', amount: 1250, sold_on: '2026-03-01', note: 'a note' };
  const insert = (rows) => `insert into sale (user_id, topic_id, category, amount, sold_on, note) select svc.user_id(), '${topic}', 'category 3', 1250, '2026-03-01', 'a note' from generate_series(1, ${rows}) returning *`;
  const one = ask('sale', { method: 'POST', body: sale });
  await compare('create against the same insert and its triggers', {
    load: one, ours: () => wrk(one), reference: bare(insert(1)), unit: 'rows/s', bar: 0.8,
  });
  const many = ask('sale', { method: 'POST', body: Array.from({ length: 1000 }, () => sale), connections: 4 });
  await compare('create of 1,000 at once against the same insert', {
    load: many, ours: () => wrk(many), reference: bare(insert(1000)), unit: 'requests/s', bar: null,
  });
  const recorded = (word) => psql(admin, ['created', 'updated', 'deleted'].map((event) => `alter table sale ${word} trigger sale_${event}`).join(';'));
  const measured = (word) => async () => { await recorded(word); return bare(insert(1))(); };
  const [on, off] = await interleaved([measured('enable'), measured('disable')]);
  await recorded('enable');
  row('create with its change record against one without', on, off, 'rows/s', 1 / 1.15);
}

async function memory(ask, pid) {
  await wrk({ ...ask('sale?limit=50'), connections: 256 });
  row('memory of the app server under 256 connections', residentMiB(pid), 40, 'MiB (bar)', 1, false);
}
