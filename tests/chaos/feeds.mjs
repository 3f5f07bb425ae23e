// ./run chaos feeds: feeds of apps with contracts at random, whose servers are killed, swapped and restored under load.
import { campaign } from './lib/campaign.mjs';
import { played } from './feeds/trial.mjs';

await campaign({ name: 'feeds', rounds: 200, length: 20, episode: played });
