// The pages of docs/http as a session: their ```sh blocks in one shell, in order, against a running service.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../cli/client.mjs';
import { root } from './stack.mjs';

// In this order: the second page uses the project and the keys of the first.
const pages = ['docs/http/developer.md', 'docs/http/app.md'];
const mark = '---- end of a block ----';

// [{commands, kind, shown, answer}]: `shown` is what stands below the block (undefined: nothing) and `kind` its
// language, `answer` what came.
export async function runPage({ port, env }) {
  const text = pages.map((page) => readFileSync(join(root, page), 'utf8')).join('\n');
  const blocks = [...text.matchAll(/^```sh\n([\s\S]*?)^```\n(?:\n```(json|csv)\n([\s\S]*?)^```\n)?/gm)]
    .map(([, commands, kind, shown]) => ({ commands, kind, shown }));
  const script = blocks.map(({ commands }) => `${commands}\nprintf '\\n%s\\n' '${mark}'`).join('\n')
    .replaceAll('127.0.0.1:7878', `127.0.0.1:${port}`);
  const { code, out, err } = await run('bash', ['-c', script], { cwd: root, env });
  if (code !== 0 || err) throw new Error(`the page's shell ended with ${code}: ${err}\n${out}`);
  const answers = out.split(mark);
  return { text, blocks: blocks.map((block, i) => ({ ...block, answer: answers[i].trim() })) };
}
