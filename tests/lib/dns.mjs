// A DNS server that knows TXT records alone, for as long as a test runs. `records` maps a name to a list of values, to
// { cname }, to a code of refusal (2 SERVFAIL, 3 NXDOMAIN), or to 'silent'.
import { createSocket } from 'node:dgram';

const TXT = 16, CNAME = 5;

function readName(packet, at) {
  const labels = [];
  while (packet[at]) {
    labels.push(packet.subarray(at + 1, at + 1 + packet[at]).toString('latin1'));
    at += packet[at] + 1;
  }
  return { name: labels.join('.').toLowerCase(), end: at + 1 };
}

const writeName = (name) => Buffer.concat([...name.split('.').map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)])), Buffer.from([0])]);

function record(name, type, data) {
  const head = Buffer.alloc(10);
  head.writeUInt16BE(type, 0);
  head.writeUInt16BE(1, 2);
  head.writeUInt32BE(60, 4);
  head.writeUInt16BE(data.length, 8);
  return Buffer.concat([writeName(name), head, data]);
}

// Values of more than 255 bytes are several strings, and so is what is given as a list.
function strings(value) {
  const parts = Array.isArray(value) ? value : [value];
  return Buffer.concat(parts.map((part) => Buffer.concat([Buffer.from([part.length]), Buffer.from(part)])));
}

function answersFor(records, name) {
  const found = records[name] ?? 3;
  if (typeof found === 'number') return { code: found, answers: [] };
  if (found.cname) {
    const { answers } = answersFor(records, found.cname);
    return { code: 0, answers: [record(name, CNAME, writeName(found.cname)), ...answers] };
  }
  return { code: 0, answers: found.map((value) => record(name, TXT, strings(value))) };
}

export async function dns(records) {
  const socket = createSocket('udp4');
  const asked = [];
  socket.on('message', (question, from) => {
    const { name, end } = readName(question, 12);
    asked.push(name);
    if (records[name] === 'silent') return;
    const { code, answers } = answersFor(records, name);
    const head = Buffer.alloc(12);
    question.copy(head, 0, 0, 2);
    head.writeUInt16BE(0x8580 | code, 2);
    head.writeUInt16BE(1, 4);
    head.writeUInt16BE(answers.length, 6);
    socket.send(Buffer.concat([head, question.subarray(12, end + 4), ...answers]), from.port, from.address);
  });
  await new Promise((done) => socket.bind(0, '127.0.0.1', done));
  return { server: `127.0.0.1:${socket.address().port}`, asked, stop: () => socket.close() };
}
