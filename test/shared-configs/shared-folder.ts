import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** Configs beside the repository, or in the folder that `SHARED_CONFIGS` names; its files are not part of the repository. */
const folder = process.env.SHARED_CONFIGS ?? fileURLToPath(new URL('../../../shared/configs', import.meta.url));

export const sharedConfigsExist: boolean = existsSync(folder);

export const sharedFile = (name: string): URL => pathToFileURL(path.join(folder, name));
