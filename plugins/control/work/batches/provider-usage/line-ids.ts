import { createHash } from 'node:crypto';
import type { BatchPlace } from '../../remote-ids/remote-ids.ts';

const toId = ({ tenant, slug, id }: BatchPlace, parts: readonly (string | number)[]): string =>
  createHash('sha256')
    .update(JSON.stringify(['batch line', tenant, slug, id, ...parts]))
    .digest('base64url');

/** Returns the id of what the ledger records of a whole batch. No line has it, because lines without a name have numbers. */
export const wholeBatchId = (place: BatchPlace): string => toId(place, ['']);

/**
 * Returns a function that names the lines of a batch for the ledger: the same line has the same id, whoever reads it and in
 * whatever order. OpenAI rejects files that repeat a `custom_id`, but other servers of its API may run each of these lines:
 * https://platform.openai.com/docs/guides/batch
 */
export const createLineIds = (place: BatchPlace): ((customId: string | undefined) => string) => {
  /** How often each name was used. */
  const uses = new Map<string, number>();
  let number = 0;
  return (customId = '') => {
    number += 1;
    const name = customId === '' ? `line ${number}` : customId;
    const first = toId(place, [name]);
    const before = uses.get(first) ?? 0;
    uses.set(first, before + 1);
    return before === 0 ? first : toId(place, [name, before]);
  };
};
