// Another service that steps call: slow at times, away at times. It keeps the key of each call that it has answered well.
import { createServer } from 'node:http';

export class Called {
  answered = [];  // keys, in order
  refused = 0;

  static async start(dice) {
    const called = new Called();
    called.server = createServer((request, answer) => {
      const key = request.headers['idempotency-key'];
      request.resume().on('end', () => setTimeout(() => {
        const well = !dice.chance(0.05);
        if (well) called.answered.push(key);
        else called.refused += 1;
        answer.writeHead(well ? 200 : 503, { 'content-type': 'application/json' }).end('{}');
      }, dice.below(30)));
    });
    await new Promise((done) => called.server.listen(0, '127.0.0.1', done));
    called.url = `http://127.0.0.1:${called.server.address().port}`;
    return called;
  }

  stop() {
    this.server.closeAllConnections();
    this.server.close();
  }
}
