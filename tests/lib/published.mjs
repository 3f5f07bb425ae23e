// Shared parts of tests of publishing: deploys with their stages, load that must not fail, kills at a stage.
import http from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { RawClient } from './raw.mjs';

// A change of a project with its stages; `at` is called as each begins. Resolves to the last event's data,
// or null if the stream broke off.
export function staged(stack, path, body, at = () => {}) {
  return new Promise((done) => {
    let text = '';
    let status;
    const finish = () => {
      const data = /event: (?:done|error)\ndata: (.*)\n/.exec(text)?.[1];
      const plain = text.startsWith('{') ? text : null;
      done(data ? JSON.parse(data) : plain ? { status, ...JSON.parse(plain) } : null);
    };
    const call = http.request({
      host: '127.0.0.1', port: stack.port, method: 'POST', path: `/dev/v1${path}`, agent: false,
      headers: { authorization: `Bearer ${stack.session}`, accept: 'text/event-stream', 'content-type': 'application/json' },
    }, (answer) => {
      let seen = 0;
      status = answer.statusCode;
      answer.on('data', (piece) => {
        text += piece;
        const frames = [...text.matchAll(/event: stage\ndata: (.*)\n/g)].map((match) => JSON.parse(match[1]));
        for (const stage of frames.slice(seen)) if (stage.status === 'running') at(stage.name);
        seen = frames.length;
      });
      answer.on('end', finish);
      answer.on('error', finish);
    });
    call.on('error', finish);
    call.end(JSON.stringify(body ?? {}));
  });
}

export const deploy = (stack, project, body = {}, at) =>
  staged(stack, `/projects/${project.id}/deploy`, { skipVerify: true, ...body }, at);

// Writes and reads on keep-alive and on new connections until it is stopped; `acknowledged` are the ids of
// rows that were answered 201, `bad` what was not answered as it must be.
export function load(stack, host, { clients = 8, headers: own, path, body }) {
  const state = { over: false, acknowledged: [], reads: 0, bad: [] };
  const headers = { host, 'x-svc-data-api': '1', ...own };
  const head = (more) => Object.entries({ ...headers, ...more }).map(([name, value]) => `${name}: ${value}\r\n`).join('');
  const note = (what) => { if (state.bad.length < 20) state.bad.push(what); };
  const turn = async (client, i) => {
    if (i % 2) {
      const answer = await client.get(`${path}?limit=1`, headers);
      if (answer.status === 200) state.reads += 1;
      else note(`read: ${answer.status} ${answer.body.slice(0, 200)}`);
      return;
    }
    const text = JSON.stringify(body());
    const answer = await client.send(`POST ${path} HTTP/1.1\r\n${head({ 'content-length': Buffer.byteLength(text) })}\r\n${text}`);
    if (answer.status === 201) state.acknowledged.push(JSON.parse(answer.body).rows[0].id);
    else note(`write: ${answer.status} ${answer.body.slice(0, 200)}`);
  };
  const loop = async (own) => {
    let client;
    for (let i = own; !state.over; ++i) {
      try {
        if (!client || i % 50 === 49) {
          client?.close();
          client = new RawClient(stack.port);
          await client.connect();
        }
        await turn(client, i);
      } catch (error) {
        note(String(error));
        client = null;
        await pause(5);
      }
    }
    client?.close();
  };
  const loops = Array.from({ length: clients }, (_, i) => loop(i));
  state.stop = async () => {
    state.over = true;
    await Promise.all(loops);
    return state;
  };
  return state;
}
