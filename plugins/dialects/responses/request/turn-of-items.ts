import { defined } from '../../wire/json/defined.ts';

/** The items of a turn of the model so far, of which an item may be a part. */
export interface OpenTurn {
  readonly id?: string;
  readonly phase?: string;
  readonly hasMessage: boolean;
  readonly hasCall: boolean;
}

/** The effect of an item of the model on its turn. */
export interface ItemOfTurn {
  readonly kind: 'message' | 'call' | 'other';
  readonly id?: string;
  readonly phase?: string;
}

const differs = (own: string | undefined, known: string | undefined): boolean => own !== undefined && own !== known;

/**
 * Whether an item of the model continues the turn before it. A message with an id or phase of its own begins a turn,
 * unless a call stands between: the result of that call belongs right after the whole turn.
 */
export const continues = (turn: OpenTurn | undefined, { kind, id, phase }: ItemOfTurn): turn is OpenTurn =>
  turn !== undefined &&
  (kind !== 'message' || !turn.hasMessage || turn.hasCall || !(differs(id, turn.id) || differs(phase, turn.phase)));

/** The turn with the item; the first message says its id and phase. */
export const grownTurn = (turn: OpenTurn | undefined, { kind, id, phase }: ItemOfTurn): OpenTurn => ({
  ...defined(turn?.hasMessage || kind !== 'message' ? { id: turn?.id, phase: turn?.phase } : { id, phase }),
  hasMessage: turn?.hasMessage === true || kind === 'message',
  hasCall: turn?.hasCall === true || kind === 'call',
});
