import { isJsonObject, type Json, type JsonObject } from '../../../../schema/json/json.ts';
import type { TextReading } from '../../../sdk/dialect/text-span.ts';

/** The speaker of a turn. A caller may write turns of the model. Instructions belong to neither speaker. */
export type Speaker = 'user' | 'model' | 'instructions';

/** Finds the speaker in formats with roles. Anything that is neither the model nor an instruction counts as the user. */
export const speakerByRole =
  (model: string) =>
  ({ role }: JsonObject): Speaker => {
    if (role === model) return 'model';
    return role === 'system' || role === 'developer' ? 'instructions' : 'user';
  };

/**
 * Returns the index of the first turn that input checks judge. It comes after the last turn of the model that is followed by a
 * turn of the user or of a tool. Later turns of the model, such as a prefilled answer, are judged with what precedes them, and
 * hide nothing. Instructions before the first turn are not judged, unless there is nothing else.
 */
export const firstJudgedTurn = (
  turns: readonly Json[],
  readSpeaker: (turn: JsonObject) => Speaker,
  reading: TextReading['turns'] = 'new',
): number => {
  // A value that is not a turn counts as no speaker's, so that it cannot hide the turns before it.
  const isFrom = (speaker: Speaker, turn: Json | undefined): boolean =>
    turn !== undefined && isJsonObject(turn) && readSpeaker(turn) === speaker;
  const answered = reading === 'all' ? -1 : turns.findLastIndex((turn) => isFrom('user', turn));
  for (let at = answered - 1; at >= 0; at -= 1) if (isFrom('model', turns[at])) return at + 1;
  return Math.max(
    turns.findIndex((turn) => !isFrom('instructions', turn)),
    0,
  );
};
