import type { Dialect } from '../../../plugins/sdk/dialect/dialect.ts';
import { providerFraming } from '../../../plugins/sdk/framings/provider-framing.ts';
import { caseSeed, Random } from '../../fuzz/support/random.ts';
import type { Subject } from '../../fuzz/support/subject.ts';
import type { UpstreamCall } from '../../support/servers/upstream-server.ts';
import { onlyCase } from '../run/settings.ts';
import { ask, type Received } from './ask.ts';
import { checkReceived, checkUsage } from './check-received.ts';
import type { Client } from './clients.ts';
import { require } from './grammar/require.ts';
import type { Mode } from './modes.ts';
import { type OddResponse, oddResponse } from './odd-response.ts';
import { nextDialect, type PairsWorld, type Role } from './world.ts';

/** A client, a provider, and what the gateway does between them. */
export interface Pair {
  readonly client: Client;
  readonly dialect: Dialect;
  readonly mode: Mode;
}

export interface Bench {
  readonly world: PairsWorld;
  readonly subjects: ReadonlyMap<Dialect, Subject>;
  readonly seed: number;
}

const send = ({ chunks, end }: OddResponse, call: UpstreamCall): void => {
  for (const chunk of chunks) call.raw(chunk);
  if (end !== 'kept') call.cut(end === 'reset' ? 'reset' : 'close');
};

/** A whole stream or answer of the target that continues. */
const sendGood = ({ corpus, dialect }: Subject, stream: boolean, random: Random, call: UpstreamCall): void => {
  const framing = providerFraming(dialect);
  const writer = framing.createWriter();
  const body = stream
    ? Buffer.concat([writer.write(random.pick(corpus.streams)), writer.end()])
    : JSON.stringify(random.pick(corpus.answers));
  call.answer({ headers: { 'content-type': stream ? framing.contentType : 'application/json' }, body });
};

/** A single case is shown whole. */
const maxShown = onlyCase === undefined ? 1500 : 1_000_000;

const toText = (bytes: Buffer): string => JSON.stringify(bytes.toString('latin1')).slice(0, maxShown);

let models = 0;

/** Runs a case. Returns what is wrong with it, or undefined. */
export const runCase = async (
  { world, subjects, seed }: Bench,
  { client, dialect, mode }: Pair,
  number: number,
): Promise<string | undefined> => {
  const random = new Random(caseSeed(seed, number));
  const odd = oddResponse(subjects, dialect, client.stream, random);
  const next = nextDialect(dialect);
  const isNextOdd = random.oneIn(2);
  const nextSeed = random.word();
  const sent: string[] = [];
  models += 1;
  const model = `m${models}`;
  world.answer(model, (call, role: Role) => {
    const own = new Random(nextSeed);
    const answer = role === 'first' ? odd : isNextOdd ? oddResponse(subjects, next, client.stream, own) : undefined;
    sent.push(
      `${role}: ${answer === undefined ? 'good' : `${answer.name}, ${answer.end} ${toText(Buffer.concat([...answer.chunks]))}`}`,
    );
    const subject = subjects.get(next);
    if (answer !== undefined) send(answer, call);
    else if (subject !== undefined) sendGood(subject, client.stream, own, call);
  });
  const { path, body } = client.request(model);
  const isStrict = !random.oneIn(3);
  const asked = {
    ...{ url: world.origin + path, body, isForm: client.isForm },
    headers: {
      'x-gw-metadata': JSON.stringify({ to: `${dialect.id} ${mode.name}` }),
      ...(random.oneIn(3) ? { 'x-gw-usage': 'true' } : {}),
      ...(isStrict ? {} : { 'x-gw-strict-llmv-compliance': 'false' }),
    },
  };
  const received: Received[] = [];
  try {
    const times = mode.config.cache === undefined ? 1 : 2;
    for (let left = times; left > 0; left -= 1) received.push(await ask(asked));
    const isTranslated = client.dialect !== dialect && (mode.isContinued !== true || client.dialect !== next);
    for (const each of received) checkReceived({ client, body, received: each, isTranslated, isStrict });
    const [first, again] = received;
    if (again?.headers['x-gw-cache-status'] === 'HIT')
      require(again.status === first?.status && !first.isTorn, 'another answer is cached.');
    for (const usage of world.settle(model)) checkUsage(usage);
    return undefined;
  } catch (error) {
    world.settle(model);
    const shown = received.map(({ status, lines, bytes }) => `${status} ${JSON.stringify(lines)}\n${toText(bytes)}`);
    const place = `${client.name} of ${dialect.id}, ${mode.name}, ANSWER_CASE=${number}`;
    return [`${place}: ${error instanceof Error ? error.message : String(error)}`, ...sent, '→', ...shown].join('\n');
  }
};
