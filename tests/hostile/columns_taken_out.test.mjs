// A field that was taken out of a contract keeps its column and values, which no caller reads on any way.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { Stack } from '../lib/stack.mjs';

let stack, project, host;

const contract = (fields) => ({
  app: { name: 'Taken out' },
  entities: [{ name: 'customer', fields: [{ name: 'name', type: 'string' }, ...fields],
    access: { read: ['server'], create: ['server'], update: ['server'], delete: ['server'] } }],
});
const call = (method, path, body) => stack.fetch(method, `/__svc${path}`, { headers: { authorization: `Bearer ${project.server}`, 'x-svc-data-api': '1' }, host, body });

before(async () => {
  stack = await Stack.start();
  await stack.signIn();
  project = await stack.project('Taken out');
  host = `preview-${project.slug}.localhost`;
  await stack.apply(project, contract([{ name: 'ssn', type: 'string' }]));
  const made = await call('POST', '/api/v1/customer', { name: 'Ann', ssn: 'SECRET-1' });
  assert.equal(made.status, 201, made.text);
  await stack.apply(project, contract([]));
});
after(() => stack?.stop());

test('attack: a server key reads the column of a field that was taken out', async () => {
  for (const sql of [
    'update customer set name = name returning ssn', 'update customer set name = ssn', "update customer set name = 'x' where ssn like 'S%'",
    'update customer c set name = c.ssn returning name', 'update customer set name = name returning customer', 'update customer c set name = to_jsonb(c)::text returning name',
    'update customer set name = name returning customer.*', 'delete from customer where (select ssn) is not null returning name',
    'update customer set name = name from (select 1 as ssn) t returning *', "insert into customer (name) values ('B') returning ssn",
  ]) {
    const answer = await call('POST', '/data/exec', { sql });
    assert.equal(answer.status, 400, `${sql}: ${answer.text}`);
  }
  for (const [path, sql] of [['/data/exec', 'update customer set name = name returning *'], ['/data/query', 'select * from customer'], ['/data/query', 'select to_jsonb(c) as c from customer c']]) {
    const answer = await call('POST', path, { sql });
    assert.equal(answer.status, 200, `${sql}: ${answer.text}`);
    assert.equal(answer.json.rowCount, 1);
    assert.ok(!answer.text.includes('SECRET'), `${sql}: ${answer.text}`);
  }
  assert.ok(!(await call('GET', '/api/v1/customer')).text.includes('SECRET'));
  assert.equal((await call('POST', '/data/query', { sql: 'select ssn from customer' })).status, 400);
});
