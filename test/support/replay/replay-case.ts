import fc from 'fast-check';
import type { JsonObject } from '../../../schema/json/json.ts';
import { config } from '../arbitraries/config.ts';
import { scriptedProvider } from '../arbitraries/scripted.ts';

/** What a real upstream does with one call. For a stream, `begun` states whether part of its answer arrived. */
export type Fault =
  | { readonly kind: 'answer'; readonly status: number; readonly headers: Readonly<Record<string, string>> }
  | { readonly kind: 'garbage' | 'empty' | 'hang' | 'reset' }
  | { readonly kind: 'cut' | 'in-band'; readonly begun: boolean };

/** A client's request. `broken` is not JSON, and `unfit` is JSON that is not a request in its dialect. */
export interface ReplayRequest {
  readonly route: 'chat' | 'messages' | 'completions' | 'embeddings' | 'upload' | 'listing';
  readonly body: 'plain' | 'broken' | 'unfit';
  readonly stream: boolean;
  /** The number of milliseconds after which the client disconnects, whatever has arrived by then. */
  readonly leavesAfterMs: number | undefined;
  readonly tier: 'gold' | 'free' | '7' | undefined;
  readonly model: 'gold' | 'free' | '7';
}

/** A config and everything that happens to it. The choices are used in turn, target after target and call after call. */
export interface ReplayCase {
  readonly config: JsonObject;
  readonly providers: readonly ('openai' | 'anthropic' | 'ollama' | 'dead')[];
  readonly faults: readonly Fault[];
  /** Words for which the checks look in the request and in the answer. */
  readonly words: { readonly input: string; readonly output: string };
  readonly requests: readonly ReplayRequest[];
}

const headers: fc.Arbitrary<Readonly<Record<string, string>>> = fc.constantFrom<Readonly<Record<string, string>>>(
  {},
  { 'retry-after-ms': '1' },
  { 'retry-after-ms': '2.5', 'retry-after': '7' },
  { 'x-ms-retry-after-ms': '3' },
  { 'retry-after': '0' },
  { 'retry-after': '61' },
  { 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' },
);

const fault: fc.Arbitrary<Fault> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('answer'),
      status: fc.constantFrom(200, 200, 200, 204, 400, 408, 429, 429, 500, 502, 503, 529),
      headers,
    }),
  },
  { weight: 3, arbitrary: fc.constantFrom<Fault>({ kind: 'garbage' }, { kind: 'empty' }, { kind: 'reset' }) },
  { weight: 1, arbitrary: fc.constant<Fault>({ kind: 'hang' }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom('cut', 'in-band'), begun: fc.boolean() }) },
);

const request: fc.Arbitrary<ReplayRequest> = fc.record({
  route: fc.constantFrom('chat', 'chat', 'chat', 'messages', 'completions', 'embeddings', 'upload', 'listing'),
  body: fc.oneof(
    { weight: 10, arbitrary: fc.constant('plain') },
    { weight: 1, arbitrary: fc.constantFrom('broken', 'unfit') },
  ),
  stream: fc.constantFrom(false, false, true),
  leavesAfterMs: fc.oneof(
    { weight: 12, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.constantFrom(5, 50, 250, 700) },
  ),
  tier: fc.constantFrom('gold', 'free', '7', undefined),
  model: fc.constantFrom('gold', 'free', '7'),
});

const some = <Thing>(thing: fc.Arbitrary<Thing>, most: number): fc.Arbitrary<readonly Thing[]> =>
  fc.array(thing, { minLength: 1, maxLength: most });

/** A stream that is cut after its first words, at a fallback that continues streams. It is too rare among random cases. */
const continuedCase: fc.Arbitrary<ReplayCase> = fc.record({
  config: fc.constant({
    strategy: { mode: 'fallback', continue: true },
    targets: ['first', 'second', 'third'].map((name) => ({ name, provider: scriptedProvider })),
  }),
  providers: some(fc.constantFrom('openai', 'anthropic'), 3),
  faults: fc.constantFrom<readonly Fault[]>(
    [
      { kind: 'cut', begun: true },
      { kind: 'answer', status: 200, headers: {} },
    ],
    [
      { kind: 'in-band', begun: true },
      { kind: 'cut', begun: true },
      { kind: 'answer', status: 200, headers: {} },
    ],
    [
      { kind: 'cut', begun: true },
      { kind: 'answer', status: 503, headers: {} },
    ],
  ),
  words: fc.constant({ input: 'nowhere', output: 'nowhere' }),
  requests: some(
    request.map((one): ReplayRequest => ({ ...one, stream: true, body: 'plain', leavesAfterMs: undefined })),
    2,
  ),
});

const randomCase: fc.Arbitrary<ReplayCase> = fc.record({
  config,
  providers: some(fc.constantFrom('openai', 'openai', 'anthropic', 'ollama', 'dead'), 6),
  faults: some(fault, 12),
  words: fc.record({
    input: fc.constantFrom('Hello', 'nowhere'),
    output: fc.constantFrom('rains', 'nowhere'),
  }),
  requests: some(request, 3),
});

/** Random configs with the behaviour of their upstreams and clients. */
export const replayCase: fc.Arbitrary<ReplayCase> = fc.oneof(
  { weight: 30, arbitrary: randomCase },
  { weight: 4, arbitrary: continuedCase },
);
