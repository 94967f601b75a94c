import type { Json } from '../../../schema/json.ts';
import type { ServiceId } from './services.ts';
import { stringsIn } from './strings.ts';

/** A value that a service made, which others can neither verify nor read. */
export interface Proof {
  readonly value: string;
  readonly by: ServiceId;
  readonly maker: string;
}

const isBase64 = /^[\w+/-]{8,}={0,2}$/;

const decoded = (text: string): string => (isBase64.test(text) ? Buffer.from(text, 'base64').toString('latin1') : '');

/** The proofs of one conversation. */
export class Proofs {
  readonly #all: Proof[] = [];
  #made = 0;

  /** A new value, which says who made it to whoever debugs a test. */
  make(by: ServiceId, maker: string, story: string): string {
    const value = Buffer.from(`made by ${by} in ${story}, ${this.#made}`.padEnd(60, '.')).toString('base64');
    this.#made += 1;
    this.#all.push({ value, by, maker });
    return value;
  }

  by(id: ServiceId): readonly string[] {
    return this.#all.flatMap(({ by, value }) => (by === id ? [value] : []));
  }

  /** What is wrong with a request: marks of the gateway, and proofs of makers that the service does not accept. */
  faults(body: Json, accepted: readonly string[]): readonly string[] {
    return stringsIn(body).flatMap((text) => {
      const plain = decoded(text);
      if (text.includes('gw1.') || plain.includes('gw1.')) return [`A mark of the gateway was sent: ${text}`];
      return this.#all
        .filter(({ value, maker }) => !accepted.includes(maker) && (text.includes(value) || plain.includes(value)))
        .map(({ by }) => `What ${by} made was sent elsewhere.`);
    });
  }
}
