// Reads the metrics of an app server, from a socket beside its control socket.
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { basename, dirname, join } from 'node:path';

export function socketOf(pid) {
  const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  const control = words[words.indexOf('--control') + 1];
  return join(dirname(control), `.${basename(control, '.sock')}.adm`);
}

export const askServer = (pid, path, method = 'GET') => new Promise((done, failed) => {
  const asked = request({ socketPath: socketOf(pid), path, method }, (answer) => {
    let text = '';
    answer.setEncoding('utf8').on('data', (piece) => { text += piece; })
      .on('end', () => done({ status: answer.statusCode, type: answer.headers['content-type'], text }));
  });
  asked.on('error', failed).end();
});
