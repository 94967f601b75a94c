import type { Reading } from '../../../kernel/records/records.ts';
import { storedContent } from '../content/stored-content.ts';
import { readContent } from './prompt-store.ts';
import { versionsInUse } from './versions-in-use.ts';

/** The slugs of the prompts with a version in use that is sent to a saved provider (`@slug`) or a virtual key. */
export const promptsSentTo = async (
  db: Reading,
  tenant: string,
  names: readonly string[],
): Promise<readonly string[]> => {
  const found = new Set<string>();
  for (const name of names)
    for (const { id, slug } of await versionsInUse(db, tenant, { having: `"virtual_key":${JSON.stringify(name)}` })) {
      const text = await readContent(db, tenant, id);
      if (text !== undefined && storedContent(text).virtual_key === name) found.add(slug);
    }
  return [...found].sort();
};
