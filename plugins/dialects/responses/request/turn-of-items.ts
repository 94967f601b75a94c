import { defined } from '../../shared/json/defined.ts';

/** The items of a turn of the model so far, which a further item may continue. */
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
 * Whether an item of the model continues the turn before it. A message with an id or phase of its own begins a turn, unless a
 * call is in between, because the result of that call belongs directly after the whole turn.
 */
export const continuesTurn = (turn: OpenTurn | undefined, { kind, id, phase }: ItemOfTurn): turn is OpenTurn =>
  turn !== undefined &&
  (kind !== 'message' || !turn.hasMessage || turn.hasCall || !(differs(id, turn.id) || differs(phase, turn.phase)));

/** Returns the turn with the item added. The first message determines the turn's id and phase. */
export const extendTurn = (turn: OpenTurn | undefined, { kind, id, phase }: ItemOfTurn): OpenTurn => ({
  ...defined(turn?.hasMessage || kind !== 'message' ? { id: turn?.id, phase: turn?.phase } : { id, phase }),
  hasMessage: turn?.hasMessage === true || kind === 'message',
  hasCall: turn?.hasCall === true || kind === 'call',
});
