import type { AnswerEvent } from '../../../../schema/conversation/answer.ts';
import type { Extensions } from '../../../../schema/conversation/conversation.ts';
import { defined } from '../json/defined.ts';
import { decodeArguments, isUndecided } from './call-arguments.ts';
import { appendInput, startsCustom } from './custom-tool.ts';

export interface CallStart {
  readonly block: number;
  readonly id: string;
  readonly name: string;
  readonly extensions?: Extensions | undefined;
}

/**
 * One tool call of a stream in a format that does not announce the kind of a call's arguments. It is reported once that is known:
 * no arguments, which stand for an empty object, the input of a custom tool, or any others.
 */
export class HeldCall {
  readonly #at: { readonly choice: 0; readonly block: number };
  readonly #call: Omit<CallStart, 'block'>;
  /** The arguments so far, until the call has been reported. */
  #held: string | undefined = '';
  /** Whether they are those of a custom tool, which are reported once they are complete. */
  #isCustom = false;

  constructor({ block, ...call }: CallStart) {
    this.#at = { choice: 0, block };
    this.#call = call;
  }

  push(piece: string): readonly AnswerEvent[] {
    if (this.#held === undefined) return this.#says(piece);
    this.#held = appendInput(this.#held, piece);
    if (this.#isCustom) return [];
    const text = this.#held;
    this.#isCustom = startsCustom(text) === 'yes';
    if (isUndecided(text)) return [];
    this.#held = undefined;
    return [this.#start(), ...this.#says(text)];
  }

  end(): readonly AnswerEvent[] {
    if (this.#held === undefined) return [];
    const { arguments: text, input } = decodeArguments(this.#held);
    this.#held = undefined;
    return [this.#start(input), ...this.#says(text)];
  }

  #start(input?: 'text'): AnswerEvent {
    return defined({ kind: 'tool-call' as const, ...this.#at, ...this.#call, input });
  }

  #says(text: string): readonly AnswerEvent[] {
    return text === '' ? [] : [{ kind: 'tool-arguments', ...this.#at, text }];
  }
}
