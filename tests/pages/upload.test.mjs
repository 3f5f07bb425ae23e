// Files over pages, without a script: the block upload, forms with file fields, what is refused, and names that want to be
// more than names.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { databaseOf, sql } from '../lib/admin_sql.mjs';
import { Stack } from '../lib/stack.mjs';
import { multipart, png } from '../files/world.mjs';
import { decoded, markup, seen, Visitor } from './world.mjs';

const own = { to: 'member', if: 'user_id == user.id' };
const contract = {
  app: { name: 'Filed' },
  personas: [{ id: 'member', kind: 'consumer', signup: true }, { id: 'clerk', kind: 'staff' }],
  entities: [
    {
      name: 'album', display: '{title}',
      fields: [
        { name: 'title', type: 'string', required: true }, { name: 'pages', type: 'integer', min: 1 }, { name: 'open', type: 'boolean', default: false },
        { name: 'cover', type: 'file' }, { name: 'scan', type: 'file', write: ['clerk'] },
      ],
      access: { read: [own, { to: '*', if: 'open' }, 'clerk'], create: ['member'], update: [own, 'clerk'], delete: [own] },
    },
    {
      name: 'letter', fields: [{ name: 'subject', type: 'string', required: true }, { name: 'paper', type: 'file', required: true }],
      access: { read: [own], create: ['member'], update: [own] },
    },
  ],
  files: { maxSize: '1MB', mime: ['image/*', 'application/pdf', 'text/plain'], quota: { perUser: '3MB' } },
  pages: [
    { route: '/', title: 'Albums', to: '*', body: [{ grid: { entity: 'album', fields: ['title'], image: 'cover', link: '/albums/{id}' } }] },
    { route: '/albums/new', title: 'New album', to: 'member', body: [{ form: { entity: 'album', then: '/albums/{id}' } }] },
    { route: '/albums/:id', title: 'Album', to: '*',
      body: [{ detail: { entity: 'album' } }, { upload: { entity: 'album', field: 'cover' } }, { upload: { entity: 'album', field: 'scan', title: 'The scan' } }] },
    { route: '/albums/:id/edit', title: 'Edit', to: 'member', body: [{ form: { entity: 'album', id: '{route.id}', then: '/albums/{id}' } }] },
    { route: '/letters/new', title: 'New letter', to: 'member', body: [{ form: { entity: 'letter', then: '/letters/{id}' } }] },
    { route: '/letters/:id', title: 'Letter', to: 'member', body: [{ upload: { entity: 'letter', field: 'paper' } }] },
  ],
};

let stack, project, host, ann, bob, guest;
before(async () => {
  stack = await Stack.start({ SVC_RATE_UPLOAD: '100000' });
  await stack.signIn();
  project = await stack.project('Filed');
  await stack.apply(project, contract);
  host = `preview-${project.slug}.localhost`;
  [ann, bob, guest] = [0, 1, 2].map(() => new Visitor(stack, host));
  for (const [who, name] of [[ann, 'ann'], [bob, 'bob']]) {
    await who.submit('/sign-up', 'Create account', { email: `${name}@example.test`, password: 'a long password' });
  }
});
after(() => stack?.stop());

const picture = (more = 0, file = 'cover.png') => ({ file, type: 'image/png', bytes: png(more) });
const idOf = ({ headers }) => /\/([0-9a-f-]{36})/.exec(headers.location)[1];
const album = async (who = ann, values = {}) => idOf(await who.submit('/albums/new', 'Create album', { 'f.title': 'Spring', ...values }));
const stored = () => Number(sql(stack, databaseOf(project), "select count(*) from svc.file where state = 'stored'")[0][0]);
const bytes = async (who, text) => {
  const [, address] = /class="file-name"><a href="([^"]+)"/.exec(text);
  return who.ask('GET', decoded(address));
};

