import type { AnswerEdit } from '../../../../../plugins/sdk/dialect/answer-edit.ts';
import type { Json, JsonObject } from '../../../../../schema/json/json.ts';
import { findObject, toObjects } from '../../../../../schema/json/loose.ts';

/** Returns the message of a whole answer after the edit. */
export const whole = (edit: AnswerEdit, message: JsonObject): Json | undefined =>
  toObjects(edit.whole({ id: 'a', choices: [{ index: 0, message, finish_reason: 'stop' }] }).choices)[0]?.message;

export interface Piece {
  readonly delta: JsonObject;
  readonly finish?: string;
  readonly choice?: number;
}

/** Returns the delta of each chunk of a stream after the edit. */
export const streamed = (edit: AnswerEdit, pieces: readonly Piece[]): readonly (JsonObject | undefined)[] => {
  const next = edit.stream();
  return pieces
    .map(({ delta, finish = null, choice = 0 }) =>
      next({ id: 'a', choices: [{ index: choice, delta, finish_reason: finish }] }),
    )
    .map(({ choices }) => findObject(toObjects(choices)[0]?.delta));
};

/** Builds a call of the function `f`. */
export const f = (text: Json = '{}'): JsonObject => ({ name: 'f', arguments: text });
