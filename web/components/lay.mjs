// The sources of a job as files: components/, client/, svc/.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

// job: {components: [{name, source}], client: {file: text} or null}.
export function lay(folder, job) {
  for (const below of ['components', 'client', 'svc']) mkdirSync(join(folder, below), { recursive: true });
  for (const { name, source } of job.components) writeFileSync(join(folder, 'components', `${name}.tsx`), source);
  for (const [name, text] of Object.entries(job.client ?? {})) writeFileSync(join(folder, 'client', name), text);
  writeFileSync(join(folder, 'svc', 'client.ts'), own(job.client ? './svc_client.ts' : './svc_client_any.ts'));
}

// A file beside this one.
export const own = (name) => readFileSync(new URL(name, import.meta.url), 'utf8');
