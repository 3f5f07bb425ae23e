// Expected answers as data: an object matches when each of its members does, an array when it has the
// same length and each element matches. Strings that begin with a mark say more:
//   "*" anything but undefined   "#uuid", "#time", "#number", "#text"   "~regex"   "!absent" no such member
const kinds = {
  '#uuid': (v) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(v),
  '#time': (v) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(v),
  '#number': (v) => typeof v === 'number',
  '#text': (v) => typeof v === 'string' && v.length > 0,
};

function textMatches(expected, actual) {
  if (expected === '*') return actual !== undefined;
  if (expected in kinds) return kinds[expected](actual);
  if (expected.startsWith('~')) return typeof actual === 'string' && new RegExp(expected.slice(1)).test(actual);
  return expected === actual;
}

// The first difference as text, or null.
export function difference(expected, actual, at = '') {
  if (expected === '!absent') return actual === undefined ? null : `${at} is there: ${JSON.stringify(actual)}`;
  if (typeof expected === 'string') {
    return textMatches(expected, actual) ? null : `${at}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(actual)}`;
  }
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual) || actual.length !== expected.length) {
      return `${at}: expected ${expected.length} elements, got ${JSON.stringify(actual)}`;
    }
    return expected.map((e, i) => difference(e, actual[i], `${at}/${i}`)).find((d) => d !== null) ?? null;
  }
  if (expected !== null && typeof expected === 'object') {
    if (actual === null || typeof actual !== 'object') return `${at}: expected an object, got ${JSON.stringify(actual)}`;
    return Object.entries(expected).map(([k, e]) => difference(e, actual[k], `${at}/${k}`)).find((d) => d !== null) ?? null;
  }
  return Object.is(expected, actual) ? null : `${at}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(actual)}`;
}
