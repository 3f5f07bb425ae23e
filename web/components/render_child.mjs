// Renders one component: reads {word, script, props} from its input, writes the word and {ok, message?, stack?} to
// descriptor 3. The script runs in a context of its own that is given nothing of this one, not even a function:
// only text goes in and out. That keeps an honest component away from Node; a dishonest one is kept by the sandbox.
import { randomBytes } from 'node:crypto';
import { readFileSync, writeSync } from 'node:fs';
import { createContext, runInContext } from 'node:vm';

const { word, script, props } = JSON.parse(readFileSync(0, 'utf8'));
const stringify = JSON.stringify;

// What a browser has and a page needs before it is mounted; none of it does anything while it is rendered.
const kBrowser = `(() => {
  const nothing = () => {}, number = () => 0, never = () => new Promise(nothing);
  globalThis.console = Object.fromEntries(['log', 'info', 'warn', 'error', 'debug', 'trace', 'table', 'group', 'groupEnd'].map((name) => [name, nothing]));
  Object.assign(globalThis, { setTimeout: number, clearTimeout: nothing, setInterval: number, clearInterval: nothing, requestAnimationFrame: number,
    cancelAnimationFrame: nothing, queueMicrotask: nothing, fetch: never });
})()`;

// A throw is a throw, whatever the component has made of the functions of its context: nothing there is asked what the
// result is.
function render() {
  const context = createContext(Object.create(null), { codeGeneration: { strings: false, wasm: false } });
  runInContext(kBrowser, context);
  const run = (code, filename, lineOffset = 0) => runInContext(code, context, { filename, lineOffset, timeout: 5000 });
  const key = `svc${randomBytes(8).toString('hex')}`;
  context[key] = run(`(() => {\n${script}\nreturn svcBundle.default; })()`, 'svc-component.js', -1);
  run(`${key}(${stringify(props)})`, 'svc-render.js');
  return '{"ok":true}';
}

function tell(error) {
  const text = (key) => { try { return String(error?.[key] ?? (key === 'message' ? error : '')); } catch { return ''; } };
  const slow = error?.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
  return stringify({ ok: false, message: slow ? 'It takes longer than 5 s to render.' : text('message').slice(0, 300), stack: text('stack').slice(0, 5000) });
}

let answer;
try {
  answer = render();
} catch (error) {
  answer = tell(error);
}
writeSync(3, `${word}${answer}\n`);
process.exit(0);
