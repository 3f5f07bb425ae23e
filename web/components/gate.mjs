// The gates of components: static, types, compile, render. Stops at the first that does not hold.
//
// node gate.mjs <job.json> prints one JSON object: {passed: [gate], stage?, errors: [finding]}. A finding is
// {component or use, line, column, message}; positions are those of the component's source, from 1. Nothing that a
// component does reaches this program's output: components run in children (render.mjs) whose output nobody reads.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkCode } from './static.mjs';
import { Bundler } from './bundle.mjs';
import { lay } from './lay.mjs';
import { checkTypes } from './types.mjs';
import { renderAll } from './render.mjs';

const kMostErrors = 50;
const kMostText = 400;

// job: {components: [{name, source, sample, gated}], client: {file: text} or null, uses: [{component, props}]}.
// `gated` false: this component passed before, as it is, with all that it imports. `typesSeconds`: how long the
// compiler of types may take; 60 where it is not said.
const staticGate = async ({ job, bundler }) => {
  const found = job.components.filter(({ gated }) => gated).flatMap(({ name, source }) => checkCode(name, source));
  return found.length > 0 ? found : bundler.imports();
};

const gates = [
  ['static', staticGate],
  ['types', ({ job, folder }) => checkTypes(folder, job)],
  ['compile', ({ bundler }) => bundler.compile()],
  ['render', ({ job, bundler }) => renderAll(job, bundler)],
];

// The author must fix what is nested deeper than a compiler can follow.
async function atGate(gate, all) {
  try {
    return await gate(all);
  } catch (error) {
    if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') return [{ line: 1, column: 1, message: 'The types need too much memory. Write simpler ones.' }];
    if (!(error instanceof RangeError)) throw error;
    return [{ line: 1, column: 1, message: 'The components are nested too deeply. Split them into smaller ones.' }];
  }
}

async function run(job) {
  const folder = join(process.env.TMPDIR, 'src');
  lay(folder, job);
  const bundler = new Bundler(folder, job);
  const passed = [];
  for (const [stage, gate] of gates) {
    const errors = await atGate(gate, { job, folder, bundler });
    if (errors.length === 0) {
      passed.push(stage);
      continue;
    }
    const told = errors.slice(0, kMostErrors).map((one) => ({ ...one, message: one.message.slice(0, kMostText) }));
    return { passed, stage: errors[0].stage ?? stage, errors: told };
  }
  return { passed, errors: [] };
}

const said = await run(JSON.parse(readFileSync(process.argv[2], 'utf8')));
process.stdout.write(JSON.stringify(said), () => process.exit(0));
