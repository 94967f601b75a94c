import fc from 'fast-check';
import type { Citation, TextPart, TokenLogprob } from '../../../../../schema/conversation/conversation.ts';
import { cache, id, said, sometimes, text } from './basics.ts';

/** Part of something that is `length` units long. `to` is exclusive. */
const range = (length: number): fc.Arbitrary<{ from: number; to: number }> =>
  fc
    .tuple(fc.nat({ max: length - 1 }), fc.integer({ min: 1, max: length }))
    .map(([from, size]) => ({ from, to: Math.min(from + size, length) }));

const place = (unit: 'character' | 'page' | 'block'): fc.Arbitrary<NonNullable<Citation['at']>> =>
  range(9).map(({ from, to }) => ({ unit, from, to }));

/** A citation of a web page, of a document in the request, of a search result, or of a file. */
const citation = (length: number): fc.Arbitrary<Citation> =>
  fc
    .tuple(
      fc.oneof(
        fc.record({ url: fc.webUrl(), title: said }),
        fc.record({
          source: fc.nat({ max: 3 }),
          quote: said,
          at: fc.oneof(place('character'), place('page'), place('block')),
        }),
        fc.record({ source: id, quote: said, at: place('block') }),
        fc.record({ source: id, title: said }),
      ),
      sometimes({ quote: said, title: said, ...(length > 0 ? { span: range(length) } : {}) }),
    )
    .map(([what, more]) => ({ ...more, ...what }));

const probability: fc.Arbitrary<number> = fc.constantFrom(-0.001, -0.25, -2.5, -11);

const logprob = (token: string): fc.Arbitrary<TokenLogprob> =>
  fc
    .tuple(
      probability,
      sometimes({
        bytes: fc.constant([...Buffer.from(token)]),
        top: fc.array(fc.record({ token: said, logprob: probability }), { minLength: 1, maxLength: 2 }),
      }),
    )
    .map(([value, more]) => ({ token, logprob: value, ...more }));

/** One token for every three characters of the text. */
const logprobs = (value: string): fc.Arbitrary<readonly TokenLogprob[]> =>
  fc.tuple(...(value.match(/.{1,3}/gsu) ?? []).map(logprob));

/** A text of a user, sometimes with a cache hint. */
export const textPart: fc.Arbitrary<TextPart> = fc
  .tuple(text, sometimes({ cache }))
  .map(([value, more]) => ({ kind: 'text', text: value, ...more }));

export const plainText: fc.Arbitrary<TextPart> = said.map((value) => ({ kind: 'text', text: value }));

/** A text of the model, with its citations and the log probabilities of its tokens. */
export const citingText: fc.Arbitrary<TextPart> = said.chain((value) =>
  sometimes({
    citations: fc.array(citation(value.length), { minLength: 1, maxLength: 2 }),
    logprobs: logprobs(value),
  }).map((more): TextPart => ({ kind: 'text', text: value, ...more })),
);
