// tidy_units.mjs BUILD_DIR: what the linter reads, a file a line, and the commands for it in BUILD_DIR/tidy: the project's
// own sources, or the batches that a Release build compiles. Beside such batches, the sources of a folder that are
// compiled one by one with the same command are a batch for the linter.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(fileURLToPath(import.meta.url), '../../..');
const build = resolve(process.argv[2]);
const folders = ['generator', 'runtime-support', 'devapi', 'cli'];
const within = (place, file) => folders.some((folder) => file.startsWith(join(place, folder) + '/'));
const isSource = (file) => file.endsWith('.cpp') && within(root, file);
const isBatch = (file) => file.endsWith('.cxx') && basename(dirname(file)) === 'Unity' && within(build, file);

// GCC's precompiled headers mean nothing to clang: sources are read without them, and so must include what they use.
const plain = ({ directory, command, file }) => ({
  directory, file, command: command.replace(/ -Winvalid-pch\b| -include \S*\/cmake_pch\.hxx| -o \S+/g, ''),
});

function write(file, text) {
  if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text);
}

function batchOf(sources) {
  if (sources.length === 1) return sources[0];
  const [{ directory, command, file }] = sources;
  const batch = join(build, 'tidy', `${relative(root, file).replaceAll('/', '+')}.cxx`);
  write(batch, sources.map((it) => `#include "${it.file}"\n`).join(''));
  return { directory, command: command.replace(file, batch), file: batch };
}

const commands = JSON.parse(readFileSync(join(build, 'compile_commands.json'), 'utf8')).map(plain);
const batches = commands.filter(({ file }) => isBatch(file));
const alike = {};
for (const it of commands.filter(({ file }) => isSource(file)))
  (alike[batches.length ? [dirname(it.file), it.command.replace(it.file, '')] : it.file] ??= []).push(it);
mkdirSync(join(build, 'tidy'), { recursive: true });
const units = [...batches, ...Object.values(alike).map(batchOf)];
if (!units.length) throw new Error(`${build}/compile_commands.json names no source of this tree`);
write(join(build, 'tidy/compile_commands.json'), JSON.stringify(units, null, 1));
for (const { file } of units) console.log(file);
