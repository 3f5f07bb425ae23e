// What the server of this tree answers beside rows one by one. Tests of what it does not yet are left out; whoever adds a route adds
// its word here and they run. SVC_SERVED="aggregate search" tries some against other programs (SVC_BIN).
//   aggregate  search  bulk (arrays in one create)  upsert  select (embedded rows)  csv (and lines of JSON)  cursor (and counts, and
//   paths over refs)  sql (/data/query)
const here = [];

const words = new Set(process.env.SVC_SERVED?.split(' ') ?? here);

export const serves = (word) => words.has(word);
