// What others made for the same work, as their documentation shows it: `node peer.mjs <name>`, on PORT.
const port = Number(process.env.PORT);

async function tus(made = (FileStore) => FileStore) {
  const { Server } = await import('@tus/server');
  const { FileStore } = await import('@tus/file-store');
  const Store = made(FileStore);
  new Server({ path: '/files', datastore: new Store({ directory: process.env.FOLDER }) }).listen({ host: '127.0.0.1', port });
}

// The same server for somebody who needs svc's promise: bytes that are acknowledged are on the disk.
const tusSynced = () => tus((FileStore) => class extends FileStore {
  async write(stream, id, offset) {
    const end = await super.write(stream, id, offset);
    const { open } = await import('node:fs/promises');
    const file = await open(`${this.directory}/${id}`, 'r+');
    await file.datasync().finally(() => file.close());
    return end;
  }
});

// Each chat asks the model provider and passes on what it says, piece by piece.
async function chat() {
  const { default: Fastify } = await import('fastify');
  const { default: OpenAI } = await import('openai');
  const client = new OpenAI({ baseURL: process.env.PROVIDER, apiKey: 'sk-bench' });
  const app = Fastify();
  app.post('/chat', async (request, reply) => {
    reply.hijack();
    reply.raw.writeHead(200, { 'content-type': 'text/event-stream' });
    const stream = await client.chat.completions.create({ model: 'small', messages: request.body.messages, stream: true });
    for await (const chunk of stream) reply.raw.write(`data: ${JSON.stringify({ type: 'text_delta', data: chunk.choices[0]?.delta?.content ?? '' })}\n\n`);
    reply.raw.end('data: [DONE]\n\n');
  });
  await app.listen({ host: '127.0.0.1', port });
}

// A model provider: a first word at once, and for a message "hold" nothing more.
async function provider() {
  const { createServer } = await import('node:http');
  const chunk = (delta, finish = null) => `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'small', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
  createServer((request, reply) => {
    let text = '';
    request.setEncoding('utf8').on('data', (piece) => { text += piece; }).on('end', () => {
      const { messages, stream, max_tokens: most } = JSON.parse(text);
      if (!stream) {
        const usage = { prompt_tokens: 50, completion_tokens: most, total_tokens: 50 + most };
        return reply.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({
          id: 'c', object: 'chat.completion', created: 1, model: 'small', usage,
          choices: [{ index: 0, message: { role: 'assistant', content: 'word' }, finish_reason: 'stop' }] }));
      }
      reply.writeHead(200, { 'content-type': 'text/event-stream' }).write(chunk({ content: 'word' }));
      if (messages.at(-1).content === 'hold') return undefined;
      return reply.end(`${chunk({ content: ' and more' })}${chunk({}, 'stop')}data: [DONE]\n\n`);
    });
  }).listen(port, '127.0.0.1');
}

// Somebody whom connectors call.
async function service() {
  const { createServer } = await import('node:http');
  const answer = JSON.stringify({ id: 7, name: 'Ann', tags: ['a', 'b'] });
  createServer((request, reply) => request.resume().on('end', () => reply.writeHead(200, { 'content-type': 'application/json' }).end(answer))).listen(port, '127.0.0.1');
}

await { tus, tusSynced, chat, provider, service }[process.argv[2]]();
