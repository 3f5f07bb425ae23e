// The way of one call's pages to the network: a proxy on the loopback interface that leads to the app's own host and
// refuses every other. A browser asks it for each request, WebSockets and prefetches included, and resolves no name
// itself.
import { randomUUID } from 'node:crypto';
import { createServer, request } from 'node:http';
import { connect } from 'node:net';

// Pages of an app have it too. A tab that goes from a page with it to one without gets another process.
const kRestHeaders = { 'content-type': 'text/html', 'cross-origin-opener-policy': 'same-origin' };
const kRest = '<link rel="icon" href="data:,">';  // else the browser asks the app for one
const kPorts = { 'http:': 80, 'https:': 443 };

// `origin`: the app's, as the browser opens it. `service`: {host, port} where svcd listens; plain HTTP goes there
// whatever the name resolves to.
export class Proxy {
  constructor(origin, service) {
    this.origin = new URL(origin);
    this.port = Number(this.origin.port) || kPorts[this.origin.protocol];
    this.service = service;
    // An empty page of the app's own host, where a tab rests between two pages. It is there on plain HTTP alone.
    this.rest = new URL(`/${randomUUID()}`, origin).href;
    this.refused = new Set();
    this.server = createServer((req, res) => this.forward(req, res));
    this.server.on('connect', (req, socket, head) => this.tunnel(req, socket, head));
    this.sockets = new Set();
    this.server.on('connection', (socket) => {
      this.sockets.add(socket);
      socket.on('close', () => this.sockets.delete(socket)).on('error', () => socket.destroy());
    });
  }

  async start() {
    await new Promise((done, fail) => this.server.once('error', fail).listen(0, '127.0.0.1', done));
    return `http://127.0.0.1:${this.server.address().port}`;
  }

  stop() {
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
  }

  isOwn(url) {
    return (url.protocol === 'http:' || url.protocol === 'https:') && url.hostname === this.origin.hostname && (Number(url.port) || kPorts[url.protocol]) === this.port;
  }

  refuse(what) {
    if (this.refused.size < 50) this.refused.add(what.slice(0, 300));
  }

  target() {
    return this.origin.protocol === 'http:' ? this.service : { host: this.origin.hostname, port: this.port };
  }

  forward(req, res) {
    const url = URL.canParse(req.url) ? new URL(req.url) : null;
    if (!url || url.protocol !== 'http:' || !this.isOwn(url)) {
      this.refuse(req.url);
      res.writeHead(403, { 'content-type': 'text/plain' }).end('This host is not the app\'s own.');
      return;
    }
    if (url.href === this.rest) {
      res.writeHead(200, kRestHeaders).end(kRest);
      return;
    }
    const { 'proxy-connection': _, ...headers } = req.headers;
    const onward = request({ ...this.service, method: req.method, path: url.pathname + url.search, headers: { ...headers, host: url.host } }, (answer) => {
      res.writeHead(answer.statusCode, answer.rawHeaders);
      answer.pipe(res);
      answer.on('error', () => res.destroy());
    });
    onward.on('error', () => res.destroy());
    res.on('close', () => onward.destroy());
    req.pipe(onward);
  }

  tunnel(req, socket, head) {
    const url = URL.canParse(`https://${req.url}`) ? new URL(`https://${req.url}`) : null;
    if (!url || !this.isOwn(url)) {
      this.refuse(req.url);
      socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
      return;
    }
    const { host, port } = this.target();
    const onward = connect({ host, port }, () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      if (head.length > 0) onward.write(head);
      onward.pipe(socket);
      socket.pipe(onward);
    });
    onward.on('error', () => socket.destroy());
    socket.on('close', () => onward.destroy());
  }
}
