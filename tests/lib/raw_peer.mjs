// Somebody who answers HTTP as no library would: the very bytes that a test says, in as many pieces.
import { createServer } from 'node:net';

// A whole request, or null where more of it is to come.
function requestOf(text) {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return null;
  const [line, ...lines] = text.slice(0, end).split('\r\n');
  const headers = Object.fromEntries(lines.map((one) => [one.slice(0, one.indexOf(':')).toLowerCase(), one.slice(one.indexOf(':') + 1).trim()]));
  const body = text.slice(end + 4);
  if (Buffer.byteLength(body) < Number(headers['content-length'] ?? 0)) return null;
  const [method, path] = line.split(' ');
  return { method, path, headers, body };
}

export class RawPeer {
  // `answer(request)` gives pieces to send one after another; a connection ends after them unless the last one is null.
  static async start(answer) {
    const it = new RawPeer();
    it.calls = [];
    it.server = createServer((socket) => {
      let text = '';
      socket.on('error', () => {}).on('data', (piece) => {
        text += piece;
        const request = requestOf(text);
        if (!request) return;
        text = '';
        it.calls.push(request);
        void it.send(socket, answer(request));
      });
    });
    await new Promise((done) => it.server.listen(0, '127.0.0.1', done));
    it.url = `http://127.0.0.1:${it.server.address().port}`;
    return it;
  }

  async send(socket, pieces) {
    for (const piece of pieces) {
      if (piece === null) return;
      await new Promise((done) => socket.write(piece, done));
      await new Promise((done) => setImmediate(done));
    }
    socket.end();
  }

  stop() { this.server.close(); }
}

const kJson = 'content-type: application/json\r\n';
// Shapes of one and the same answer: good ones, and those that are none. Of a function each of the JSON's text.
export const good = {
  'of HTTP/1.0, which ends where the connection does': (json) => [`HTTP/1.0 200 OK\r\n${kJson}\r\n${json}`],
  'that comes byte by byte': (json) => [...`HTTP/1.1 200 OK\r\n${kJson}content-length: ${Buffer.byteLength(json)}\r\n\r\n${json}`],
  'behind interim ones': (json) => ['HTTP/1.1 100 Continue\r\n\r\n', 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n', `HTTP/1.1 200 OK\r\n${kJson}content-length: ${Buffer.byteLength(json)}\r\n\r\n${json}`],
  'in chunks with extensions and trailers': (json) => [`HTTP/1.1 200 OK\r\n${kJson}transfer-encoding: chunked\r\n\r\n1;x=y\r\n${json[0]}\r\n`, `${(json.length - 1).toString(16)}\r\n${json.slice(1)}\r\n0\r\nx-after: 1\r\n\r\n`],
};
export const bad = {
  'that is cut off': (json) => [`HTTP/1.1 200 OK\r\n${kJson}content-length: ${json.length}\r\n\r\n${json.slice(0, 5)}`],
  'that says it is longer': (json) => [`HTTP/1.1 200 OK\r\n${kJson}content-length: ${json.length + 500}\r\n\r\n${json}`],
  'that is cut off in a chunk': (json) => [`HTTP/1.1 200 OK\r\n${kJson}transfer-encoding: chunked\r\n\r\nff\r\n${json}`],
  'without its last chunk': (json) => [`HTTP/1.1 200 OK\r\n${kJson}transfer-encoding: chunked\r\n\r\n${json.length.toString(16)}\r\n${json}\r\n`],
  'of no protocol': () => ['hello\r\n\r\n'],
  'of half a head': () => ['HTTP/1.1 200 OK\r\ncontent-ty'],
  'without a byte': () => [],
};
// One that is followed by more than it says; whoever keeps the connection must not take the rest for the next answer.
export const followed = (json, rest) => [`HTTP/1.1 200 OK\r\n${kJson}content-length: ${json.length}\r\n\r\n${json}${rest}`, null];