test('a block takes a file, shows it with name, size and link, replaces it and takes it away', async () => {
  const path = `/albums/${await album()}`;
  assert.match(seen((await ann.get(path)).text), /No file yet\./);
  const before = stored();
  const answer = await ann.submit(path, 'Upload', { 'f.cover': picture(2000) });
  assert.equal(answer.headers.location, `${path}?done=uploaded#b2`);
  const shown = (await ann.get(answer.headers.location.replace('#b2', ''))).text;
  assert.match(seen(shown), /The file is uploaded\..*cover\.png 2 KB/);
  assert.match(shown, /<img alt="cover\.png" src="\/__svc\/files\//);
  const file = await bytes(ann, shown);
  assert.equal(file.status, 200);
  assert.match(file.headers['content-type'], /image\/png/);
  await ann.submit(path, 'Replace', { 'f.cover': { file: 'a.txt', type: 'text/plain', bytes: 'Hello.' } });
  const replaced = (await ann.get(path)).text;
  assert.match(seen(replaced), /a\.txt 6 bytes/);
  assert.equal((await bytes(ann, replaced)).text, 'Hello.');
  assert.equal(stored(), before + 1, 'the file before is gone');
  assert.equal((await ann.submit(path, 'Remove file')).headers.location, `${path}?done=removed#b2`);
  assert.match(seen((await ann.get(path)).text), /No file yet\./);
  assert.equal(stored(), before);
});

test('what the API refuses is refused in words, and nothing is kept', async () => {
  const path = `/albums/${await album()}`;
  const before = stored();
  for (const [file, words] of [
    [picture(1024 * 1024), /too large: at most 1 MB/], [{ file: 'a.png', type: 'image/png', bytes: '' }, /This file is empty/],
    [{ file: 'a.zip', type: 'application/zip', bytes: 'PK' }, /This field does not accept files of this type/],
    [{ file: 'a.png', type: 'image/png', bytes: 'MZ\x90\0 a program' }, /This field does not accept files of this type/],
    [{ file: '', type: 'application/octet-stream', bytes: '' }, /Choose a file first/]]) {
    const answer = await ann.submit(path, 'Upload', { 'f.cover': file }, 422);
    assert.match(seen(answer.text), words);
    assert.match(answer.text, /class="problem" role="alert"/);
  }
  assert.equal(stored(), before);
});

test('a full quota is reported, and removed files free room', async () => {
  const carl = new Visitor(stack, host);
  await carl.submit('/sign-up', 'Create account', { email: 'carl@example.test', password: 'a long password' });
  const paths = [];
  for (let i = 0; i < 4; i += 1) paths.push(`/albums/${await album(carl)}`);
  const large = picture(1000 * 1000);
  for (const path of paths.slice(0, 3)) await carl.submit(path, 'Upload', { 'f.cover': large });
  assert.match(seen((await carl.submit(paths[3], 'Upload', { 'f.cover': large }, 422)).text), /no room for more files/);
  await carl.submit(paths[0], 'Remove file');
  await carl.submit(paths[3], 'Upload', { 'f.cover': large });
});

test('a visitor who may not change the field sees the file and no form; one who may not read the row sees nothing', async () => {
  const id = await album(ann, { 'f.open': 'true', 'f.cover': picture() });
  const seenByBob = (await bob.get(`/albums/${id}`)).text;
  assert.match(seenByBob, /cover\.png/);
  assert.doesNotMatch(seenByBob, /name="f\.(scan|cover)"/, "no form that the policy would refuse");
  const seenByGuest = (await guest.get(`/albums/${id}`)).text;
  assert.match(seenByGuest, /cover\.png/);
  assert.doesNotMatch(seenByGuest, /<form[^>]*enctype/);
  assert.equal((await bytes(guest, seenByGuest)).status, 200, 'a guest reads it by a ticket');
  assert.match((await guest.get('/')).text, /<img alt="" loading="lazy" src="\/__svc\/files\/[^"]*ticket=/);
  // The form, sent by hand.
  const before = stored();
  for (const who of [bob, guest]) {
    const answer = await who.postParts(`/albums/${id}`, { _block: '1', _do: 'upload', 'f.cover': picture() });
    assert.equal(answer.status, 422);
    assert.match(seen(answer.text), /You may not change this album/);
  }
  const scan = await ann.postParts(`/albums/${id}`, { _block: '2', _do: 'upload', 'f.scan': picture() });
  assert.match(seen(scan.text), /You may not change this album/);
  assert.equal((await bob.postParts(`/albums/${id}`, { _block: '1', _do: 'remove' })).status, 422);
  const hidden = await album();
  assert.doesNotMatch((await bob.ask('GET', `/albums/${hidden}`)).text, /enctype/);
  assert.equal(stored(), before, 'nothing is left of what was refused');
});

