import { readFileSync } from 'node:fs';

/** Returns the text of a file in test/fixtures/dialects. */
export const fixture = (name: string): string =>
  readFileSync(new URL(name, new URL('../../../fixtures/dialects/', import.meta.url)), 'utf8');
