import type { Conversation, MediaPart, ToolResultPart, Turn } from '../../../../schema/conversation/conversation.ts';
import type { Json, JsonObject } from '../../../../schema/json/json.ts';
import { present } from '../../shared/json/present.ts';
import type { Placed } from '../../shared/parts/placed.ts';
import { isInstruction } from '../../shared/request/leading-instructions.ts';
import type { Lost } from '../../shared/request/lost.ts';
import { RoundOrder } from '../../shared/request/round-order.ts';
import { documentText, encodeDocument } from './documents.ts';
import { encodeAssistant } from './encode-assistant.ts';
import { encodePart } from './encode-content.ts';
import { encodeResult } from './encode-result.ts';

export interface EncodedMessages {
  readonly messages: readonly JsonObject[];
  readonly documents: readonly JsonObject[];
}

const isResult = (placed: Placed): placed is Placed<ToolResultPart> => placed.part.kind === 'tool-result';

const isDocument = (placed: Placed): placed is Placed<MediaPart> =>
  placed.part.kind === 'media' && (documentText(placed.part) ?? '') !== '';

/** Returns blocks as content. A single text becomes a string. */
const toContent = (blocks: readonly JsonObject[]): Json | undefined => {
  const [first, ...more] = blocks;
  return more.length === 0 && first?.type === 'text' ? first.text : blocks;
};

/** Encodes the turns of a conversation one after another. All results of a round come directly after its calls. */
class MessagesEncoder {
  readonly #documents: JsonObject[] = [];
  readonly #messages = new RoundOrder<JsonObject>([]);
  readonly #lost: Lost;
  #written = 0;
  /** Whether there are only instructions so far. */
  #isPrompt = true;
  /** The turn to which a reader of the request assigns its documents. */
  readonly #lastAsked: number;

  constructor({ system, turns }: Conversation, lost: Lost) {
    this.#lost = lost;
    this.#lastAsked = turns.findLastIndex(({ role }) => role === 'user');
    this.#say(
      'system',
      system.map((part, index) => ({ part, path: `system[${index}]` })),
    );
  }

  turn(turn: Turn, index: number): void {
    const path = `turns[${index}]`;
    const before = this.#written;
    for (const member of ['name', 'id', 'phase'] as const)
      if (turn[member] !== undefined) this.#lost.push(`${path}.${member}`);
    const placed = turn.parts.map((part, at): Placed => ({ part, path: `${path}.parts[${at}]` }));
    this.#results(turn.role, placed.filter(isResult), path);
    const rest = placed.filter((item) => !isResult(item));
    if (turn.role === 'assistant') this.#answer(rest);
    else if (isInstruction(turn)) this.#instruct(turn.role, rest, path);
    else if (rest.length > 0) this.#ask(turn.role, rest, index);
    if (this.#written === before) this.#lost.push(path);
  }

  /** Returns all messages in their order. */
  end(): EncodedMessages {
    return { messages: this.#messages.end(), documents: this.#documents };
  }

  #count(): void {
    this.#written += 1;
    this.#isPrompt = false;
  }

  #answer(parts: readonly Placed[]): void {
    const message = encodeAssistant(parts, this.#lost);
    if (message === undefined) return;
    this.#count();
    this.#messages.addModel(message, { hasCalls: parts.some(({ part }) => part.kind === 'tool-call') });
  }

  /** Adds results to the messages. Consecutive results are read back as one turn. */
  #results(role: Turn['role'], results: readonly Placed<ToolResultPart>[], path: string): void {
    const { last, isWaiting } = this.#messages;
    if (results.length > 0 && (role !== 'tool' || last?.role === 'tool' || isWaiting)) this.#lost.push(path);
    for (const item of results) {
      this.#count();
      this.#messages.addResult(encodeResult(item, this.#lost));
    }
  }

  /** Instructions before the first turn are the system prompt. Instructions of a developer become those of the system. */
  #instruct(role: Turn['role'], parts: readonly Placed[], path: string): void {
    if (role === 'developer') this.#lost.push(`${path}.role`);
    if (this.#isPrompt) this.#lost.push('system', path);
    this.#say('system', parts);
  }

  /** Documents with text go into a separate member, if the turn contains something else too. */
  #ask(role: Turn['role'], parts: readonly Placed[], index: number): void {
    if (role === 'tool') this.#lost.push(`turns[${index}]`);
    const documents =
      role === 'user' && parts.some((item) => item.part.kind === 'text' && item.part.text !== '')
        ? parts.filter(isDocument)
        : [];
    documents.forEach((item) => {
      const isFirst = parts.slice(0, documents.length).every(isDocument);
      this.#document(item, isFirst && index === this.#lastAsked);
    });
    this.#say('user', documents.length > 0 ? parts.filter((item) => !isDocument(item)) : parts);
  }

  #document({ part, path }: Placed<MediaPart>, isInPlace: boolean): void {
    const { source, name, detail, cache } = part;
    const isPlain = source.kind === 'base64' && source.mimeType === 'text/plain' && detail === undefined;
    if (!isInPlace || !isPlain) this.#lost.push(`${path}.media`);
    if (cache !== undefined) this.#lost.push(`${path}.cache`);
    this.#documents.push(encodeDocument(documentText(part) ?? '', name));
  }

  /** Adds a message of the user or the system. Only an answer can have citations. */
  #say(role: 'system' | 'user', parts: readonly Placed[]): void {
    const blocks = parts.map((item) => {
      if (item.part.kind === 'text' && item.part.citations !== undefined) this.#lost.push(`${item.path}.citations`);
      return encodePart(item, this.#lost);
    });
    const content = present(blocks);
    if (content.length === 0) return;
    this.#written += 1;
    if (role === 'user') this.#isPrompt = false;
    this.#messages.addSaid({ role, content: toContent(content) ?? '' });
  }
}

/** Encodes the system prompt and the turns. A turn of which nothing is left is omitted. */
export const encodeMessages = (conversation: Conversation, lost: Lost): EncodedMessages => {
  const encoder = new MessagesEncoder(conversation, lost);
  conversation.turns.forEach((turn, index) => {
    encoder.turn(turn, index);
  });
  return encoder.end();
};
