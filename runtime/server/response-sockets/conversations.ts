import { exactText } from '../../../schema/json/exact-numbers.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../schema/json/json.ts';
import type { BodyHolder, MemoryBudget } from '../../http/body/memory-budget.ts';

/** How many responses a connection remembers. The oldest is forgotten first. */
const maxRemembered = 8;

interface Remembered {
  /** The response that the provider or the store knows, which the items follow. */
  readonly base: Json | undefined;
  readonly items: readonly Json[];
  readonly holder: BodyHolder;
}

const toItems = (input: Json | undefined): readonly Json[] => {
  if (Array.isArray(input)) return input;
  return typeof input === 'string' ? [{ type: 'message', role: 'user', content: input }] : [];
};

/** Whether an output item may be sent again. Reasoning that nothing stores has no meaning without its encrypted content. */
const isRepeatable = (item: Json): boolean =>
  !isJsonObject(item) || item.type !== 'reasoning' || typeof item.encrypted_content === 'string';

export interface ConversationsOptions {
  readonly memoryBudget: MemoryBudget;
  readonly principal: BodyHolder['principal'];
  /** The maximum size of a conversation in bytes. */
  readonly maxBytes: number;
}

/**
 * The conversations of a connection whose responses are not stored anywhere else, because their requests have `"store": false`. A
 * later request continues one by the id of its last response. Large ones may be forgotten if the gateway has no memory for them.
 */
export class Conversations {
  readonly #options: ConversationsOptions;
  readonly #known = new Map<string, Remembered>();

  constructor(options: ConversationsOptions) {
    this.#options = options;
  }

  /** Returns a request with the whole conversation in place of the id of a response that only this connection remembers. */
  continued(body: JsonObject): JsonObject {
    const { previous_response_id: previous, ...own } = body;
    const known = typeof previous === 'string' ? this.#known.get(previous) : undefined;
    if (known === undefined) return body;
    const base = known.base === undefined ? {} : { previous_response_id: known.base };
    return { ...own, ...base, input: [...known.items, ...toItems(own.input)] };
  }

  /** Remembers a response with the whole request that it answers. */
  remember(id: string, { previous_response_id: base, input }: JsonObject, output: readonly Json[]): void {
    const { memoryBudget, principal, maxBytes } = this.#options;
    const items = [...toItems(input), ...output.filter(isRepeatable)];
    const bytes = Buffer.byteLength(exactText(items));
    const holder = memoryBudget.newHolder(principal);
    this.#forget(id);
    if (bytes > maxBytes || !memoryBudget.take(bytes, holder)) return;
    this.#known.set(id, { base: base ?? undefined, items, holder });
    const [oldest = ''] = this.#known.keys();
    if (this.#known.size > maxRemembered) this.#forget(oldest);
  }

  forgetAll(): void {
    for (const id of [...this.#known.keys()]) this.#forget(id);
  }

  #forget(id: string): void {
    const known = this.#known.get(id);
    if (known === undefined) return;
    this.#options.memoryBudget.release(known.holder);
    this.#known.delete(id);
  }
}
