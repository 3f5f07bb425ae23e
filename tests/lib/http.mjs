// Sends one HTTP request over a new socket, or over an agent's. Bodies are JSON unless they are text or bytes.
import http from 'node:http';

export function request({ port, method, path, headers = {}, body, agent = false, seconds = 60 }) {
  const payload = body === undefined ? undefined : typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
  const all = { ...headers };
  if (payload !== undefined) {
    all['content-type'] ??= 'application/json';
    all['content-length'] = Buffer.byteLength(payload);
  }
  return new Promise((done, fail) => {
    const call = http.request({ host: '127.0.0.1', port, method, path, headers: all, agent }, (answer) => {
      const pieces = [];
      answer.on('data', (piece) => pieces.push(piece));
      answer.on('error', fail);
      answer.on('end', () => {
        const bytes = Buffer.concat(pieces);
        const text = bytes.toString('utf8');
        let json;
        try { json = JSON.parse(text); } catch { json = undefined; }
        done({ status: answer.statusCode, headers: answer.headers, bytes, text, json });
      });
    });
    call.setTimeout(seconds * 1000, () => call.destroy(new Error(`${method} ${path}: no answer in ${seconds} s`)));
    call.on('error', fail);
    call.end(payload);
  });
}
