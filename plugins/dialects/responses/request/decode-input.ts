import type {
  Conversation,
  Part,
  TextPart,
  ToolResultPart,
  Turn,
} from '../../../../schema/conversation/conversation.ts';
import type { DecodeRequest } from '../../../sdk/dialect/dialect.ts';
import { append } from '../../shared/json/append.ts';
import { defined } from '../../shared/json/defined.ts';
import { Member } from '../../shared/json/member.ts';
import { findExtensions } from '../../shared/parts/own-value.ts';
import { isResultContent } from '../../shared/request/tool-results.ts';
import { callMembers } from '../parts/calls.ts';
import { isContent, isModelItem } from '../parts/item-types.ts';
import { decodeReturnedReasoning } from '../parts/reasoning-item.ts';
import { decodeServerItem } from '../parts/server-items.ts';
import { decodeContent, decodeInstructions } from './decode-content.ts';
import { notStored } from './stateless.ts';
import { continuesTurn, extendTurn, type ItemOfTurn, type OpenTurn } from './turn-of-items.ts';

const decodeCall = (item: Member, input: 'arguments' | 'input'): Part =>
  defined({
    kind: 'tool-call' as const,
    id: item.at('call_id').text(),
    name: item.at('name').text(),
    arguments: item.at(input).maybeText() ?? '',
    input: input === 'input' ? ('text' as const) : undefined,
    extensions: findExtensions(item, callMembers[input]),
  });

const decodeResult = (item: Member, isCustom: boolean): ToolResultPart =>
  defined({
    kind: 'tool-result' as const,
    id: item.at('call_id').text(),
    name: item.at('name').maybeText(),
    parts: decodeContent(item.at('output')).filter(isResultContent),
    input: isCustom ? ('text' as const) : undefined,
  });

const checkReasoning = (item: Member): void => {
  item.at('encrypted_content').maybeText();
  for (const text of [...item.at('summary').maybeItems(), ...item.at('content').maybeItems()]) text.at('text').text();
};

/**
 * Decodes the items of a request's input as turns. Consecutive items of the model are one turn, and so are its tools' results.
 */
class InputDecoder {
  readonly #scope: string;
  readonly #recall: DecodeRequest['recall'];
  readonly system: TextPart[] = [];
  readonly turns: Turn[] = [];
  /** The last turn, if it is the model's. */
  #open: OpenTurn | undefined;
  /** The parts of the last turn, if it is the model's or has results. */
  #parts: Part[] = [];

  constructor({ scope, recall }: Pick<DecodeRequest, 'scope' | 'recall'>) {
    this.#scope = scope;
    this.#recall = recall;
  }

  push(item: Member): void {
    const type = item.at('type').maybeText() ?? (item.at('role').absent ? 'item_reference' : 'message');
    switch (type) {
      case 'message':
        this.#message(item);
        break;
      case 'function_call':
        this.#add({ kind: 'call' }, [decodeCall(item, 'arguments')]);
        break;
      case 'custom_tool_call':
        this.#add({ kind: 'call' }, [decodeCall(item, 'input')]);
        break;
      case 'function_call_output':
        this.#addResult(decodeResult(item, false));
        break;
      case 'custom_tool_call_output':
        this.#addResult(decodeResult(item, true));
        break;
      case 'reasoning': {
        checkReasoning(item);
        const reasoning = decodeReturnedReasoning(item.object(), this.#scope);
        if (reasoning !== undefined) this.#add({ kind: 'other' }, [reasoning]);
        break;
      }
      case 'item_reference':
        this.#reference(item);
        break;
      default:
        this.#other(item);
    }
  }

  /** Resolves a reference to an item of an earlier answer, which the gateway may remember. */
  #reference(item: Member): void {
    const found = this.#recall?.(item.at('id').text());
    if (found === undefined) item.fail(`is a reference to a stored item, which ${notStored}`);
    this.push(new Member(item.dialect, item.path, found));
  }

  #message(item: Member): void {
    const role = item.at('role').text();
    const named = defined({ id: item.at('id').maybeText(), phase: item.at('phase').maybeText() });
    const content = item.at('content').required();
    switch (role) {
      case 'assistant':
        this.#add({ kind: 'message', ...named }, decodeContent(content));
        break;
      case 'user':
        this.#push({ role, ...named, parts: decodeContent(content) });
        break;
      case 'system':
      case 'developer':
        if (this.turns.length === 0) append(this.system, decodeInstructions(content));
        else this.#push({ role, ...named, parts: decodeContent(content) });
        break;
      default:
        item.at('role').fail('must be "user", "assistant", "system" or "developer"');
    }
  }

  /** Adds an item that only this format has. */
  #other(item: Member): void {
    const value = item.object();
    if (isContent(value)) item.at('type').fail('is the type of a message part, not of an item');
    const parts = decodeServerItem(value) ?? [{ kind: 'other' as const, dialect: 'responses', value }];
    if (isModelItem(value)) this.#add({ kind: 'other' }, parts);
    else this.#push({ role: 'user', parts });
  }

  #push(turn: Turn): void {
    this.#open = undefined;
    this.turns.push(turn);
  }

  #add(item: ItemOfTurn, parts: readonly Part[]): void {
    const joins = continuesTurn(this.#open, item);
    if (joins) this.turns.pop();
    else this.#parts = [];
    append(this.#parts, parts);
    this.#open = extendTurn(joins ? this.#open : undefined, item);
    const { id, phase } = this.#open;
    this.turns.push(defined({ role: 'assistant' as const, id, phase, parts: this.#parts }));
  }

  #addResult(result: ToolResultPart): void {
    this.#open = undefined;
    if (this.turns.at(-1)?.role === 'tool') {
      this.#parts.push(result);
      return;
    }
    this.#parts = [result];
    this.turns.push({ role: 'tool', parts: this.#parts });
  }
}

/** Decodes `instructions` and `input`. */
export const decodeInput = (
  wire: Member,
  options: Pick<DecodeRequest, 'scope' | 'recall'>,
): Pick<Conversation, 'system' | 'turns'> => {
  const input = wire.at('input');
  const decoder = new InputDecoder(options);
  append(decoder.system, decodeInstructions(wire.at('instructions')));
  if (typeof input.value === 'string') decoder.turns.push({ role: 'user', parts: decodeContent(input) });
  // The whole input may be a prompt that the vendor stores.
  else if (!input.absent || wire.at('prompt').absent) for (const item of input.items()) decoder.push(item);
  return { system: decoder.system, turns: decoder.turns };
};
