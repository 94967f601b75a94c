import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** The configs next to the repository, or in the folder named by `SHARED_CONFIGS`. They are not part of the repository. */
const folder = process.env.SHARED_CONFIGS ?? fileURLToPath(new URL('../../../shared/configs', import.meta.url));

export const sharedConfigsExist: boolean = existsSync(folder);

export const sharedFile = (name: string): URL => pathToFileURL(path.join(folder, name));
