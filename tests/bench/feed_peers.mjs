// Other servers of streams: nginx with nchan, and better-sse on Node. Both send everything to every listener and check
// no policy.
import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { request } from '../lib/http.mjs';
import { freePort, until } from '../lib/stack.mjs';

// Proportional set size of these processes and their children: what is shared counts once.
export function memoryMiB(pid) {
  const kib = Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))[1]);
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
  return children.reduce((sum, child) => sum + memoryMiB(child), kib / 1024);
}

const head = (path, port) => `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAccept: text/event-stream\r\n\r\n`;

async function peer(name, port, command, args, env, { sub, pub }) {
  const child = spawn(command, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'ignore', 'inherit'] });
  const ended = new Promise((done) => child.on('exit', done));
  const publish = async (payload) => {
    const { status, text } = await request({ port, method: 'POST', path: pub, body: payload });
    if (status >= 300) throw new Error(`${name} answers ${status} ${text}`);
  };
  await until(name, () => publish({ ready: true }).then(() => true, () => false));
  return {
    name, port, publish, heads: [head(sub, port)],
    memory: () => memoryMiB(child.pid),
    async stop() { child.kill('SIGTERM'); await ended; },
  };
}

// `folder`: where the packages of Debian were unpacked (tests/bench/run).
export async function nchan(folder) {
  const port = await freePort();
  const own = join(folder, 'nchan');
  mkdirSync(own, { recursive: true });
  const modules = join(folder, 'debian/usr/lib/nginx/modules');
  const module = readdirSync(modules).find((name) => name.includes('nchan'));
  writeFileSync(join(own, 'nginx.conf'), `
    ${process.getuid() === 0 ? 'user root;' : ''}
    load_module ${join(modules, module)};
    daemon off; pid ${join(own, 'pid')}; worker_processes auto; worker_rlimit_nofile 20000; error_log ${join(own, 'error.log')} warn;
    events { worker_connections 16000; }
    http {
      access_log off; client_body_temp_path ${join(own, 'body')}; proxy_temp_path ${join(own, 'proxy')};
      fastcgi_temp_path ${join(own, 'fastcgi')}; uwsgi_temp_path ${join(own, 'uwsgi')}; scgi_temp_path ${join(own, 'scgi')};
      nchan_shared_memory_size 128M;
      server {
        listen 127.0.0.1:${port};
        location = /sub { nchan_subscriber eventsource; nchan_channel_id news; nchan_subscriber_first_message newest; }
        location = /pub { nchan_publisher; nchan_channel_id news; nchan_message_buffer_length 1000; }
      }
    }`);
  // nginx also makes folders in /var/lib/nginx, whatever its configuration says, so it gets its own one.
  const args = ['--dev-bind', '/', '/', '--tmpfs', '/var/lib', '--dir', '/var/lib/nginx', '--unshare-pid', '--die-with-parent',
    join(folder, 'debian/usr/sbin/nginx'), '-p', own, '-c', join(own, 'nginx.conf'), '-e', join(own, 'error.log')];
  return peer('nchan', port, 'bwrap', args, {}, { sub: '/sub', pub: '/pub' });
}

export async function betterSse(folder) {
  const port = await freePort();
  return peer('better-sse', port, process.execPath, [join(folder, 'sse/server.mjs')], { PORT: String(port) }, { sub: '/', pub: '/' });
}
