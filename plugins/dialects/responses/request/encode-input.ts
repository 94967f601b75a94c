import type { Conversation, Turn } from '../../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { findText } from '../../../../schema/json/loose.ts';
import { defined } from '../../shared/json/defined.ts';
import { present } from '../../shared/json/present.ts';
import type { EncodeContext } from '../../shared/request/encode-context.ts';
import { isInstruction } from '../../shared/request/leading-instructions.ts';
import { encodePart } from '../parts/encode-content.ts';
import { isModelItem } from '../parts/item-types.ts';
import { encodeTurn } from './encode-turn.ts';
import { continuesTurn, extendTurn, type ItemOfTurn, type OpenTurn } from './turn-of-items.ts';

const isResult = ({ type }: JsonObject): boolean =>
  type === 'function_call_output' || type === 'custom_tool_call_output';

const isCall = ({ type }: JsonObject): boolean => type === 'function_call' || type === 'custom_tool_call';

const asItemOfTurn = (item: JsonObject): ItemOfTurn => {
  if (item.type === 'message')
    return defined({ kind: 'message' as const, id: findText(item.id), phase: findText(item.phase) });
  return { kind: isCall(item) ? 'call' : 'other' };
};

/** Whether the items of one turn would be read back as one turn, if they do not continue the turn before. */
const isOneTurn = ({ role }: Turn, items: readonly JsonObject[]): boolean => {
  if (items.length === 0) return false;
  if (role === 'assistant') return items.every(isModelItem);
  return role === 'tool' ? items.every(isResult) : items.length === 1 && !items.some(isResult);
};

/** Tracks how the items will be read back, to find out where one turn would continue another. */
class TurnBorders {
  #open: OpenTurn | undefined;
  #afterResult = false;

  /** Whether the first of the items continues the turn before it. */
  joins(items: readonly JsonObject[]): boolean {
    const [first] = items;
    const joins = first !== undefined && (isResult(first) ? this.#afterResult : this.#continues(first));
    for (const item of items) {
      const isOpen = this.#continues(item);
      this.#open = isModelItem(item) ? extendTurn(isOpen ? this.#open : undefined, asItemOfTurn(item)) : undefined;
      this.#afterResult = isResult(item);
    }
    return joins;
  }

  #continues(item: JsonObject): boolean {
    return isModelItem(item) && continuesTurn(this.#open, asItemOfTurn(item));
  }
}

/**
 * Instructions with one text become `instructions`. Several texts, which would be joined there, become a message before all
 * others.
 */
const encodeSystem = ({ system }: Conversation, context: EncodeContext): JsonObject => {
  const parts = present(system.map((part, index) => encodePart(part, 'client', `system[${index}]`, context.lost)));
  const [first, ...more] = parts;
  if (first === undefined) return {};
  if (more.length === 0) return { instructions: first.text ?? '' };
  return { input: [{ type: 'message', role: 'system', content: parts }] };
};

/** Returns `instructions` and `input`. Instructions before the first turn are read back as the system prompt. */
export const encodeInput = (conversation: Conversation, context: EncodeContext): JsonObject => {
  const { instructions, input = [] } = encodeSystem(conversation, context);
  const borders = new TurnBorders();
  let isBeginning = true;
  const turns = conversation.turns.flatMap((turn, index) => {
    const path = `turns[${index}]`;
    const items = encodeTurn(turn, path, context);
    const instructs = isInstruction(turn);
    if (isBeginning && instructs) context.lost.push('system', path);
    else if (borders.joins(items) || !isOneTurn(turn, items)) context.lost.push(path);
    if (!instructs && items.length > 0) isBeginning = false;
    return items;
  });
  return defined({ instructions, input: [...(Array.isArray(input) ? input : []), ...turns] }) as JsonObject;
};
