// Completion, the manual and help, which ask no service.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { bin } from '../lib/stack.mjs';
import { Client } from './client.mjs';

const client = new Client({ port: 1 });  // nothing answers there
after(() => client.remove());
const expect = (...asked) => client.expect(...asked);

// The commands as the manual lists them: "sql", "run workflow", …
const commands = () => [...execFileSync(join(bin, 'svc'), ['man'], { encoding: 'utf8' }).replaceAll('\\-', '-').matchAll(/^\.SS "svc ([a-z-]+(?: [a-z-]+)*)/gm)].map(([, path]) => path);

test('every command has help with examples', async () => {
  const all = commands();
  assert.ok(all.length > 25, String(all));
  for (const path of all) {
    const { out } = await expect(0, [...path.split(' '), '--help']);
    assert.match(out, /Examples:\n {2}\S/, path);
    const [words] = path.split(' ');
    assert.ok(new RegExp(`svc ${words}`).test(out.split('Examples:')[1]), `${path}: its examples show another command`);
  }
});

test('the manual is a page of man(1)', () => {
  const page = execFileSync(join(bin, 'svc'), ['man'], { encoding: 'utf8' });
  assert.match(page, /^\.TH SVC 1 /);
  for (const part of ['NAME', 'SYNOPSIS', 'COMMANDS', 'ENVIRONMENT', 'EXIT STATUS']) assert.match(page, new RegExp(`^\\.SH "?${part}`, 'm'));
  writeFileSync(join(client.home, 'svc.1'), page);
  const read = execFileSync('bash', ['-c', 'groff -man -Tutf8 -ww "$0" 2>&1 || cat "$0"', join(client.home, 'svc.1')], { encoding: 'utf8' });
  assert.doesNotMatch(read, /warning:|error:/);
});

test('completion: the possible next words', async () => {
  const script = (await expect(0, ['completion', 'bash'])).out;
  writeFileSync(join(client.home, 'bash'), script);
  const complete = (...words) => execFileSync('bash', ['--norc', '-c',
    `source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _svc; printf '%s\\n' "\${COMPREPLY[@]}"`, join(client.home, 'bash'), 'svc', ...words], { encoding: 'utf8' }).split('\n').filter(Boolean);
  assert.deepEqual(complete('sch'), ['schema']);
  assert.deepEqual(complete('run', ''), ['workflow', 'get', 'dead-letters', 'replay', 'cancel', 'release', '--help', '-h', '--json', '--project', '--api']);
  assert.deepEqual(complete('run', 'workflow', '--in'), ['--input']);
  assert.deepEqual(complete('sql', '--f'), ['--file']);
  assert.deepEqual(complete('--json', 'secrets', 's'), ['set']);
  for (const path of commands()) assert.ok(complete(...path.split(' ').slice(0, -1), path.split(' ').at(-1)).includes(path.split(' ').at(-1)), path);
  const zsh = (await expect(0, ['completion', 'zsh'])).out, fish = (await expect(0, ['completion', 'fish'])).out;
  assert.match(zsh, /^#compdef svc\n/);
  for (const path of commands()) {
    const last = path.split(' ').at(-1);
    assert.ok(zsh.includes(`" ${path}"`), `zsh: ${path}`);
    assert.ok(fish.includes(` -a ${last} `), `fish: ${path}`);
  }
  await expect(2, ['completion', 'sh']);
});

// A Tab as each shell takes it, in a folder with a contract and another file: what it offers, in any order.
class Shells {
  constructor(home) {
    this.home = home;
    this.env = { ...process.env, HOME: home, ZDOTDIR: home, TERM: 'dumb', PATH: `${bin}:${process.env.PATH}` };
    this.folder = join(home, 'files');
    for (const folder of ['files', '.zfunc', '.config/fish/completions']) mkdirSync(join(home, folder), { recursive: true });
    for (const name of ['svc.json', 'other.txt']) writeFileSync(join(this.folder, name), '');
    writeFileSync(join(home, '.bashrc'), `PS1=; source ~/bash.sh
tell() { _svc "$@"; printf '\\n@@@\\n'; printf '%s\\n' "\${COMPREPLY[@]}" @@@; exit; }; complete -F tell svc
`);
    // zsh itself adds the matches; this also prints them, and ends zsh.
    writeFileSync(join(home, '.zshrc'), `PROMPT= RPROMPT=
fpath=(~/.zfunc $fpath); autoload -U compinit; compinit -u; bindkey '^I' complete-word
mark() { print; print -r - @@@ }
compprefuncs=(mark); comppostfuncs=(mark exit)
compadd() {
  [[ \${@[1,(i)(-|--)]} == *-(O|A|D)\\ * ]] && { builtin compadd "$@"; return }
  local -a hits; builtin compadd -A hits "$@"; (( $#hits )) || return 1
  print -rl - $hits; builtin compadd "$@"
}
`);
  }

  async install() {
    for (const [shell, place] of [['bash', 'bash.sh'], ['zsh', '.zfunc/_svc'], ['fish', '.config/fish/completions/svc.fish']])
      writeFileSync(join(this.home, place), (await expect(0, ['completion', shell])).out);
  }

  run(program, args, input = '') {
    return execFileSync(program, args, { cwd: this.folder, env: this.env, encoding: 'utf8', input, timeout: 20000 });
  }

  // Splits the line as bash does: at = and : too.
  bash(line) {
    const told = this.run('script', ['-qec', 'bash --rcfile ~/.bashrc -i', '/dev/null'], `${line}\t`).replaceAll('\r', '').split('\n');
    return told.slice(told.indexOf('@@@') + 1, told.lastIndexOf('@@@'));
  }
  zsh(line) {
    const told = this.run('script', ['-qec', 'zsh -i', '/dev/null'], `${line}\t`).replaceAll('\r', '').split('\n');
    return told.slice(told.indexOf('@@@') + 1, told.lastIndexOf('@@@'));
  }
  fish(line) {
    return this.run('fish', ['-c', 'complete -C "$argv"', line]).split('\n').map((one) => one.split('\t')[0]);
  }
}

test('completion in bash, zsh and fish themselves', async () => {
  const shells = new Shells(join(client.home, 'shells'));
  await shells.install();
  const offered = {
    'svc sch': ['schema'],
    'svc pre': ['preview'],
    'svc run w': ['workflow'],
    'svc run workflow --in': ['--input'],
    'svc --json secrets s': ['set'],
    'svc --project run secrets s': ['set'],
    'svc run workflow tail --i': ['--input'],
    'svc sql --env ': ['dev', 'prod'],
    'svc sql --env p': ['prod'],
    'svc secrets set A b --env a': ['all'],
    'svc snapshots list --env ': ['dev', 'prod'],
    'svc snapshots list --e': ['--env'],
    'svc rows i': ['insert'],
    'svc tail e': ['events', 'errors'],
    'svc tail --env dev e': ['events', 'errors'],
    'svc tail events e': [],
    'svc rows insert u': [],
    'svc rows insert --e': ['--env'],
    'svc check svc.json s': [],
    'svc secrets list --e': ['--env'],
    'svc secrets --env a': ['all'],
    'svc completion z': ['zsh'],
    'svc deploy --sub': ['--subdomain'],
    'svc deploy --subdomain ': [],
    'svc sql --file ': ['svc.json', 'other.txt'],
    'svc check s': ['svc.json'],
    'svc patch o': ['other.txt'],
    'svc secrets set o': [],
    'svc --v': ['--version'],
  };
  const behindEquals = {
    'svc sql --env=': ['dev', 'prod'],
    'svc sql --env=d': ['dev'],
    'svc sql --env=prod --f': ['--file'],
    'svc sql --file=o': ['other.txt'],
    'svc --project=run secrets s': ['set'],
    'svc tail --env=dev ev': ['events'],
  };
  for (const [line, wanted] of Object.entries(behindEquals)) assert.deepEqual(shells.bash(line).filter(Boolean).sort(), wanted, line);
  for (const shell of ['bash', 'zsh', 'fish']) {
    for (const [line, wanted] of Object.entries(offered))
      assert.deepEqual(shells[shell](line).filter(Boolean).sort(), [...wanted].sort(), `${shell}: ${line}`);
    const first = shells[shell]('svc ').filter(Boolean);
    for (const path of commands().filter((one) => !one.includes(' '))) assert.ok(first.includes(path), `${shell}: ${path}`);
    assert.ok(!first.includes('svc.json'), `${shell}: no file is a command`);
  }
});
