// All components in one run of the TypeScript compiler, strict, against the typed client of this contract and the
// props that its pages and samples give.
import { writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import ts from 'typescript';

const kPackages = join(dirname(fileURLToPath(import.meta.url)), '../node_modules');

const options = (folder) => ({
  strict: true, noEmit: true, skipLibCheck: true, types: [], lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
  target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler,
  jsx: ts.JsxEmit.ReactJSX, jsxImportSource: 'preact', baseUrl: folder, isolatedModules: true, forceConsistentCasingInFileNames: true,
  paths: {
    react: [join(kPackages, 'preact/compat')], 'preact/*': [join(kPackages, 'preact/*')], preact: [join(kPackages, 'preact')],
    'svc/client': [join(folder, 'svc/client.ts')],
  },
});

const kPreface = `type Props<C> = C extends new (props: infer P, ...rest: any[]) => unknown ? P
  : C extends (props: infer P, ...rest: any[]) => unknown ? (unknown extends P ? {} : P) : never;
declare function use<C>(component: C, props: NoInfer<Props<C>>): void;
declare function value<T>(): T;
`;

// A prop is {name, json} or {name, type}.
const literal = ({ name, json, type }) => `${JSON.stringify(name)}: ${type ? `value<${type}>()` : json}`;

// A file that uses each component as pages and samples do; the line of each use.
function layUses(folder, job) {
  const lines = kPreface.split('\n');
  const places = new Map();
  const add = (text, place) => places.set(lines.push(text), place);
  for (const { name } of job.components) lines.push(`import ${name} from "./components/${name}";`);
  job.components.forEach(({ name, sample }) => {
    if (sample !== null) add(`use(${name}, ${JSON.stringify(sample)});`, { component: name, sample: true });
  });
  job.uses.forEach(({ component, props }, use) => add(`use(${component}, { ${props.map(literal).join(', ')} });`, { use, component }));
  writeFileSync(join(folder, 'uses.ts'), lines.join('\n'));
  return places;
}

// Shortens the paths of our folders in messages to the names that the author knows.
const plain = (text, folder) => text.replace(/import\("[^"]*\/client\/schema"\)\./g, 'schema.').replace(/import\("[^"]*"\)\./g, '')
  .replaceAll(`${folder}/components/`, './').replaceAll(folder, '').replaceAll(kPackages, '').replace(/'"\/client\/schema"'/g, 'schema').replace(/ {2,}/g, ' ');

function place(diagnostic, folder, uses) {
  if (!diagnostic.file) return { line: 1, column: 1 };
  const { line, character } = diagnostic.file.getLineAndCharacterOfPosition(diagnostic.start ?? 0);
  if (diagnostic.file.fileName === join(folder, 'uses.ts')) return { ...uses.get(line + 1), line: 1, column: 1 };
  return { component: basename(diagnostic.file.fileName, '.tsx'), line: line + 1, column: character + 1 };
}

// A type can be work without an end, and two checks at a time are all that the service does.
const kSeconds = 60;
const tooLong = (seconds) => `The types take longer than ${seconds} s. Write simpler ones: name the type of a constant that is made of others.`;

export function checkTypes(folder, job) {
  const seconds = job.typesSeconds ?? kSeconds;
  return new Promise((done, fail) => {
    const thread = new Worker(new URL('./types_thread.mjs', import.meta.url), { workerData: { folder, job } });
    const timer = setTimeout(() => {
      done([{ line: 1, column: 1, message: tooLong(seconds) }]);
      thread.terminate();
    }, seconds * 1000);
    thread.on('message', done).on('error', fail).on('exit', () => clearTimeout(timer));
  });
}

export function findTypes(folder, job) {
  const uses = layUses(folder, job);
  const roots = [...job.components.map(({ name }) => join(folder, 'components', `${name}.tsx`)), join(folder, 'uses.ts')];
  const program = ts.createProgram(roots, options(folder));
  const found = [...program.getConfigFileParsingDiagnostics(), ...program.getOptionsDiagnostics(),
    ...roots.map((name) => program.getSourceFile(name)).flatMap((file) => [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)])];
  return found.filter(({ category }) => category === ts.DiagnosticCategory.Error).map((one) => ({
    ...place(one, folder, uses),
    message: plain(ts.flattenDiagnosticMessageText(one.messageText, ' '), folder),
  }));
}
