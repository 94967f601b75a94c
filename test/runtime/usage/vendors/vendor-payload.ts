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

/** The charge of a vendor for one answer, calculated by hand. */
export interface VendorPayload {
  readonly vendor: string;
  /** A short description of the payload. */
  readonly what: string;
  /** The URL of the page on which the vendor explains this charge. */
  readonly rule: string;
  readonly dialect: Spoken;
  /** A whole answer, or the frames of a stream. */
  readonly wire: object | readonly object[];
  /** In US dollars per million tokens. */
  readonly price: ModelPrice;
  /** Tokens and their price in US dollars per million. Their product is in millionths of a dollar. */
  readonly charged: readonly (readonly [tokens: number, price: number])[];
  /** Charges other than for tokens, such as for searches, in billionths of a US dollar. */
  readonly calls?: number;
  /** The name of the provider in public price lists. */
  readonly listedAs?: string;
  readonly model?: string;
}

/** The members that all payloads of a vendor share. */
export type VendorTerms = Omit<VendorPayload, 'what' | 'wire' | 'charged' | 'rule'>;

export const toDialect = ({ dialect }: VendorPayload): Dialect => dialects[dialect];

/** Returns thousandths of a billionth of a US dollar, so that prices with up to six decimals are whole numbers. */
const units = ([tokens, price]: readonly [number, number]): bigint => BigInt(tokens) * BigInt(Math.round(price * 1e6));

/** Returns billionths of a US dollar, rounded up once. */
export const toNano = ({ charged, calls = 0 }: VendorPayload): number => {
  const exact = charged.reduce((sum, each) => sum + units(each), 0n);
  return Number((exact + 999n) / 1000n) + calls;
};
