import { open } from 'node:fs/promises';

/** Makes the names in a folder durable, if the system supports that. */
export const syncFolder = async (folder: string): Promise<void> => {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  await handle.sync().finally(() => handle.close());
};
