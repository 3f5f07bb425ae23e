// A client that owns its socket: nothing retries for it, so every lost answer shows.
import net from 'node:net';

export class RawClient {
  constructor(port) {
    this.port = port;
    this.buffer = Buffer.alloc(0);
  }

  connect() {
    return new Promise((done, fail) => {
      this.socket = net.connect({ host: '127.0.0.1', port: this.port, noDelay: true }, done);
      this.socket.on('error', (error) => { this.end(error); fail(error); });
      this.socket.on('close', () => this.end(new Error('closed by the server')));
      this.socket.on('data', (piece) => { this.buffer = Buffer.concat([this.buffer, piece]); this.step(); });
    });
  }

  end(error) {
    this.closed = error;
    this.waiting?.fail(error);
    this.waiting = undefined;
  }

  // Bytes as they are; resolves with the next whole answer.
  send(bytes) {
    if (this.closed) return Promise.reject(this.closed);
    const answer = new Promise((done, fail) => { this.waiting = { done, fail }; });
    this.socket.write(bytes);
    this.step();
    return answer;
  }

  get(path, headers) {
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`).join('');
    return this.send(`GET ${path} HTTP/1.1\r\n${lines}\r\n`);
  }

  step() {
    if (!this.waiting) return;
    const end = this.buffer.indexOf('\r\n\r\n');
    if (end < 0) return;
    const head = this.buffer.subarray(0, end).toString('latin1');
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
    if (this.buffer.length < end + 4 + length) return;
    const body = this.buffer.subarray(end + 4, end + 4 + length).toString('utf8');
    this.buffer = this.buffer.subarray(end + 4 + length);
    const { done } = this.waiting;
    this.waiting = undefined;
    done({ status: Number(head.slice(9, 12)), head, body });
  }

  close() {
    this.socket?.removeAllListeners('close');
    this.socket?.destroy();
  }
}
