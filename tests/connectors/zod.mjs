import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packages } from '../lib/npm.mjs';

export const { z } = packages(dirname(fileURLToPath(import.meta.url)))('zod');
