import { describe, expect, it } from 'vitest';
import type { Sent } from '../../../plugins/sdk/delivery/delivery.ts';
import type { SinkAnswer } from '../../../plugins/sdk/sink/sink.ts';
import { neverCancelled } from '../../../plugins/sdk/time/cancellation.ts';
import { builtinSinks, loadBuiltinSink } from '../../../plugins/sinks/builtin-sinks.ts';
import { createVirtualClock } from '../../../plugins/testkit/route/virtual-clock.ts';
import { sampleSinkRecords } from '../../../plugins/testkit/testing.ts';
import type { Json, JsonObject } from '../../../schema/json/json.ts';
import { lookUp } from '../../../schema/json/look-up.ts';
import { rootPointer } from '../../../schema/json/pointer.ts';
import { errorText } from '../../../schema/text/error-text.ts';
import { sinkDefaults, sinkSamples } from '../../support/in-process/sink-samples.ts';
import { mutateJson } from '../mutate/json.ts';
import { writeOdd } from '../mutate/values.ts';
import { caseSeed, Random } from '../support/random.ts';
import { fuzzRuns, fuzzSeed, onlyCase } from '../support/settings.ts';
import { lacking } from './support/changes.ts';
import { expectPlainWords } from './support/expect-plain-words.ts';
import { placesIn } from './support/places.ts';
import { rawAnswers } from './support/raw-answers.ts';

/** The longest wait that a receiver can request. */
const longestAfterMs = 300_000;

/** Answers a sink. Throws if the reason in its outcome is not readable. */
const answered = async (id: string, answer: Partial<SinkAnswer>): Promise<Sent> => {
  const sink = await loadBuiltinSink(id);
  const open = sink.create(
    { ...sinkDefaults[id], ...lookUp(sinkSamples, id)?.options },
    {
      timers: createVirtualClock(Date.UTC(2026, 1, 14, 10)),
      http: { send: async () => ({ status: 200, headers: [], text: '', isWhole: true, ...answer }) },
    },
  );
  const sent = await open.send(sampleSinkRecords(), { id: 'batch', cancellation: neverCancelled });
  const reason = sent.kind === 'delivered' ? sent.refused?.reason : sent.reason;
  if (reason !== undefined) expectPlainWords(reason, `the answer is ${answer.text}`);
  if (sent.kind === 'again') expect(sent.afterMs ?? 0).toBeLessThanOrEqual(longestAfterMs);
  return sent;
};

const refusing: JsonObject = {
  successes: [],
  errors: [{ id: '01a1fcb4-trace', status: 400, message: 'Invalid request data', error: 'x' }],
};

describe.each(Object.keys(builtinSinks))('the sink %s', (id) => {
  it('delivers nothing if the receiver answers with an error or a redirect', async () => {
    for (const { status = 200, headers = [], text } of rawAnswers) {
      const sent = await answered(id, { status, headers, text });
      if (status >= 300) expect(sent.kind, `${status}`).not.toBe('delivered');
    }
  });

  it('gives a readable reason for records that it could not deliver, whatever the receiver answers', async () => {
    const pool = { words: ['errors', 'successes', 'id', 'status', 'toString'], donor: (): Json => 400 };
    const numbers = Array.from({ length: Math.ceil(fuzzRuns / 20) }, (_, number) => number);
    for (const number of onlyCase === undefined ? numbers : [onlyCase]) {
      const random = new Random(caseSeed(fuzzSeed, number));
      const text = writeOdd(mutateJson(refusing, random, pool));
      try {
        await answered(id, { status: random.pick([200, 202, 207, 400, 429]), text });
      } catch (cause) {
        const again = `FUZZ_SEED=${fuzzSeed} FUZZ_CASE=${number}`;
        throw new Error(`${errorText(cause)} Run it again with ${again}.\n${text}`, { cause });
      }
    }
  });
});

describe('the sink langfuse', () => {
  it('counts nothing as delivered unless the answer says so', async () => {
    expect(await answered('langfuse', { status: 207, text: JSON.stringify(refusing) })).toMatchObject({
      refused: { count: 1 },
    });
    const places = placesIn(refusing).filter(
      (place) => place.startsWith('/errors') && !/\/(?:id|message|error)$/.test(place),
    );
    const changes = places
      .flatMap((place) => lacking(refusing, place))
      .filter(({ body }) => JSON.stringify(body) !== '{"successes":[],"errors":[]}');
    const further = [{ name: rootPointer, body: {} }, ...changes.filter(({ name }) => name !== '/errors is absent')];
    for (const { name, body } of further)
      expect(await answered('langfuse', { status: 207, text: writeOdd(body) }), name).toMatchObject({ kind: 'again' });
    for (const { status, text } of rawAnswers)
      expect(await answered('langfuse', { status: status ?? 207, text }), text).not.toEqual({ kind: 'delivered' });
  });
});
