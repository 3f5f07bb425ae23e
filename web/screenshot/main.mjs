// The browser beside svcd. svcd starts this program at the first call for a page and talks to it over descriptor 0, a
// socket: one JSON object a line each way, answers in any order, told apart by `id`. It ends when nobody has asked for
// a while and when svcd's end of the socket is closed.
import { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { WarmBrowser } from './browser.mjs';
import { shoot } from './shoot.mjs';
import { tour } from './tour.mjs';
import { saidBy } from './visit.mjs';

const kTogether = 4;   // contexts that are open at a time
const kTours = 2;       // of them for verifications, which ask for many; somebody waits for a picture
const kIdleMs = Number(process.env.SVC_BROWSER_IDLE_SECONDS ?? 300) * 1000;

const line = new Socket({ fd: 0, readable: true, writable: true });
const browser = new WarmBrowser({ program: process.env.SVC_CHROMIUM, mustBeShutIn: process.env.SVC_SANDBOX === 'required' });
const waiting = [];
let running = 0, touring = 0, idle;

async function end() {
  await browser.close();
  process.exit(0);
}

function restIfIdle() {
  clearTimeout(idle);
  if (running === 0 && waiting.length === 0) idle = setTimeout(end, kIdleMs);
}

// A browser that died under a call gets one more try: whoever killed it did not mean this page.
async function answer({ id, ...wanted }) {
  for (let tries = 1; ; ++tries) {
    try {
      const open = await browser.get();
      return { id, ok: true, ...await (wanted.kind === 'tour' ? tour : shoot)(open, wanted) };
    } catch (error) {
      if (tries < 2 && !browser.alive()) continue;
      return { id, ok: false, kind: error.kind ?? 'browser', error: saidBy(error) };
    }
  }
}

// The first picture that waits, or else the first tour that may begin.
function take() {
  const picture = waiting.findIndex(({ kind }) => kind !== 'tour');
  if (picture < 0 && touring >= kTours) return undefined;
  return waiting.splice(Math.max(picture, 0), 1)[0];
}

async function next() {
  const wanted = running < kTogether ? take() : undefined;
  if (!wanted) return restIfIdle();
  const tours = wanted.kind === 'tour' ? 1 : 0;
  ++running;
  touring += tours;
  const told = await answer(wanted);
  --running;
  touring -= tours;
  line.write(`${JSON.stringify(told)}\n`);
  next();
}

createInterface({ input: line }).on('line', (text) => {
  clearTimeout(idle);
  const wanted = JSON.parse(text);
  // The time that a tour waits counts too.
  waiting.push({ ...wanted, until: Date.now() + (wanted.ms ?? 0) });
  next();
});
line.on('error', end).on('end', end).on('close', end);
restIfIdle();
