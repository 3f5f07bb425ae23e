// One psql for many statements, one after the other: the work of a superuser between the calls of a test.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

const end = '--- the end of it ---';

export class Sql {
  constructor(url) {
    this.child = spawn('psql', ['-XAtq', '-v', 'ON_ERROR_STOP=1', url], { stdio: ['pipe', 'pipe', 'pipe'] });
    this.errors = '';
    this.child.stderr.on('data', (piece) => { this.errors += piece; });
    this.waiting = [];
    let lines = [];
    createInterface(this.child.stdout).on('line', (line) => {
      if (line !== end) return void lines.push(line);
      this.waiting.shift().done(lines);
      lines = [];
    });
    this.child.stdin.on('error', () => {});  // of one that has ended: run() says so
    this.child.on('close', () => {
      this.ended = true;
      for (const { fail } of this.waiting.splice(0)) fail(new Error(this.errors || 'psql ended'));
    });
  }

  // Lines of what the statements answer. psql ends at the first that fails.
  run(statements) {
    if (this.ended) return Promise.reject(new Error(`psql has ended: ${this.errors}`));
    const answer = new Promise((done, fail) => this.waiting.push({ done, fail }));
    this.child.stdin.write(`${statements}\n;\n\\echo ${end}\n`);
    return answer;
  }

  // The one value of a statement, read as JSON.
  async json(statement) {
    const [text] = await this.run(statement);
    return text === undefined || text === '' ? null : JSON.parse(text);
  }

  close() {
    this.child.stdin.end();
  }
}

export const literal = (value) => (value === null || value === undefined ? 'null' : `'${String(value).replaceAll("'", "''")}'`);
export const ident = (name) => `"${name}"`;

// A random sequence that a seed decides: numbers from 0 to 1.
export function randomFrom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
