// Codes of second factors, by a program that is independent of svc (oathtool).
import { execFileSync } from 'node:child_process';

// The code of the half minute that is `steps` away from now.
export const totp = (secret, steps = 0) => execFileSync('oathtool',
  ['--totp', '--base32', `--now=@${Math.floor(Date.now() / 1000) + 30 * steps}`, secret]).toString().trim();
