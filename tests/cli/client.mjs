// The client as a user has it: a home, a folder and a configuration of its own, and a service to ask.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { bin, owner, sample, Stack } from '../lib/stack.mjs';

// Runs a program to its end: {code, out, err}. Nothing is ever typed into it beyond `input`, and that once it
// has shown what matches `when`, if that is given.
export function run(program, args, { cwd, env, input = '', when }) {
  return new Promise((done, fail) => {
    const child = spawn(program, args, { cwd, env, stdio: ['pipe', 'pipe', 'pipe'] });
    let out = '', err = '';
    child.stdout.on('data', (piece) => {
      out += piece;
      if (when?.test(out)) {
        when = undefined;
        child.stdin.end(input);
      }
    });
    child.stderr.on('data', (piece) => { err += piece; });
    child.stdin.on('error', () => {});  // it may end without reading
    child.on('error', fail);
    child.on('close', (code) => done({ code, out, err }));
    if (!when) child.stdin.end(input);
  });
}

// The options that sign the first owner in.
export const password = ['--email', owner.email, '--password', owner.password];

// A contract that a check refuses.
export const misspelt = () => {
  const contract = sample('hello');
  contract.entities[0].fields[1].type = 'nunber';
  return contract;
};

export class Client {
  constructor(stack) {
    this.home = mkdtempSync(join(tmpdir(), 'svc-cli-'));
    this.config = join(this.home, 'conf', 'config.json');
    this.folder = this.subfolder('work');
    this.env = {
      PATH: process.env.PATH, HOME: this.home, LANG: 'C.UTF-8',
      SVC_CONFIG: this.config, SVC_API: `http://127.0.0.1:${stack.port}/dev/v1`,
    };
  }

  subfolder(name) {
    const folder = join(this.home, name);
    mkdirSync(folder, { recursive: true });
    return folder;
  }

  svc(args, { env = {}, cwd = this.folder, input } = {}) {
    return run(join(bin, 'svc'), args, { cwd, input, env: { ...this.env, ...env } });
  }

  // As svc(), and checks the exit code.
  async expect(code, args, options) {
    const end = await this.svc(args, options);
    assert.equal(end.code, code, `svc ${args.join(' ')}: ${end.code}\n${end.out}${end.err}`);
    return end;
  }

  // Signed in, in a new folder that is linked to a new project; its id.
  async linked(name) {
    if (!existsSync(this.config) || !this.saved().token) await this.expect(0, ['login', ...password]);
    this.folder = this.subfolder(name);
    await this.expect(0, ['create', name]);
    return JSON.parse(this.read('.svc/project.json')).project;
  }

  // As svc() with standard input, output and error on a terminal. `input` is typed when `when` is shown; `out` has both
  // outputs.
  terminal(args, env = {}, { input, when } = {}) {
    const quoted = [join(bin, 'svc'), ...args].map((word) => `'${word.replaceAll("'", `'\\''`)}'`);
    return run('script', ['-qec', quoted.join(' '), '/dev/null'],
      { cwd: this.folder, input, when, env: { ...this.env, TERM: 'xterm', ...env } });
  }

  write(name, content) {
    writeFileSync(join(this.folder, name), typeof content === 'string' ? content : JSON.stringify(content, null, 2));
  }
  read(name) { return readFileSync(join(this.folder, name), 'utf8'); }
  saved() { return JSON.parse(readFileSync(this.config, 'utf8')); }

  remove() { rmSync(this.home, { recursive: true, force: true }); }
}

// Before the tests of a file: `take` is given a service, signed in, and a client of it. Both end with the tests.
export function served(take) {
  let stack, client;
  before(async () => {
    stack = await Stack.start();
    await stack.signIn();
    client = new Client(stack);
    take({ stack, client });
  });
  after(async () => {
    client?.remove();
    await stack?.stop();
  });
}
