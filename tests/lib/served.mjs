// The routes of this tree's server beside those for single rows. Tests of missing routes are left out; a new route adds
// its word here, and its tests run. SVC_SERVED="aggregate search" tries some against other programs (SVC_BIN).
//   aggregate  search  bulk (arrays in one create)  upsert  select (embedded rows)  csv (and lines of JSON)  cursor (and counts, and
//   paths over refs)  sql (/data/query)
const here = ['aggregate', 'search', 'bulk', 'upsert', 'select', 'csv', 'cursor', 'sql'];

const words = new Set(process.env.SVC_SERVED?.split(' ') ?? here);

export const serves = (word) => words.has(word);
