// A service that steps call: it records each call and gives prepared answers.
import { createServer } from 'node:http';

export class Endpoint {
  // Until stop(). `answers`: of a path without its first slash, what comes next, the last of a list again and again:
  // {status, headers, text}, where text may be made of the request; {hangs: true} never answers.
  static async start() {
    const it = new Endpoint();
    it.calls = [];
    it.answers = {};
    it.server = createServer((request, answer) => {
      let body = '';
      request.on('data', (piece) => { body += piece; }).on('end', () => it.answer(request, body, answer));
    });
    await new Promise((done) => it.server.listen(0, '127.0.0.1', done));
    it.url = `http://127.0.0.1:${it.server.address().port}`;
    return it;
  }

  answer(request, body, answer) {
    this.calls.push({ path: request.url, method: request.method, headers: request.headers, body });
    const line = this.answers[request.url.slice(1)] ?? [{}];
    const { status = 200, headers = {}, text = '{}', hangs = false } = line.length > 1 ? line.shift() : line[0];
    if (hangs) return;
    answer.writeHead(status, { 'content-type': 'application/json', ...headers }).end(typeof text === 'function' ? text(request) : text);
  }

  to(path) { return this.calls.filter((one) => one.path === `/${path}`); }
  keysOf(path) { return this.to(path).map(({ headers }) => headers['idempotency-key']); }

  stop() {
    this.server.closeAllConnections();
    this.server.close();
  }
}
