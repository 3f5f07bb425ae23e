// The compiler of types in a thread of its own: gate.mjs ends it where it takes too long.
import { parentPort, workerData } from 'node:worker_threads';
import { findTypes } from './types.mjs';

parentPort.postMessage(findTypes(workerData.folder, workerData.job));
