// Each component with its sample, rendered in a process of its own that runs nothing else. That process may do what it
// likes: it has no network and no files (the sandbox around all of this), its output goes nowhere, and what it answers
// on descriptor 3 counts only after a word that it gets before the component is loaded.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { SourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';

const kChild = fileURLToPath(new URL('./render_child.mjs', import.meta.url));
const kSeconds = 5;         // for the component itself (render_child.mjs)
const kPatience = 12;       // for its process, which must start first
const kMegabytes = 256;
const kMostAnswer = 1 << 20;
const kFlags = [`--max-old-space-size=${kMegabytes}`, '--disallow-code-generation-from-strings', '--no-addons', '--stack-size=800'];
// Arrays of bytes are not of that heap.
const kPrlimit = ['/usr/bin/prlimit', `--data=${(kMegabytes + 256) << 20}`, '--core=0', '--'];

// {ok, message?, stack?}, or why there is none.
function answerOf(text, word) {
  const line = text.split('\n').find((one) => one.startsWith(word));
  try {
    return line ? JSON.parse(line.slice(word.length)) : null;
  } catch {
    return null;
  }
}

const why = { slow: `It takes longer than ${kSeconds} s to render.`, large: `It needs more than ${kMegabytes} MB to render.` };

function renderOne(script, props) {
  const word = randomBytes(16).toString('hex');
  const [program, ...flags] = [...kPrlimit, process.execPath, ...kFlags, kChild];
  return new Promise((done) => {
    const child = spawn(program, flags, { stdio: ['pipe', 'ignore', 'ignore', 'pipe'], env: { TMPDIR: '/tmp' } });
    let text = '', late = false;
    const timer = setTimeout(() => { late = true; child.kill('SIGKILL'); }, kPatience * 1000);
    child.stdio[3].on('data', (piece) => { if (text.length < kMostAnswer) text += piece; });
    child.stdin.on('error', () => {}).end(JSON.stringify({ word, script, props }));
    child.on('error', () => done({ ok: false, message: 'The renderer does not start.' }));
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      const answer = late ? null : answerOf(text, word);
      const message = late ? why.slow : signal === 'SIGABRT' || signal === 'SIGKILL' || code === 134 ? why.large : 'It ended before it was rendered.';
      done(answer ?? { ok: false, message });
    });
  });
}

// The first place of the stack that is the component's own, or another component's that it shows.
function placeOf(stack, map, name) {
  const places = new SourceMap(map);
  for (const [, line, column] of String(stack ?? '').matchAll(/svc-component\.js:(\d+):(\d+)/g)) {
    const entry = places.findEntry(Number(line) - 1, Number(column) - 1);
    const own = /(?:^|\/)components\/([A-Z][A-Za-z0-9]*)\.tsx$/.exec(entry.originalSource ?? '');
    if (own) return { component: own[1], line: entry.originalLine + 1, column: entry.originalColumn + 1 };
  }
  return { component: name, line: 1, column: 1 };
}

export async function renderAll(job, bundler) {
  const errors = [];
  for (const { name, sample, gated } of job.components) {
    if (!gated) continue;
    const { script, map } = await bundler.toRender(name);
    const { ok, message, stack } = await renderOne(script, JSON.stringify(sample ?? {}));
    if (ok !== true) errors.push({ ...placeOf(stack, map, name), message: `${name} is not rendered with its sample: ${message}` });
  }
  return errors;
}
