import fc from 'fast-check';
import type { Answering } from './counting-provider.ts';
import {
  type Asking,
  continued,
  continuedByClaude,
  hedged,
  hedgedAndContinued,
  heldBack,
  mirrored,
  plain,
} from './traffic-gateway.ts';

/** A request, and the answer of each provider. */
export interface RandomRequest extends Pick<Asking, 'config' | 'stream'> {
  readonly kind: Kind;
  readonly stream: boolean;
  readonly answers: Readonly<Record<'claude' | 'gpt' | 'copies', Answering>>;
  /** The index of the key that sends it. */
  readonly key: 0 | 1;
  /** Milliseconds after the previous request. */
  readonly pauseMs: number;
}

type Kind =
  | ('plain' | 'hedged' | 'heldBack' | 'continued' | 'continuedByClaude' | 'hedgedAndContinued')
  | ('mirrored' | 'mirroredHedge');

const kinds: Readonly<Record<Kind, object>> = {
  ...{ plain, hedged, heldBack, continued, continuedByClaude, hedgedAndContinued },
  ...{ mirrored: mirrored(plain), mirroredHedge: mirrored(hedged) },
};

const answering: fc.Arbitrary<Answering> = fc.record({
  used: fc.record({ input: fc.integer({ min: 10, max: 500 }), output: fc.integer({ min: 1, max: 300 }) }),
  words: fc.integer({ min: 1, max: 9 }),
  waitMs: fc.integer({ min: 0, max: 120 }),
  wordMs: fc.integer({ min: 0, max: 8 }),
  end: fc.oneof(
    { weight: 6, arbitrary: fc.constant('whole' as const) },
    { weight: 2, arbitrary: fc.constant('cut' as const) },
    { weight: 3, arbitrary: fc.constantFrom('silent', 'open', 'busy') },
  ),
});

const names = Object.keys(kinds) as readonly Kind[];

export const randomRequest: fc.Arbitrary<RandomRequest> = fc
  .record({
    kind: fc.constantFrom(...names),
    stream: fc.boolean(),
    answers: fc.record({ claude: answering, gpt: answering, copies: answering }),
    key: fc.constantFrom(0, 1),
    pauseMs: fc.integer({ min: 0, max: 20 }),
  })
  .map((request) => ({ ...request, config: kinds[request.kind] }));
