// A model provider for tests with OpenAI's interface. It gives prepared answers and records the requests.
import { createServer } from 'node:http';
import { until } from '../lib/stack.mjs';

const chunk = (more) => JSON.stringify({ id: 'c1', object: 'chat.completion.chunk', created: 1, model: 'small', ...more });

export class Provider {
  static async start() {
    const it = new Provider();
    it.server = createServer((request, reply) => {
      let text = '';
      request.on('data', (piece) => { text += piece; }).on('end', () => it.take(request, reply, text));
    });
    it.server.on('connection', (socket) => { it.connections += 1; socket.on('error', () => {}); });
    await new Promise((done) => it.server.listen(0, '127.0.0.1', done));
    it.url = `http://127.0.0.1:${it.server.address().port}/v1`;
    return it;
  }

  calls = [];
  connections = 0;
  // The next answer, by path: a function of {request, reply, body, call}. None: a good answer.
  next = null;
  words = ['Hel', 'lo', ' there'];
  usage = { prompt_tokens: 11, completion_tokens: 3 };

  take(request, reply, text) {
    const call = { path: request.url, headers: request.headers, body: JSON.parse(text || 'null'), left: false };
    this.calls.push(call);
    reply.on('close', () => { call.left = !reply.writableFinished; });
    const act = this.next ?? (({ body }) => (request.url.endsWith('/embeddings') ? this.embed(reply, body) : this.chat(reply, body)));
    act({ request, reply, body: call.body, call });
  }

  last() { return this.calls.at(-1); }
  json(reply, status, body, headers = {}) {
    reply.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  }
  error(reply, status, code, headers) { this.json(reply, status, { error: { message: `told: ${code}`, type: code, code, param: null } }, headers); }

  chat(reply, body) {
    const content = this.words.join('');
    if (!body.stream) {
      const choice = { index: 0, message: { role: 'assistant', content, refusal: null }, finish_reason: 'stop' };
      return this.json(reply, 200, { id: 'c1', object: 'chat.completion', created: 1, model: body.model, choices: [choice], usage: this.usage && { ...this.usage, total_tokens: 14 } });
    }
    this.begin(reply);
    for (const word of this.words) this.say(reply, word);
    this.finish(reply, body);
    return undefined;
  }
  begin(reply) { reply.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' }); }
  say(reply, content) { reply.write(`data: ${chunk({ choices: [{ index: 0, delta: { content }, finish_reason: null }] })}\n\n`); }
  finish(reply, body = {}) {
    reply.write(`data: ${chunk({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })}\n\n`);
    if (body.stream_options?.include_usage && this.usage) reply.write(`data: ${chunk({ choices: [], usage: { ...this.usage, total_tokens: 14 } })}\n\n`);
    reply.end('data: [DONE]\n\n');
  }

  embed(reply, body) {
    const data = body.input.map((text, index) => ({ object: 'embedding', index, embedding: [text.length, 0.5, -1e-3] }));
    this.json(reply, 200, { object: 'list', data: data.reverse(), model: body.model, usage: { prompt_tokens: 7, total_tokens: 7 } });
  }

  asked(count) { return until(`${count} calls of the provider`, () => this.calls.length >= count, 30000); }
  stop() {
    this.server.closeAllConnections();
    return new Promise((done) => this.server.close(done));
  }
}