test('a form with files makes a row, and keeps what was typed and uploaded where something is wrong', async () => {
  const wrong = await ann.submit('/albums/new', 'Create album', { 'f.title': '', 'f.pages': '12', 'f.cover': picture(0, 'mine.png') }, 422);
  assert.match(seen(wrong.text), /Fill in title\./);
  assert.match(wrong.text, /value="12"/);
  assert.match(seen(wrong.text), /mine\.png is uploaded, and saved with the form\./);
  const again = await ann.press('/albums/new', wrong, 'Create album', { 'f.title': 'Late', 'f.pages': '0' }, 422);
  assert.match(seen(again.text), /mine\.png is uploaded/);
  const made = await ann.press('/albums/new', again, 'Create album', { 'f.pages': '3' });
  const shown = (await ann.get(made.headers.location)).text;
  assert.match(seen(shown), /Late.*mine\.png/);
  assert.equal((await bytes(ann, shown)).status, 200);
  // From its row on it is a file like any other: it stays if the row is deleted within the day and comes back.
  assert.deepEqual(sql(stack, databaseOf(project), "select state, of_form from svc.file where name = 'mine.png'"), [['stored', 'f']]);
});

test('a file of a form that nobody saves is deleted after a day, and frees its room', async () => {
  const files = (what) => sql(stack, databaseOf(project), `select ${what} from svc.file where name = 'left.png'`);
  await ann.submit('/albums/new', 'Create album', { 'f.title': '', 'f.cover': picture(0, 'left.png') }, 422);
  assert.deepEqual(files('state, of_form'), [['stored', 't']]);
  sql(stack, databaseOf(project), "update svc.file set stored_at = now() - interval '25 hours'; select svc.purge_files()");
  assert.deepEqual(files('state'), [['deleted']]);
  const held = sql(stack, databaseOf(project), "select count(*) from svc.file f join album a on a.cover = f.id where f.state = 'stored'")[0][0];
  assert.ok(Number(held) > 0);
});

test('a guest cannot make the server read large files', async () => {
  const path = `/albums/${await album(ann, { 'f.open': '1' })}`;
  const before = stored();
  const sent = (size) => guest.postParts(path, { _block: '1', _do: 'upload', 'f.cover': picture(size) });
  const large = await sent(600 * 1024);
  assert.equal(large.status, 401);
  assert.match(seen(large.text), /Sign in first/);
  assert.notEqual((await sent(10)).status, 200);
  assert.equal(stored(), before);
});

test('a file that a form cannot take is reported at its field, beside other errors', async () => {
  const { text } = await ann.submit('/albums/new', 'Create album', { 'f.title': 'Kept', 'f.cover': picture(1024 * 1024) }, 422);
  assert.match(text, /value="Kept"/);
  assert.match(text, /id="f-cover-problem">This file is too large: at most 1 MB\./);
  assert.match(text, /id="f-cover"[^>]*aria-invalid="true"/);
  const letter = await ann.submit('/letters/new', 'Create letter', { 'f.subject': 'Hello' }, 422);
  assert.match(letter.text, /id="f-paper-problem">Choose a file for paper\./);
  const made = await ann.press('/letters/new', letter, 'Create letter', { 'f.paper': { file: 'a.pdf', type: 'application/pdf', bytes: '%PDF-1.4\n%%EOF' } });
  const shown = (await ann.get(made.headers.location)).text;
  assert.match(seen(shown), /a\.pdf/);
  assert.doesNotMatch(shown, /Remove file/, 'a row needs the file');
});

test('an edit keeps the file, replaces it, or takes it away', async () => {
  const id = await album(ann, { 'f.cover': picture(0, 'first.png') });
  const edit = `/albums/${id}/edit`;
  assert.match(seen((await ann.get(edit)).text), /first\.png/);
  await ann.submit(edit, 'Save changes', { 'f.title': 'Summer' });
  assert.match(seen((await ann.get(`/albums/${id}`)).text), /Summer.*first\.png/);
  await ann.submit(edit, 'Save changes', { 'f.cover': picture(0, 'second.png') });
  assert.match(seen((await ann.get(`/albums/${id}`)).text), /second\.png/);
  await ann.submit(edit, 'Save changes', { 'x.cover': 'true' });
  assert.match(seen((await ann.get(`/albums/${id}`)).text), /No file yet\./);
});

