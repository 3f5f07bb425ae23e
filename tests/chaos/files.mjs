// ./run chaos files: uploads, whole and resumable, downloads and deletes, while servers, svcd and PostgreSQL are killed and
// servers are swapped. A round is a strike.
import { campaign } from './lib/campaign.mjs';
import { played } from './files/trial.mjs';

await campaign({ name: 'files', rounds: 200, length: 20, episode: played });
