import { isDeepStrictEqual } from 'node:util';
import type {
  OtherPart,
  Part,
  ReasoningPart,
  ServerToolCallPart,
  ToolCallPart,
  Turn,
} from '../../../../schema/conversation/conversation.ts';
import type { Json, JsonObject } from '../../../../schema/json/json.ts';
import { defined } from '../../shared/json/defined.ts';
import { ownValue } from '../../shared/parts/own-value.ts';
import type { EncodeContext } from '../../shared/request/encode-context.ts';
import { recordLoss } from '../../shared/request/lost.ts';
import { callItem } from '../parts/calls.ts';
import { encodePart, encodeResult } from '../parts/encode-content.ts';
import { isContent, isModelItem } from '../parts/item-types.ts';
import { asSummary, encodeReasoning } from '../parts/reasoning-item.ts';
import { decodeServerItem } from '../parts/server-items.ts';

/** Matches ids of messages, as the API checks them. */
const messageId = /^msg_/;

const isEmptyList = (value: Json): boolean => Array.isArray(value) && value.length === 0;

/** Returns the text of a content that consists of one text. */
const plainText = ([only, ...more]: readonly JsonObject[]): string | undefined => {
  const { type, text, annotations = [], logprobs = [] } = only ?? {};
  const isPlain = more.length === 0 && type === 'output_text' && isEmptyList(annotations) && isEmptyList(logprobs);
  return isPlain && typeof text === 'string' ? text : undefined;
};

/**
 * Encodes the items of one turn. Its texts and media become messages, and everything else becomes separate items between them.
 */
class TurnEncoder {
  readonly #turn: Turn;
  readonly #path: string;
  readonly #context: EncodeContext;
  readonly #items: JsonObject[] = [];
  #content: JsonObject[] = [];
  #hasMessage = false;

  constructor(turn: Turn, path: string, context: EncodeContext) {
    this.#turn = turn;
    this.#path = path;
    this.#context = context;
  }

  encode(): readonly JsonObject[] {
    const { parts } = this.#turn;
    let next = 0;
    while (next < parts.length) next += this.#part(next);
    this.#flush();
    this.#noteNames();
    return this.#items;
  }

  get #isModel(): boolean {
    return this.#turn.role === 'assistant';
  }

  #noteNames(): void {
    const { name, id, phase } = this.#turn;
    const isNamed = this.#isModel && this.#hasMessage;
    if (name !== undefined) this.#context.lost.push(`${this.#path}.name`);
    if (id !== undefined && !(isNamed && messageId.test(id))) this.#context.lost.push(`${this.#path}.id`);
    if (phase !== undefined && !isNamed) this.#context.lost.push(`${this.#path}.phase`);
  }

  #addMessage(): void {
    const { role, id, phase } = this.#turn;
    const isFirst = this.#isModel && !this.#hasMessage;
    const named = isFirst && id !== undefined && messageId.test(id) ? { id } : undefined;
    // Services that check requests against OpenAI's types accept content of the model only with an id, or as a plain text.
    const isShort = this.#isModel && named === undefined;
    this.#items.push(
      defined({
        type: 'message',
        ...named,
        role: role === 'tool' ? 'user' : role,
        phase: this.#isModel ? phase : undefined,
        content: (isShort ? plainText(this.#content) : undefined) ?? this.#content,
      }),
    );
    this.#hasMessage = true;
    this.#content = [];
  }

  #flush(): void {
    if (this.#content.length > 0) this.#addMessage();
  }

  #item(item: JsonObject | undefined): void {
    if (item === undefined) return;
    this.#flush();
    this.#items.push(item);
  }

  /** Encodes the part at an index, and returns how many parts it has encoded. */
  #part(index: number): number {
    const part = this.#turn.parts[index];
    if (part === undefined) return 1;
    const path = `${this.#path}.parts[${index}]`;
    switch (part.kind) {
      case 'tool-result':
        this.#item(encodeResult(part, path, this.#context.lost));
        return 1;
      case 'tool-call':
        this.#item(this.#call(part, path));
        return 1;
      case 'reasoning':
        this.#item(this.#reasoning(part, path));
        return 1;
      case 'server-tool-call':
        return this.#serverCall(part, index, path);
      case 'other':
        this.#other(part, path);
        return 1;
      default:
        this.#say(part, path);
        return 1;
    }
  }

  #say(part: Part, path: string): void {
    const wire = encodePart(part, this.#isModel ? 'model' : 'client', path, this.#context.lost);
    if (wire !== undefined) this.#content.push(wire);
  }

  #call(part: ToolCallPart, path: string): JsonObject | undefined {
    if (!this.#isModel) return recordLoss(`${path}.tool-call`, this.#context.lost);
    if (part.cache !== undefined) this.#context.lost.push(`${path}.cache`);
    return callItem(part);
  }

  /**
   * Encodes reasoning. A provider can read only what it encrypted itself. Its text is sent as the summary from which clients of
   * other formats got it: OpenAI refuses a request with `content` in it ("array too long").
   */
  #reasoning(part: ReasoningPart, path: string): JsonObject | undefined {
    const { lost, scope } = this.#context;
    const { bound } = part;
    if (!this.#isModel || bound?.scope !== scope) return recordLoss(`${path}.reasoning`, lost);
    if (bound.kind !== 'encrypted') lost.push(`${path}.bound`);
    return encodeReasoning(asSummary(part), { encrypted: bound.value });
  }

  /** Encodes a call of a provider's own tool. An item with a call and its result is written once, for all of its parts. */
  #serverCall(part: ServerToolCallPart, index: number, path: string): number {
    const item = ownValue(part, 'responses');
    const own = item === undefined || !this.#isModel ? undefined : decodeServerItem(item);
    if (item === undefined || own === undefined) {
      recordLoss(`${path}.server-tool-call`, this.#context.lost);
      return 1;
    }
    this.#item(item);
    if (isDeepStrictEqual(this.#turn.parts.slice(index, index + own.length), own)) return own.length;
    this.#context.lost.push(`${path}.server-tool-call`);
    return 1;
  }

  #other(part: OtherPart, path: string): void {
    const value = ownValue(part, 'responses');
    if (value === undefined || isContent(value)) this.#say(part, path);
    else if (isModelItem(value) === this.#isModel && this.#turn.role !== 'tool') this.#item(value);
    else recordLoss(`${path}.other`, this.#context.lost);
  }
}

/** https://platform.openai.com/docs/api-reference/responses/create#responses-create-input */
export const encodeTurn = (turn: Turn, path: string, context: EncodeContext): readonly JsonObject[] =>
  new TurnEncoder(turn, path, context).encode();
