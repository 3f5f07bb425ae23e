// Packages from the npm registry that tests alone need: a folder of ours with package.json and its lock,
// installed below the build folder once for each lock.
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { bin } from './stack.mjs';

const files = ['package.json', 'package-lock.json'];

// A `require` that finds the packages.
export function packages(folder) {
  const place = join(dirname(bin), 'npm', basename(folder));
  const same = (file) => existsSync(join(place, file)) && readFileSync(join(place, file), 'utf8') === readFileSync(join(folder, file), 'utf8');
  if (!existsSync(join(place, 'node_modules')) || !files.every(same)) {
    mkdirSync(place, { recursive: true });
    for (const file of files) copyFileSync(join(folder, file), join(place, file));
    execFileSync('npm', ['ci', '--silent', '--no-audit', '--no-fund', '--prefer-offline'], { cwd: place, stdio: ['ignore', 'ignore', 'inherit'] });
  }
  return createRequire(join(place, 'package.json'));
}
