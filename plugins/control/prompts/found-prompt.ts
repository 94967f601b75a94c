import type { Reading } from '../saved/records.ts';
import { notFound } from '../saved/refusals.ts';
import type { PromptRow } from '../store/tables.ts';
import { promptReference } from './prompt-reference.ts';
import { findPrompt } from './prompt-store.ts';

export const unknownPrompt = (name: string): Error => notFound('prompt', name, 'GET /v1/prompts');

/** The prompt that an id or a slug names. Rejects with the `GatewayError` `not-found`. */
export const foundPrompt = async (db: Reading, tenant: string, name: string): Promise<PromptRow> => {
  // A name with a version names no prompt as a whole.
  const row = promptReference(name)?.name === name ? await findPrompt(db, tenant, name) : undefined;
  if (row === undefined) throw unknownPrompt(name);
  return row;
};
