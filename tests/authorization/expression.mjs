// The expressions of a contract, read into trees: ['literal', value], ['list', items], ['path', names], ['call', name, args],
// ['not', a], ['negative', a], [operator, a, b]. Written from docs/contract.md and from nothing of the compiler's.
const levels = [['||'], ['&&'], ['==', '!=', '<', '<=', '>', '>=', 'in'], ['+', '-'], ['*', '/']];

function tokens(text) {
  const shape = /\s*(?:('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")|(\d+(?:\.\d+)?)|([A-Za-z_]\w*)|(\|\||&&|[=!<>]=|[-+*/<>!()[\],.]))/gy;
  const out = [];
  let at = 0;
  while (text.slice(at).trim() !== '') {
    shape.lastIndex = at;
    const found = shape.exec(text);
    if (!found) throw new Error(`what is "${text.slice(at)}" in ${text}?`);
    const [, quoted, number, name, mark] = found;
    if (quoted) out.push({ literal: quoted.slice(1, -1).replace(/\\(.)/gs, '$1') });
    else if (number) out.push({ literal: Number(number) });
    else out.push({ word: name ?? mark, name: name !== undefined });
    at = shape.lastIndex;
  }
  return out;
}

class Reader {
  constructor(text) { this.text = text; this.tokens = tokens(text); this.at = 0; }

  next(word) { return this.tokens[this.at]?.word === word ? Boolean(++this.at) : false; }

  need(word) { if (!this.next(word)) throw new Error(`no ${word} at token ${this.at} of ${this.text}`); }

  level(n) {
    if (n === levels.length) return this.prefixed();
    let left = this.level(n + 1);
    for (let word; levels[n].includes(word = this.tokens[this.at]?.word);) {
      this.at += 1;
      left = [word, left, this.level(n + 1)];
    }
    return left;
  }

  prefixed() {
    if (this.next('!')) return ['not', this.prefixed()];
    if (this.next('-')) return ['negative', this.prefixed()];
    return this.single();
  }

  items(end) {
    const out = [];
    while (!this.next(end)) {
      if (out.length) this.need(',');
      out.push(this.level(0));
    }
    return out;
  }

  single() {
    if (this.next('(')) {
      const inner = this.level(0);
      this.need(')');
      return inner;
    }
    if (this.next('[')) return ['list', this.items(']')];
    const token = this.tokens[this.at++];
    if (token === undefined) throw new Error(`${this.text} ends early`);
    if ('literal' in token) return ['literal', token.literal];
    const known = { true: true, false: false, null: null };
    if (token.word in known) return ['literal', known[token.word]];
    if (!token.name) throw new Error(`${token.word} out of place in ${this.text}`);
    if (this.next('(')) return ['call', token.word, this.items(')')];
    const path = [token.word];
    while (this.next('.')) path.push(this.tokens[this.at++].word);
    return ['path', path];
  }
}

const kept = new Map();

export function parse(text) {
  if (kept.has(text)) return kept.get(text);
  const reader = new Reader(text);
  const tree = reader.level(0);
  if (reader.at < reader.tokens.length) throw new Error(`too much at token ${reader.at} of ${text}`);
  kept.set(text, tree);
  return tree;
}
