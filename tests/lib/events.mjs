// A reader of server-sent events that shows each frame as it came: { event, data, id }.
import http from 'node:http';
import { until } from './stack.mjs';

export class Events {
  // Resolves when the head is there. `status` says whether it is a stream; otherwise `answer` has the answer. `onFrame`
  // gets each frame as it comes.
  static open({ port, path, headers = {}, onFrame = () => {} }) {
    const events = new Events();
    events.onFrame = onFrame;
    return new Promise((done, fail) => {
      events.request = http.get({ host: '127.0.0.1', port, path, headers, agent: false }, (answer) => {
        events.status = answer.statusCode;
        events.headers = answer.headers;
        events.text = '';
        answer.setEncoding('utf8');
        answer.on('data', (text) => events.take(text));
        answer.on('error', () => {});
        answer.on('close', () => { events.ended = true; });
        answer.on('end', () => { events.ended = true; });
        if (answer.statusCode === 200) done(events);
        else answer.on('end', () => { events.answer = JSON.parse(events.text || '{}'); done(events); });
        events.source = answer;
      });
      events.request.on('error', (error) => { events.ended = true; fail(error); });
    });
  }

  frames = [];
  id = '';

  take(text) {
    this.text += text;
    if (this.status !== 200) return;
    for (let end = this.text.indexOf('\n\n'); end >= 0; end = this.text.indexOf('\n\n')) {
      const fields = Object.fromEntries(this.text.slice(0, end).split('\n').map((line) => line.split(/: ?(.*)/s).slice(0, 2)));
      this.text = this.text.slice(end + 2);
      if (fields.id) this.id = fields.id;
      if (!fields.event) continue;
      const frame = { event: fields.event, id: fields.id, data: fields.data ? JSON.parse(fields.data) : null };
      this.frames.push(frame);
      this.onFrame(frame);
    }
  }

  // The received frames, without pings.
  get told() {
    return this.frames.filter((frame) => frame.event !== 'ping').map((frame) => (frame.event === 'reset' ? frame : frame.data));
  }

  // Waits for this many, and gives them.
  async first(count, ms = 20000) {
    await until(`${count} events, of which came ${JSON.stringify(this.told)}`, () => this.told.length >= count, ms);
    return this.told;
  }

  close() {
    this.request.destroy();
  }
}
