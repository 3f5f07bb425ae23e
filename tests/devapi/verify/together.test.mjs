// A verification beside another one, beside an apply, of a project that goes; and killed in the middle, which leaves nothing.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { sql } from '../../lib/admin_sql.mjs';
import { sample, until } from '../../lib/stack.mjs';
import { Verifying, green, nothing, verifyPath } from './world.mjs';

let world, stack, shop;
before(async () => {
  world = await Verifying.start('Busy shop', sample('shop'));
  ({ stack, project: shop } = world);
});
after(() => world?.stop());

const verify = (...asked) => world.verify(...asked);
const left = () => world.left();
const admin = (text) => sql(stack, 'postgres', text);
const content = (...asked) => world.content(...asked);

test('two at a time of one project: the second is refused', async () => {
  const answers = await Promise.all([1, 2].map(() => stack.dev('POST', verifyPath(shop), {})));
  const statuses = answers.map(({ status }) => status).sort();
  assert.deepEqual(statuses, [200, 409]);
  assert.equal(answers.find(({ status }) => status === 409).json.code, 'PROJECT_BUSY');
});

test('an apply meanwhile goes through, and so does the verification', async () => {
  const wider = sample('shop');
  wider.entities[0].fields.push({ name: 'colour', type: 'text' });
  const [report, applied] = await Promise.all([stack.dev('POST', verifyPath(shop), {}), stack.apply(shop, wider)]);
  assert.equal(applied.status, 200);
  assert.equal(report.status, 200, report.text);
  green(report.json);
  green(await verify());
  await stack.apply(shop, sample('shop'));
});

test('a project that is deleted meanwhile takes its clone along', async () => {
  const project = await stack.project('Gone');
  await stack.apply(project, sample('hello'));
  const asked = stack.dev('POST', verifyPath(project), {});
  await until('the clone', () => left().databases.length > 0);
  await stack.dev('DELETE', `/projects/${project.id}?confirm=${project.slug}`, undefined, { expect: 200 });
  await asked;
  assert.deepEqual(left(), nothing);
});

// At different moments: while it is cloned, filled, asked, and while its server runs.
for (const [moment, arrived] of Object.entries({
  'the clone is made': () => left().databases.length > 0,
  'rows are tried': () => left().databases.length > 0 && admin("select 1 from pg_stat_activity where datname ~ 'verify' and query ~ 'svc_verify'").length > 0,
  'its server runs': () => world.verifiers().length > 0,
})) {
  test(`killed while ${moment}: the next start clears it away`, async () => {
    const was = content(shop);
    // Asked again where a verification was over before the moment was seen.
    let killed = false;
    const ask = () => stack.dev('POST', verifyPath(shop), {}).catch(() => null).then(() => (killed ? null : ask()));
    const asked = ask();
    await until(moment, arrived);
    killed = true;
    stack.child.kill('SIGKILL');
    await stack.ended;
    await asked;
    await stack.run();
    assert.deepEqual(await until('what was left to go', () => {
      const now = left();
      return JSON.stringify(now) === JSON.stringify(nothing) ? now : null;
    }), nothing);
    assert.equal(content(shop), was);
    await stack.signIn();
    green(await verify());
  });
}
