// Services: files, payments, models, connectors. The bars are in ratios to others' servers, or over what others take.
import { connectors, models, payments } from './service_calls.mjs';
import { files } from './service_files.mjs';

export async function services(folder) {
  process.env.SVC_STREAMS ??= '0';
  await files(folder);
  await payments();
  await models(folder);
  await connectors(folder);
}
