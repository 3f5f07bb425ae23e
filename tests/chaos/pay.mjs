// ./run chaos pay: checkouts, confirms, webhooks (doubled, reordered, forged), the poller, customers, banks and kills of the app
// server, svcd and PostgreSQL, in an order that a seed decides. A round is an order; in every third one something is killed.
import { campaign } from './lib/campaign.mjs';
import { played } from './pay/trial.mjs';

await campaign({ name: 'pay', rounds: 1000, length: 50, episode: played });
