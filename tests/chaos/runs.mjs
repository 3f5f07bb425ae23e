// ./run chaos runs: workflows of every kind, whose servers, svcd and PostgreSQL are killed while thousands of runs go on.
import { campaign } from './lib/campaign.mjs';
import { played } from './runs/trial.mjs';

await campaign({ name: 'runs', rounds: 1000, length: 100, episode: played });
