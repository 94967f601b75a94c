import fc from 'fast-check';
import type { Frame } from '../../../../../plugins/sdk/dialect/dialect.ts';
import type { JsonObject } from '../../../../../schema/json/json.ts';

/** Content from a model: one of the kinds that its provider has, with a text that the stream splits in two at `cut`. */
export interface Said {
  readonly kind: string;
  readonly text: string;
  readonly cut: number;
}

/** The answer of a provider. */
export interface Script {
  readonly said: readonly Said[];
  readonly isCutShort: boolean;
  /** The positions of events without content and of unknown events. */
  readonly noise: readonly number[];
}

/** An answer in a provider's documented wire format, whole and streamed. None of the gateway's code writes it. */
export interface Written {
  readonly whole: JsonObject;
  readonly frames: readonly Frame[];
}

export interface Provider {
  readonly kinds: readonly string[];
  write(script: Script): Written;
}

/** Returns the pieces of a text in a stream. There is at least one. */
export const pieces = ({ text, cut }: Pick<Said, 'text' | 'cut'>): readonly string[] => {
  const at = cut % text.length;
  return at === 0 ? [text] : [text.slice(0, at), text.slice(at)];
};

/** Returns the arguments of a call that contain a text, as JSON. */
export const toArguments = ({ text }: Said): string => JSON.stringify({ said: text });

/** Inserts other frames between the frames, but not before the first. */
export const withNoise = (frames: readonly Frame[], { noise }: Script, others: readonly Frame[]): readonly Frame[] =>
  frames.flatMap((frame, at) => {
    const other = at === 0 ? undefined : others[noise[at % noise.length] ?? others.length];
    return other === undefined ? [frame] : [other, frame];
  });

const texts = fc.constantFrom('Hi', 'Hello there.', 'é👋x', 'a\nb', ' x ', '{"a":1}', '</think>');

/** Scripts with content of these kinds. */
export const scriptsOf = (kinds: readonly string[]): fc.Arbitrary<Script> =>
  fc.record({
    said: fc.array(fc.record({ kind: fc.constantFrom(...kinds), text: texts, cut: fc.nat(20) }), { maxLength: 4 }),
    isCutShort: fc.boolean(),
    noise: fc.array(fc.nat(5), { minLength: 1, maxLength: 5 }),
  });
