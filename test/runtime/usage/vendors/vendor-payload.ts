import { chat } from '../../../../plugins/dialects/chat/chat.ts';
import { cohere } from '../../../../plugins/dialects/cohere/cohere.ts';
import { converse } from '../../../../plugins/dialects/converse/converse.ts';
import { embeddings } from '../../../../plugins/dialects/embeddings/embeddings.ts';
import { gemini } from '../../../../plugins/dialects/gemini/gemini.ts';
import { messages } from '../../../../plugins/dialects/messages/messages.ts';
import { responses } from '../../../../plugins/dialects/responses/responses.ts';
import type { Dialect } from '../../../../plugins/sdk/dialect/dialect.ts';
import type { ModelPrice } from '../../../../schema/usage/model-price.ts';

type Spoken = 'chat' | 'cohere' | 'converse' | 'embeddings' | 'gemini' | 'messages' | 'responses';

const dialects: Readonly<Record<Spoken, Dialect>> = { chat, cohere, converse, embeddings, gemini, messages, responses };

/** What a vendor charges for one answer, calculated by hand. */
export interface VendorPayload {
  readonly vendor: string;
  /** What the payload shows. */
  readonly what: string;
  /** Where the vendor says how it charges this. */
  readonly rule: string;
  readonly dialect: Spoken;
  /** A whole answer, or the frames of a stream. */
  readonly wire: object | readonly object[];
  /** US dollars for a million tokens. */
  readonly price: ModelPrice;
  /** Tokens by what each costs, in US dollars for a million; their product is millionths of a dollar. */
  readonly charged: readonly (readonly [tokens: number, price: number])[];
  /** Billionths of a US dollar beside tokens, as for searches. */
  readonly calls?: number;
  /** The name of the provider in public price lists. */
  readonly listedAs?: string;
  readonly model?: string;
}

/** What the payloads of a vendor have in common. */
export type VendorTerms = Omit<VendorPayload, 'what' | 'wire' | 'charged' | 'rule'>;

export const toDialect = ({ dialect }: VendorPayload): Dialect => dialects[dialect];

/** In thousandths of a billionth of a US dollar, so that prices of up to six decimals give whole numbers. */
const units = ([tokens, price]: readonly [number, number]): bigint => BigInt(tokens) * BigInt(Math.round(price * 1e6));

/** Billionths of a US dollar, rounded up once. */
export const toNano = ({ charged, calls = 0 }: VendorPayload): number => {
  const exact = charged.reduce((sum, each) => sum + units(each), 0n);
  return Number((exact + 999n) / 1000n) + calls;
};
