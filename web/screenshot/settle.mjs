// Waits until a page looks as it will: fonts there, images decoded, its own requests answered. Bounded: a page that
// never comes to rest is taken as it is. Streams of events never end and are not waited for.
import { hear } from './hear.mjs';

const kMostMs = 4000;
const kQuietMs = 100;

// {quiet, stop}: whether the page asks for nothing just now; the end of watching it.
export function watch(page) {
  const open = new Set();
  let changed = Date.now();
  const ends = (request) => { open.delete(request); changed = Date.now(); };
  const begins = (request) => {
    if (request.resourceType() === 'eventsource' || request.headers().accept?.includes('text/event-stream')) return;
    open.add(request);
    changed = Date.now();
  };
  const stop = hear(page, { request: begins, requestfinished: ends, requestfailed: ends });
  return { quiet: () => open.size === 0 && Date.now() - changed >= kQuietMs, stop };
}

const looksReady = (page) => page.evaluate(async () => {
  await document.fonts.ready;
  await Promise.allSettled([...document.images].filter((image) => image.loading !== 'lazy').map((image) => image.decode()));
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
});

const after = (ms) => new Promise((done) => setTimeout(done, ms));

// `quiet` is of the watch that began before the page was opened.
export async function settle(page, quiet, most = kMostMs) {
  const end = Date.now() + most;
  while (!quiet() && Date.now() < end) await after(20);
  await Promise.race([looksReady(page).catch(() => {}), after(Math.max(0, end - Date.now()))]);
}
