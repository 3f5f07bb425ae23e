// The first steps of a newcomer: names instead of ids, the changes of a deploy, hints. Each test is a list of steps: a
// command line or a file to write, the exit code, and the output.
import assert from 'node:assert/strict';
import test from 'node:test';
import { owner, sample } from '../lib/stack.mjs';
import { served } from './client.mjs';

let stack, client;
served((made) => { ({ stack, client } = made); });

const login = { run: ['login', '--email', owner.email, '--password', owner.password] };
const password = ['--password', owner.password];

// { run, code?, out?, err?, not? }: a command; { write, text }: the contract of the folder; { folder }: a new one.
async function play(steps) {
  for (const step of steps) {
    if (step.folder) client.folder = client.subfolder(step.folder);
    if (step.write) client.write('svc.json', step.write);
    if (!step.run) continue;
    const end = await client.svc(step.run);
    const told = `svc ${step.run.join(' ')}: ${end.code}\n${end.out}${end.err}`;
    assert.equal(end.code, step.code ?? 0, told);
    for (const pattern of [step.out ?? []].flat()) assert.match(end.out, pattern, told);
    for (const pattern of [step.err ?? []].flat()) assert.match(end.err, pattern, told);
    for (const pattern of [step.not ?? []].flat()) assert.doesNotMatch(end.out + end.err, pattern, told);
  }
}

// The smallest sample, changed by `change`.
function hello(change = () => {}) {
  const contract = sample('hello');
  change(contract.entities[0], contract);
  return contract;
}

const seen = { name: 'seen', type: 'date' };
const noted = { name: 'noted', type: 'text' };

test('keys and tokens are revoked by name, where the name says which', () => play([
  login,
  { folder: 'keys' },
  { run: ['create', 'Keys'] },
  { run: ['keys', 'create', 'jobs', '--kind', 'server', ...password] },
  { run: ['keys', 'create', 'twice', '--kind', 'server', ...password] },
  { run: ['keys', 'create', 'twice', '--kind', 'server', ...password] },
  { run: ['keys', 'revoke', 'jobs'], out: /^Key .* is revoked\. Calls with it are refused\.$/m },
  { run: ['keys', 'list'], not: /jobs/ },
  { run: ['keys', 'revoke', 'jobs'], code: 1 },
  { run: ['keys', 'revoke', 'twice'], code: 2, err: /Several keys have the name "twice" .*: [0-9a-f-]{36}, [0-9a-f-]{36}\. Give the id of one\./ },
  { run: ['keys', 'list'], out: /twice[^]*twice/ },
  { run: ['tokens', 'create', 'robot', ...password] },
  { run: ['tokens', 'revoke', 'robot', ...password], out: /^Token .* is revoked\.$/m },
  { run: ['tokens', 'list'], not: /robot/ },
]));

test('a folder that has a project is not given another one', () => play([
  { folder: 'taken' },
  { run: ['create', 'First'] },
  { run: ['create', 'Second'], code: 1, err: [/already linked to First \(/, /another folder/, /delete \.svc\/project\.json first/] },
  { run: ['projects'], not: /Second/ },
  { run: ['status'] },
]));

test('a deploy says what it changes on prod', () => play([
  { folder: 'deployed' },
  { run: ['create', 'Deployed'] },
  { write: hello() },
  { run: ['apply'] },
  { run: ['deploy', '--dry-run'], out: [/^Version 1 is the first one on prod\.$/m, /reading: create table/], not: /live at/ },
  { run: ['deploy', '--skip-verify'], out: [/first one on prod/, /^Version 1 is live at/m] },
  { run: ['deploy', '--dry-run'], out: /^Version 1 has the same contract as version 1, which is on prod now\.$/m },
  { write: hello((reading) => reading.fields.push(seen)) },
  { run: ['apply'] },
  { run: ['deploy', '--dry-run'], out: [/^Version 2 replaces version 1 on prod:$/m, /^ {2}added \/entities\/reading\/fields\/seen$/m, /reading: add column seen/], not: /live at/ },
  { run: ['deploy', '--skip-verify'], out: [/added \/entities\/reading\/fields\/seen/, /^Version 2 is live at/m] },
  { run: ['deploy', '--preview', '--dry-run'], out: /^Version 2 is the first one on preview\.$/m },
]));

test('a field that looks renamed is asked about', () => play([
  { folder: 'renamed' },
  { run: ['create', 'Renamed'] },
  { write: hello((reading) => reading.fields.push(noted)) },
  { run: ['apply'], not: /MAYBE_RENAMED/ },
  { write: hello((reading) => reading.fields.push({ ...noted, name: 'note' })) },
  { run: ['check'], out: [/MAYBE_RENAMED/, /"note" is new in reading, and "noted" of the same type is gone/, /"renamedFrom": "noted"/] },
  { run: ['apply', '--dry-run'], out: /MAYBE_RENAMED/ },
  { write: hello((reading) => reading.fields.push({ ...noted, name: 'note', renamedFrom: 'noted' })) },
  { run: ['check'], not: /MAYBE_RENAMED/ },
  { write: hello((reading) => reading.fields.push({ name: 'note', type: 'integer' })) },
  { run: ['check'], not: /MAYBE_RENAMED/ },
  { write: hello((reading) => reading.fields.push({ ...noted, name: 'note' })) },
  { run: ['apply'], out: /MAYBE_RENAMED/ },
]));

test('today() and now() in seeds are the time of the seeding', async () => {
  await play([
    { folder: 'seeded' },
    { run: ['create', 'Seeded'] },
    { write: hello((reading, contract) => {
      reading.fields.push(seen, { name: 'at', type: 'datetime' });
      contract.seeds = { reading: [{ _key: 'one', seen: 'today()', at: 'now()' }] };
    }) },
    { run: ['apply'] },
  ]);
  const [first] = JSON.parse((await client.svc(['query', 'reading', '--json'])).out).rows;
  assert.match(first.seen, /^\d{4}-\d\d-\d\d$/);
  assert.ok(Math.abs(Date.parse(first.at) - Date.parse(first.created_at)) < 60_000, first.at);
  await play([
    { run: ['apply'] },
    { write: hello((reading, contract) => {
      reading.fields.push(seen, { name: 'at', type: 'datetime' });
      contract.seeds = { reading: [{ seen: 'now()' }, { at: 'today()' }, { seen: 'tomorrow' }] };
    }) },
    { run: ['check'], code: 1, out: [/BAD_SEED/, /"today\(\)" for the time of the seeding/, /"now\(\)" for the time of the seeding/] },
  ]);
});
