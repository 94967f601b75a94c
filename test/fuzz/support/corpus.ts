import fc from 'fast-check';
import type {
  ConversationCodec,
  Dialect,
  EncodeAnswer,
  EncodeTarget,
  Frame,
} from '../../../plugins/sdk/dialect/dialect.ts';
import type { AnswerEvent } from '../../../schema/conversation/answer.ts';
import { errorReport } from '../../../schema/errors/errors.ts';
import type { Json, JsonObject } from '../../../schema/json/json.ts';
import { answerEvents } from '../../plugins/dialects/support/answer-events.ts';
import { answers, conversations } from '../../plugins/dialects/support/arbitraries.ts';
import { type FixtureTexts, toFixtures } from './fixtures.ts';
import { toWords } from './words.ts';

/** Valid texts in one dialect. */
export interface Corpus {
  readonly requests: readonly JsonObject[];
  readonly answers: readonly JsonObject[];
  readonly errors: readonly JsonObject[];
  readonly streams: readonly (readonly Frame[])[];
  /** The events of those of its streams that were encoded. */
  readonly events: readonly (readonly AnswerEvent[])[];
  readonly words: readonly string[];
}

const target: EncodeTarget = { provider: 'test', strict: false, drop: new Set(), scope: 'here' };
const options: EncodeAnswer = { provider: 'test', strict: false, streamUsage: true, id: 'gw-1', created: 1 };

const overTheWire = (body: JsonObject): JsonObject => JSON.parse(JSON.stringify(body)) as JsonObject;

/** Enough samples for each member of a conversation to occur often. */
const samples = 60;

const written = (
  codec: ConversationCodec,
  seed: number,
): Pick<Corpus, 'requests' | 'answers' | 'streams' | 'events'> => {
  const spoken = fc.sample(answers, { numRuns: samples, seed });
  const events = spoken.map((answer, at) => answerEvents(answer, { size: 3 + (at % 20), interleaved: at % 3 === 0 }));
  return {
    requests: fc
      .sample(conversations, { numRuns: samples, seed })
      .map((each) => overTheWire(codec.encodeRequest(each, target).body)),
    answers: spoken.map((answer, at) => overTheWire(codec.encodeAnswer(answer, { ...options, strict: at % 2 === 0 }))),
    events,
    streams: events.map((each, at) => {
      const encoder = codec.streamEncoder({ ...options, strict: at % 2 === 0 });
      return [...each.flatMap((event) => encoder.push(event)), ...encoder.end()];
    }),
  };
};

const reports = [
  errorReport('stream-cut', {}),
  errorReport('stream-idle', { ms: 5 }),
  errorReport('unreadable-answer', { provider: 'p', reason: 'it is not JSON.' }),
];

const failing = (dialect: Dialect): Pick<Corpus, 'errors' | 'streams'> => ({
  errors: [
    ...reports.map((report) => dialect.encodeError(report)),
    dialect.encodeWireError({ message: 'No.', type: 't', code: 'c', param: 'p' }, 429),
  ],
  streams: reports.map((report) => [dialect.encodeStreamError(report)]),
});

const nothing: FixtureTexts = { requests: [], answers: [], errors: [], streams: [] };

/** Collects what a dialect writes for random conversations and answers, and the fixtures. */
export const toCorpus = (dialect: Dialect, seed: number): Corpus => {
  const codec = dialect.conversation;
  const own = codec === undefined ? { ...nothing, events: [] } : { errors: [], ...written(codec, seed) };
  const sources: readonly FixtureTexts[] = [own, { ...nothing, ...failing(dialect) }, toFixtures(dialect)];
  return {
    requests: sources.flatMap(({ requests }) => requests),
    answers: sources.flatMap((source) => source.answers),
    errors: sources.flatMap(({ errors }) => errors),
    // A stream without frames cannot be mutated.
    streams: sources.flatMap(({ streams }) => streams).filter(({ length }) => length > 0),
    events: own.events,
    words: toWords(dialect.id),
  };
};

/** Returns every value in a corpus, to be put in place of others. */
export const toDonors = ({ requests, answers: bodies, errors, streams }: Corpus): readonly Json[] => {
  const found: Json[] = [];
  const add = (value: Json): void => {
    found.push(value);
    if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) add(inner as Json);
  };
  for (const body of [...requests, ...bodies, ...errors]) add(body);
  for (const { data } of streams.flat()) if (data.startsWith('{')) add(JSON.parse(data) as Json);
  return found;
};
