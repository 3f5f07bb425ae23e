// The reference of streams in Node: better-sse's channel, in one process, as its documentation shows it.
import { createServer } from 'node:http';
import { createChannel, createSession } from 'better-sse';

const channel = createChannel();
createServer(async (request, response) => {
  if (request.method === 'GET') return channel.register(await createSession(request, response));
  let text = '';
  for await (const piece of request.setEncoding('utf8')) text += piece;
  channel.broadcast(JSON.parse(text), 'message');
  return response.end();
}).listen(Number(process.env.PORT), '127.0.0.1');
