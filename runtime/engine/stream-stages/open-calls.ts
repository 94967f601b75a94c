import { isDeepStrictEqual } from 'node:util';
import type { AnswerEventOf } from '../../../schema/conversation/answer.ts';
import type { Extensions, ToolCallPart } from '../../../schema/conversation/conversation.ts';
import type { HeldEvent } from './held-event.ts';

type CallEvent = AnswerEventOf<'tool-call' | 'tool-arguments'>;

interface OpenCall {
  readonly choice: number;
  readonly block: number;
  /** The call as it began. Undefined if only arguments have come. */
  begun?: Omit<ToolCallPart, 'arguments'>;
  arguments: string;
  readonly held: HeldEvent[];
}

/** A call that has ended and is to be judged. */
export interface EndedCall {
  readonly choice: number;
  readonly part: ToolCallPart;
  /** Releases the call as checks left it. */
  settle(part: ToolCallPart): void;
}

/** Returns the beginning of a call with the members that only one dialect has as checks left them. */
const withExtensions = (
  { extensions: _before, ...event }: AnswerEventOf<'tool-call'>,
  extensions: Extensions | undefined,
): AnswerEventOf<'tool-call'> => (extensions === undefined ? event : { ...event, extensions });

const settled = ({ held, arguments: before }: OpenCall, { arguments: after, extensions }: ToolCallPart): void => {
  let given = after === before ? undefined : after;
  for (const each of held) {
    each.waits = false;
    if (each.event.kind === 'tool-call' && !isDeepStrictEqual(each.event.extensions, extensions))
      each.instead = [withExtensions(each.event, extensions)];
    if (after === before || each.event.kind !== 'tool-arguments') continue;
    each.isChanged = true;
    each.given = given ?? '';
    given = '';
  }
};

/** Calls whose arguments are not complete yet. They can only be read as a whole, because escapes may be split. */
export class OpenCalls {
  #calls: OpenCall[] = [];

  add(event: CallEvent, held: HeldEvent): void {
    const { choice, block } = event;
    const known = this.#calls.find((call) => call.choice === choice && call.block === block);
    const call: OpenCall = known ?? { choice, block, arguments: '', held: [] };
    if (known === undefined) this.#calls.push(call);
    held.waits = true;
    call.held.push(held);
    if (event.kind === 'tool-arguments') call.arguments += event.text;
    else {
      const { choice: _choice, block: _block, ...begun } = event;
      call.begun = begun;
    }
  }

  /** Takes the calls of a choice or a block, or all of them, which end here. */
  take({ choice, block }: { readonly choice?: number; readonly block?: number }): readonly EndedCall[] {
    const isMeant = (call: OpenCall): boolean =>
      (choice === undefined || call.choice === choice) && (block === undefined || call.block === block);
    const taken = this.#calls.filter(isMeant);
    this.#calls = this.#calls.filter((call) => !isMeant(call));
    return taken.map((call) => ({
      choice: call.choice,
      part: { ...(call.begun ?? { kind: 'tool-call', id: '', name: '' }), arguments: call.arguments },
      settle: (part) => settled(call, part),
    }));
  }
}
