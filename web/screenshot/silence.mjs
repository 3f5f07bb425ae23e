// A script of a page may never end. Whatever is asked of the page then waits for it, so the page is asked again and
// again whether it still answers.
const kSilentMs = 5000;
const kPauseMs = 200;
const kMostMs = 40000;  // all together; a page that only comes to no rest is taken long before, unless the machine is busy

const after = (ms) => new Promise((done) => setTimeout(done, ms));

function answers(page, ms) {
  let timer;
  const silent = new Promise((done) => { timer = setTimeout(done, ms, false); });
  return Promise.race([page.evaluate('0').then(() => true, () => true), silent]).finally(() => clearTimeout(timer));
}

// What `act` answers, or {late: true} where the page is silent for too long. `act` gets {ms}: for how long it may be,
// which `act` changes while it keeps the page busy itself.
export async function unlessSilent(page, act) {
  const patience = { ms: kSilentMs }, end = Date.now() + kMostMs;
  let over = false;
  const silence = async () => {
    while (!over && Date.now() < end && await answers(page, patience.ms)) await after(kPauseMs);
    return { late: true };
  };
  const acting = act(patience);
  acting.catch(() => {});  // fails once the tab of a silent page is closed
  try {
    return await Promise.race([acting, silence()]);
  } finally {
    over = true;
  }
}
