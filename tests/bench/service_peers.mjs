// The servers that services are measured with and against: those of services/peer.mjs, and nginx for bytes of files.
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { freePort, until } from '../lib/stack.mjs';

const listens = (port) => new Promise((done) => {
  const socket = connect(port, '127.0.0.1', () => { socket.destroy(); done(true); });
  socket.on('error', () => done(false));
});

async function started(port, command, args, env) {
  const child = spawn(command, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'ignore', 'inherit'] });
  const ended = new Promise((done) => child.on('exit', done));
  await until(`${args[0]} ${args[1] ?? ''}`, () => listens(port));
  return { port, url: `http://127.0.0.1:${port}`, pid: child.pid, async stop() { child.kill('SIGTERM'); await ended; } };
}

// `folder`: where its packages were installed (tests/bench/run).
export async function servicePeer(folder, name, env = {}) {
  const port = await freePort();
  return started(port, process.execPath, [join(folder, 'services/peer.mjs'), name], { PORT: String(port), ...env });
}

// Files of this folder, as they are.
export async function nginx(folder, files) {
  const port = await freePort();
  const own = join(folder, 'nginx');
  mkdirSync(own, { recursive: true });
  writeFileSync(join(own, 'nginx.conf'), `
    ${process.getuid() === 0 ? 'user root;' : ''}
    daemon off; pid ${join(own, 'pid')}; worker_processes auto; error_log ${join(own, 'error.log')} warn;
    events { worker_connections 1024; }
    http {
      access_log off; sendfile on; tcp_nopush on; client_body_temp_path ${join(own, 'body')}; proxy_temp_path ${join(own, 'proxy')};
      fastcgi_temp_path ${join(own, 'fastcgi')}; uwsgi_temp_path ${join(own, 'uwsgi')}; scgi_temp_path ${join(own, 'scgi')};
      server { listen 127.0.0.1:${port}; root ${files}; }
    }`);
  return started(port, join(folder, 'debian/usr/sbin/nginx'), ['-p', own, '-c', join(own, 'nginx.conf'), '-e', join(own, 'error.log')]);
}
