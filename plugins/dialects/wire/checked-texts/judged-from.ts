import { isJsonObject, type Json, type JsonObject } from '../../../../schema/json/json.ts';
import type { TextReading } from '../../../sdk/dialect/text-span.ts';

/** The speaker of a turn. A caller may write turns of the model; instructions are nobody's turn. */
export type Speaker = 'user' | 'model' | 'instructions';

/** Finds the speaker in formats with roles: whoever is neither the model nor an instruction speaks for the user. */
export const speakerByRole =
  (model: string) =>
  ({ role }: JsonObject): Speaker => {
    if (role === model) return 'model';
    return role === 'system' || role === 'developer' ? 'instructions' : 'user';
  };

/**
 * The first of the turns that input checks judge. It follows the last turn of the model that a turn of the user or of a
 * tool follows: later ones of the model, such as a prefilled answer, are judged with what precedes them, and hide nothing.
 * Instructions before the first turn are not judged, unless there is nothing else.
 */
export const judgedFrom = (
  turns: readonly Json[],
  readSpeaker: (turn: JsonObject) => Speaker,
  reading: TextReading['turns'] = 'new',
): number => {
  // What is no turn at all follows nothing, so that it cannot hide the turns before it.
  const isFrom = (speaker: Speaker, turn: Json | undefined): boolean =>
    turn !== undefined && isJsonObject(turn) && readSpeaker(turn) === speaker;
  const answered = reading === 'all' ? -1 : turns.findLastIndex((turn) => isFrom('user', turn));
  for (let at = answered - 1; at >= 0; at -= 1) if (isFrom('model', turns[at])) return at + 1;
  return Math.max(
    turns.findIndex((turn) => !isFrom('instructions', turn)),
    0,
  );
};
