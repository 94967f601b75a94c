import fc from 'fast-check';
import type { Frame } from '../../../../../plugins/sdk/dialect/dialect.ts';
import type { JsonObject } from '../../../../../schema/json/json.ts';

/** Something that a model says: one of the kinds that its provider has, with a text that the stream cuts in two at `cut`. */
export interface Said {
  readonly kind: string;
  readonly text: string;
  readonly cut: number;
}

/** What a provider answers. */
export interface Script {
  readonly said: readonly Said[];
  readonly isCutShort: boolean;
  /** Where events stand that say nothing, or that nobody knows. */
  readonly noise: readonly number[];
}

/** An answer on a provider's wire as its documentation has it, whole and streamed; none of the gateway's code writes it. */
export interface Written {
  readonly whole: JsonObject;
  readonly frames: readonly Frame[];
}

export interface Provider {
  readonly kinds: readonly string[];
  write(script: Script): Written;
}

/** The pieces of a text in a stream, at least one. */
export const pieces = ({ text, cut }: Pick<Said, 'text' | 'cut'>): readonly string[] => {
  const at = cut % text.length;
  return at === 0 ? [text] : [text.slice(0, at), text.slice(at)];
};

/** The arguments of a call that says a text, as JSON. */
export const toArguments = ({ text }: Said): string => JSON.stringify({ said: text });

/** Frames with others between them, but not before the first. */
export const withNoise = (frames: readonly Frame[], { noise }: Script, others: readonly Frame[]): readonly Frame[] =>
  frames.flatMap((frame, at) => {
    const other = at === 0 ? undefined : others[noise[at % noise.length] ?? others.length];
    return other === undefined ? [frame] : [other, frame];
  });

const texts = fc.constantFrom('Hi', 'Hello there.', 'é👋x', 'a\nb', ' x ', '{"a":1}', '</think>');

/** Scripts of these kinds. */
export const scriptsOf = (kinds: readonly string[]): fc.Arbitrary<Script> =>
  fc.record({
    said: fc.array(fc.record({ kind: fc.constantFrom(...kinds), text: texts, cut: fc.nat(20) }), { maxLength: 4 }),
    isCutShort: fc.boolean(),
    noise: fc.array(fc.nat(5), { minLength: 1, maxLength: 5 }),
  });
