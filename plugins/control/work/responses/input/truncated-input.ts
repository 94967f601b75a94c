import { isJsonObject, type Json } from '../../../../../schema/json/json.ts';

/** Where a turn may begin that what comes before it can be left out of: at a message of the user. */
const begins = (item: Json): boolean =>
  isJsonObject(item) && (item.type ?? 'message') === 'message' && item.role === 'user';

/** What is never left out. */
const isInstruction = (item: Json): boolean =>
  isJsonObject(item) && (item.type ?? 'message') === 'message' && (item.role === 'system' || item.role === 'developer');

const countBytes = (items: readonly Json[]): number => Buffer.byteLength(JSON.stringify(items));

/** Items that stay or go together: from a message of the user up to the next one, with what the model did in between. */
const toTurns = (items: readonly Json[]): readonly (readonly Json[])[] => {
  const turns: Json[][] = [];
  for (const item of items) {
    const turn = turns.at(-1);
    if (turn === undefined || begins(item)) turns.push([item]);
    else turn.push(item);
  }
  return turns;
};

/**
 * The items without the oldest turns, so that about a part of their bytes is left: more than 0 and less than 1. Instructions
 * and the last turn stay. Undefined if nothing can be left out.
 */
export const withoutOldest = (items: readonly Json[], part: number): readonly Json[] | undefined => {
  const turns = toTurns(items);
  const wanted = countBytes(items) * part;
  let left = countBytes(items);
  let from = 0;
  while (from < turns.length - 1 && (from === 0 || left > wanted)) {
    left -= countBytes((turns[from] ?? []).filter((item) => !isInstruction(item)));
    from += 1;
  }
  const kept = [...turns.slice(0, from).flat().filter(isInstruction), ...turns.slice(from).flat()];
  return kept.length === items.length ? undefined : kept;
};
