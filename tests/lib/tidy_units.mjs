// tidy_units.mjs BUILD_DIR: what the linter reads, a file a line, and the commands for it in BUILD_DIR/tidy: the project's
// own sources, or, of a Release build, larger batches than it compiles: two of its batches, and the sources of a folder
// that are compiled one by one with the same command. Batches of `apart` stay as they are: all of it is one namespace,
// where a helper far away may have the same name.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(fileURLToPath(import.meta.url), '../../..');
const build = resolve(process.argv[2]);
const folders = ['generator', 'runtime-support', 'devapi', 'cli'];
const apart = ['devapi'];
const within = (place, file) => folders.some((folder) => file.startsWith(join(place, folder) + '/'));
const isSource = (file) => file.endsWith('.cpp') && within(root, file);
const isBatch = (file) => file.endsWith('.cxx') && basename(dirname(file)) === 'Unity' && within(build, file);
const numberOf = (batch) => Number(/(\d+)/.exec(basename(batch))[1]);

// GCC's precompiled headers mean nothing to clang: sources are read without them, and so must include what they use.
const plain = ({ directory, command, file }) => ({
  directory, file, command: command.replace(/ -Winvalid-pch\b| -include \S*\/cmake_pch\.hxx| -o \S+/g, ''),
});

function write(file, text) {
  if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text);
}

const linesOf = (file) => (isBatch(file) ? readFileSync(file, 'utf8').match(/^#include ".*"$/gm) : [`#include "${file}"`]);

function together(units) {
  if (units.length === 1) return units[0];
  const [{ directory, command, file }] = units;
  const batch = join(build, 'tidy', `${relative(isBatch(file) ? build : root, file).replaceAll('/', '+')}.cxx`);
  write(batch, units.flatMap((it) => linesOf(it.file)).join('\n') + '\n');
  return { directory, command: command.replace(file, batch), file: batch };
}

function grouped(units, keyOf) {
  const groups = {};
  for (const unit of units) (groups[keyOf(unit)] ??= []).push(unit);
  return Object.values(groups).map(together);
}

const commands = JSON.parse(readFileSync(join(build, 'compile_commands.json'), 'utf8')).map(plain);
const batches = commands.filter(({ file }) => isBatch(file)).sort((a, b) => numberOf(a.file) - numberOf(b.file));
const alone = commands.filter(({ file }) => isSource(file));
const like = ({ command, file }) => (batches.length ? [dirname(file), command.replace(file, '')] : file);
mkdirSync(join(build, 'tidy'), { recursive: true });
const perUnit = (file) => (apart.some((folder) => file.startsWith(join(build, folder) + '/')) ? 1 : 2);
const units = [...grouped(batches, ({ file }) => [dirname(file), Math.floor(numberOf(file) / perUnit(file))]), ...grouped(alone, like)];
if (!units.length) throw new Error(`${build}/compile_commands.json names no source of this tree`);
write(join(build, 'tidy/compile_commands.json'), JSON.stringify(units, null, 1));
for (const { file } of units) console.log(file);
