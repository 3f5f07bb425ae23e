// Shortens a sequence that fails: removes half of the operations, then fewer, then single ones, then members of their
// bodies.
async function shorter(some, fails) {
  let best = some;
  for (let size = Math.ceil(best.length / 2); size >= 1; size = size > 1 ? Math.ceil(size / 2) : 0) {
    for (let at = 0; at < best.length;) {
      const without = [...best.slice(0, at), ...best.slice(at + size)];
      if (await fails(without)) best = without;
      else at += size;
    }
  }
  return best;
}

export async function smallest(some, fails) {
  let best = await shorter(some, fails);
  for (const [at, { body = {} }] of best.entries()) {
    for (const name of Object.keys(body)) {
      const { [name]: _, ...rest } = best[at].body;
      const plainer = best.with(at, { ...best[at], body: rest });
      if (await fails(plainer)) best = plainer;
    }
  }
  return best;
}
