import type { AnswerEventOf } from '../../../schema/conversation/answer.ts';
import type { ToolCallPart } from '../../../schema/conversation/conversation.ts';
import type { HeldEvent } from './held-event.ts';

type CallEvent = AnswerEventOf<'tool-call' | 'tool-arguments'>;

interface OpenCall {
  readonly choice: number;
  readonly block: number;
  id: string;
  name: string;
  input: 'text' | undefined;
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

const settled = ({ held, arguments: before }: OpenCall, { arguments: after }: ToolCallPart): void => {
  let given = after === before ? undefined : after;
  for (const each of held) {
    each.waits = false;
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
    const call = known ?? { choice, block, id: '', name: '', input: undefined, arguments: '', held: [] };
    if (known === undefined) this.#calls.push(call);
    held.waits = true;
    call.held.push(held);
    if (event.kind === 'tool-arguments') call.arguments += event.text;
    else {
      call.id = event.id;
      call.name = event.name;
      call.input = event.input;
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
      part: {
        kind: 'tool-call',
        id: call.id,
        name: call.name,
        arguments: call.arguments,
        ...(call.input === undefined ? {} : { input: call.input }),
      },
      settle: (part) => settled(call, part),
    }));
  }
}
