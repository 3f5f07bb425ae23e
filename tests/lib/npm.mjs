// Packages from the npm registry that tests alone need: a folder of the tests with package.json and its lock,
// installed below the build folder once for each lock.
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { bin } from './stack.mjs';

const files = ['package.json', 'package-lock.json'];

// Beside its place, and then moved there whole: tests that run at the same time may ask for the same packages.
function install(folder, place, whole) {
  mkdirSync(dirname(place), { recursive: true });
  const made = mkdtempSync(`${place}-`);
  for (const file of files) copyFileSync(join(folder, file), join(made, file));
  execFileSync('npm', ['ci', '--silent', '--no-audit', '--no-fund', '--prefer-offline'], { cwd: made, stdio: ['ignore', 'ignore', 'inherit'] });
  try {
    if (!whole()) {
      rmSync(place, { recursive: true, force: true });
      renameSync(made, place);
    }
  } catch (error) {
    if (!whole()) throw error;  // somebody else was faster
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
}

// A `require` that finds the packages.
export function packages(folder) {
  const place = join(dirname(bin), 'npm', basename(folder));
  const same = (file) => existsSync(join(place, file)) && readFileSync(join(place, file), 'utf8') === readFileSync(join(folder, file), 'utf8');
  const whole = () => existsSync(join(place, 'node_modules')) && files.every(same);
  if (!whole()) install(folder, place, whole);
  return createRequire(join(place, 'package.json'));
}
