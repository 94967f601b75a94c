import { isJsonObject, type Json } from '../../../schema/json/json.ts';
import type { ServiceId } from './services.ts';
import { stringsIn } from './strings.ts';

/** A value that a service made and that other services can neither verify nor read. */
export interface Proof {
  readonly value: string;
  readonly by: ServiceId;
  readonly maker: string;
}

const isBase64 = /^[\w+/-]{8,}={0,2}$/;

const decoded = (text: string): string => (isBase64.test(text) ? Buffer.from(text, 'base64').toString('latin1') : '');

/** A text with the gateway's mark consists only of the marked value, which may begin with its kind. */
const isMarked = (text: string): boolean => /^(?:\w+[.:])?gw1\.[\w-]+\./.test(text);

const members: ReadonlySet<string> = new Set(['signature', 'thoughtSignature', 'encrypted_content', 'redactedContent']);

/** The proofs in a request. Members with the same names in arguments and schemas are not proofs. */
const proofsIn = (value: Json): readonly string[] => {
  if (Array.isArray(value)) return value.flatMap(proofsIn);
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    members.has(name) && typeof inner === 'string' ? [inner] : proofsIn(inner),
  );
};

/** A documented placeholder that no service made: https://ai.google.dev/gemini-api/docs/thought-signatures */
const placeholder = 'skip_thought_signature_validator';

/** The proofs of one conversation. */
export class Proofs {
  readonly #all: Proof[] = [];
  #made = 0;

  /** Creates a value that names its maker, for debugging. */
  make(by: ServiceId, maker: string, story: string): string {
    const value = Buffer.from(`made by ${by} in ${story}, ${this.#made}`.padEnd(60, '.')).toString('base64');
    this.#made += 1;
    this.#all.push({ value, by, maker });
    return value;
  }

  by(id: ServiceId): readonly string[] {
    return this.#all.flatMap(({ by, value }) => (by === id ? [value] : []));
  }

  /** Returns the errors of a request: marks of the gateway, and proofs that the service does not accept. */
  errors(body: Json, accepted: readonly string[]): readonly string[] {
    const known = new Set([placeholder, ...this.#all.map(({ value }) => value)]);
    const unknown = proofsIn(body).filter((value) => !known.has(value));
    const foreign = this.#all.filter(({ maker }) => !accepted.includes(maker));
    return [
      ...unknown.map((value) => `Nobody made ${value}.`),
      ...stringsIn(body).flatMap((text) => {
        const plain = decoded(text);
        if (isMarked(text) || isMarked(plain)) return [`A mark of the gateway was sent: ${text.slice(0, 200)}`];
        return foreign
          .filter(({ value }) => text.includes(value) || plain.includes(value))
          .map(({ by }) => `What ${by} made was sent elsewhere.`);
      }),
    ];
  }
}