test('a file of somebody else is put into no row', async () => {
  const id = await album(ann, { 'f.cover': picture() });
  const [, file] = /\/__svc\/files\/([0-9a-f-]{36})/.exec((await ann.get(`/albums/${id}`)).text);
  for (const kept of [file, 'no uuid', "';--", '<script>']) {
    const answer = await bob.submit('/albums/new', 'Create album', { 'f.title': 'Thief', 'k.cover': kept }, 422);
    assert.doesNotMatch(markup(answer.text), /<script/);
  }
  assert.doesNotMatch(seen((await bob.get('/')).text), /Thief/);
});

test('names of files are text, whatever they say', async () => {
  const path = `/albums/${await album()}`;
  for (const name of ['<img src=x onerror=alert(1)>.png', '" onmouseover="alert(1).png', '../../etc/passwd.png', "';drop table album;--.png",
    '%0d%0aSet-Cookie: a=b.png', '\u202egnp.exe.png', '\u65e5\u672c\u8a9e.png', '\ud83d\ude00.png', `${'long '.repeat(200)}.png`, '\u0001\u0002.png', '{user.email}.png', '&lt;b&gt;.png']) {
    await ann.submit(path, '(Upload|Replace)', { 'f.cover': { ...picture(), file: name.replaceAll('"', '%22') } });
    const { text, headers } = await ann.get(path);
    assert.doesNotMatch(text, /<img src=x| onmouseover="|\u202e|\u0001/, name);
    assert.equal(headers['set-cookie'], undefined);
    assert.match(seen(text), /\.png|…/, name);
    assert.ok(!seen(text).includes('example.test.png'));
    const wrong = await ann.submit(`/albums/new`, 'Create album', { 'f.title': '', 'f.cover': { ...picture(), file: name.replaceAll('"', '%22') } }, 422);
    assert.doesNotMatch(wrong.text, /<img src=x| onmouseover="|\u0001/, name);
  }
});

test('bodies that no browser sends end soon, and store nothing', async () => {
  const path = `/albums/${await album()}`;
  const before = stored();
  const type = { 'content-type': 'multipart/form-data; boundary=a-boundary', origin: ann.origin };
  const send = (body, headers = {}) => ann.ask('POST', path, { body, headers: { ...type, ...headers } });
  const { body } = multipart([{ name: '_block', bytes: '1' }, { name: '_do', bytes: 'upload' }, { name: 'f.cover', ...picture() }]);
  assert.equal((await send(body, { origin: 'https://evil.test' })).status, 403);
  assert.equal((await send(body, { origin: '' })).status, 403);
  assert.equal((await send(body.subarray(0, body.length - 8))).status, 400);
  assert.equal((await send('nothing of the kind')).status, 400);
  const many = multipart([...Array(1200).keys()].map((i) => ({ name: `n${i}`, bytes: 'x' })));
  assert.equal((await send(many.body)).status, 413);
  const long = multipart([{ name: '_block', bytes: '1' }, { name: 'f.title', bytes: 'x'.repeat(1100 * 1024) }]);
  assert.equal((await send(long.body)).status, 413);
  // Two files for one input, and files that nothing asks for: none of them counts.
  const twice = multipart([{ name: '_block', bytes: '1' }, { name: '_do', bytes: 'upload' }, { name: 'f.other', ...picture() }, { name: 'cover', ...picture() }]);
  assert.equal((await send(twice.body)).status, 422);
  const late = multipart([{ name: 'f.cover', ...picture() }, { name: '_block', bytes: '1' }, { name: '_do', bytes: 'upload' }]);
  assert.equal((await send(late.body)).status, 422, 'what was not asked for when it came is dropped');
  assert.equal(stored(), before);
  assert.equal((await guest.postParts('/sign-in', { _do: 'login', email: 'ann@example.test', password: 'a long password' })).status, 422);
});
