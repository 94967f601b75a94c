import { readFileSync } from 'node:fs';

/** The text of a file of test/fixtures/dialects. */
export const fixture = (name: string): string =>
  readFileSync(new URL(name, new URL('../../../fixtures/dialects/', import.meta.url)), 'utf8');
