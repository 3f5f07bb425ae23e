// A real mail server on a free port of loopback, which keeps what it takes.
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packages } from '../lib/npm.mjs';
import { freePort, until } from '../lib/stack.mjs';

const { SMTPServer } = packages(dirname(fileURLToPath(import.meta.url)))('smtp-server');

// `refuse` says which recipients it does not take: an error for each of those.
export async function startMailServer({ refuse = () => null, user, password } = {}) {
  const port = await freePort();
  const taken = [];
  const server = new SMTPServer({
    authOptional: true, disabledCommands: ['STARTTLS'], allowInsecureAuth: true, logger: false,
    onAuth: (auth, _session, done) => (auth.username === user && auth.password === password ? done(null, { user }) : done(new Error('no'))),
    onRcptTo: (address, _session, done) => done(refuse(address.address)),
    onData(stream, session, done) {
      const pieces = [];
      stream.on('data', (piece) => pieces.push(piece));
      stream.on('end', () => { taken.push({ envelope: session.envelope, user: session.user, text: Buffer.concat(pieces).toString() }); done(); });
    },
  });
  await new Promise((ready) => server.listen(port, '127.0.0.1', ready));
  return { port, taken, url: `smtp://127.0.0.1:${port}/`, stop: () => new Promise((done) => server.close(done)) };
}

export const bodyOf = (mail) => Buffer.from(mail.text.split('\r\n\r\n')[1], 'base64').toString();

// The link of the newest mail to this address, once there are more than `before`.
export async function mailedLink(server, to, before = 0) {
  const own = () => server.taken.filter(({ envelope }) => envelope.rcptTo.some(({ address }) => address === to));
  await until(`a mail to ${to}`, () => own().length > before);
  return /(http:\S+token=\S+)/.exec(bodyOf(own().at(-1)))[1];
}
