// The scripts of the components that pages show: one that mounts them, one for each, and what they share.
//
// node pack.mjs <job.json> writes {scripts: [{name, text}]} to $TMPDIR/scripts.json, the script that mounts first. Names
// hold a hash of what is in them; the same job gives the same bytes.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Bundler } from './bundle.mjs';
import { lay, own } from './lay.mjs';

// job: {components: [{name, source}], client: {file: text}, shown: [name]}.
const parts = (shown) => `export const parts = new Map([${shown.map((name) => `["${name}", () => import("../components/${name}.tsx")]`).join(', ')}]);\n`;

const job = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const folder = join(process.env.TMPDIR, 'src');
lay(folder, job);
writeFileSync(join(folder, 'svc', 'parts.js'), parts(job.shown));
writeFileSync(join(folder, 'svc', 'mount.js'), own('./mount.js'));
// The components have passed the gates, so the name of their runtime is no secret. A random one would change the names
// that esbuild makes short.
const { outputs, text } = await new Bundler(folder, job, 'svc-jsx').pack();

// esbuild's own hashes hold paths of this machine. Ours are of the text, with the names of what it imports: those first.
const names = new Map();
function nameOf(path) {
  const known = names.get(path);
  if (known === null) throw new Error(`${path} imports itself by way of others, so it can have no name by its content.`);
  if (known) return known;
  names.set(path, null);
  let made = text.get(path);
  for (const { path: other } of outputs[path].imports) made = made.replaceAll(`"./${basename(other)}"`, `"./${nameOf(other)}"`);
  const name = `${basename(path).replace(/-[A-Z0-9]{8}\.js$/, '')}-${createHash('sha256').update(made).digest('hex').slice(0, 12)}.js`;
  names.set(path, name);
  text.set(path, made);
  return name;
}

const first = (name) => (name.startsWith('mount-') ? 0 : 1);
const scripts = [...text.keys()].map((path) => ({ name: nameOf(path), text: text.get(path) }))
  .sort((a, b) => first(a.name) - first(b.name) || (a.name < b.name ? -1 : 1));
writeFileSync(join(process.env.TMPDIR, 'scripts.json'), JSON.stringify({ scripts }));
process.exit(0);
