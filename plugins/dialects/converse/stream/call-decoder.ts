import type { AnswerEvent } from '../../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { objectOf, textOf } from '../../../../schema/json/loose.ts';
import { parseJson } from '../../../../schema/json/parse-json.ts';
import { HeldCall } from '../../wire/tools/held-call.ts';

/** The block of one tool call. */
export class CallDecoder {
  readonly #call: HeldCall;
  #text = '';

  constructor(block: number, call: JsonObject) {
    this.#call = new HeldCall({ block, id: textOf(call.toolUseId) ?? '', name: textOf(call.name) ?? '' });
  }

  /** Whether the arguments so far are incomplete. */
  get isTorn(): boolean {
    return this.#text !== '' && parseJson(this.#text) === undefined;
  }

  start(): readonly AnswerEvent[] {
    return [];
  }

  delta({ toolUse }: JsonObject): readonly AnswerEvent[] {
    const piece = textOf(objectOf(toolUse)?.input) ?? '';
    this.#text += piece;
    return this.#call.push(piece);
  }

  stop(): readonly AnswerEvent[] {
    return this.#call.end();
  }
}
