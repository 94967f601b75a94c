import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../../schema/json/json.ts';
import { isJsonObject, writtenText } from '../../../schema/json/json.ts';
import { errorText } from '../../../schema/text/error-text.ts';
import { authorizing } from '../../support/vendors/authorize.ts';
import { mutateJson, type Pool } from '../mutate/json.ts';
import { writeOdd } from '../mutate/values.ts';
import { caseSeed, Random } from '../support/random.ts';
import { fuzzRuns, fuzzSeed, onlyCase } from '../support/settings.ts';
import { lacking, withValue } from './support/changes.ts';
import { expectPlainWords } from './support/expect-plain-words.ts';
import { placesIn } from './support/places.ts';
import { rawAnswers } from './support/raw-answers.ts';
import { type TokenService, tokenServices } from './support/token-services.ts';

const auth = new URL('../../../plugins/providers/auth/', import.meta.url);

const textOf = (value: Json): string => (typeof value === 'string' ? value : writeOdd(value));

/** Serialises the answer of a service in its format. */
const written = ({ isXml }: TokenService, value: Json): string => {
  if (isXml !== true) return writeOdd(value);
  const members = isJsonObject(value) ? Object.entries(value) : [];
  return `<Credentials>${members.map(([name, text]) => `<${name}>${textOf(text)}</${name}>`).join('')}</Credentials>`;
};

/** Calls a service twice, and a third time a day later. Throws if an invalid answer was accepted. */
const expectSound = async (service: TokenService, body: string, status = 200): Promise<boolean> => {
  const { credential = {}, settings = {} } = service;
  const { context, sent, pass } = authorizing({
    credential,
    settings,
    isOperators: true,
    tokenService: () => ({ status, body }),
  });
  const ask = async (): Promise<boolean> => {
    let texts: readonly string[];
    try {
      texts = await service.ask(context);
    } catch (error) {
      expectPlainWords(errorText(error), `the answer is ${body.slice(0, 2000)}`);
      return false;
    }
    if (texts.every((text) => /^[\x21-\x7e]+$/.test(text))) return true;
    throw new Error(`No header can carry ${JSON.stringify(texts)}.`);
  };
  const isGiven = await ask();
  await ask();
  const before = sent.length;
  if (before > 2) throw new Error(`The service was asked ${before} times by two requests.`);
  pass(24 * 60 * 60 * 1000);
  await ask();
  if (sent.length === before) throw new Error('The service is not asked again after a day.');
  if (new Set(sent.map(({ origin }) => origin)).size !== 1) throw new Error('Several hosts were asked.');
  return isGiven;
};

describe.each(tokenServices)('$name', (service) => {
  it('yields a token from a good answer, and none from an answer of a proxy', async () => {
    expect(await expectSound(service, written(service, service.good))).toBe(true);
    for (const { text, status } of rawAnswers) expect(await expectSound(service, text, status), text).toBe(false);
  });

  it('yields a sendable token or a readable error, kept for a day at most, if a member is absent or wrong', async () => {
    for (const place of placesIn(service.good)) {
      const odd: readonly Json[] = ['\u0001raw:1e999', 1e300, -1, '1e300', 'soon', '9999-12-31T00:00:00Z', 'a\nb', ''];
      const changes = [...lacking(service.good, place), ...odd.map((value) => withValue(service.good, place, value))];
      for (const { body } of changes) await expectSound(service, written(service, body));
    }
  });

  it('yields a sendable token or a readable error for any answer', { timeout: 30_000 + fuzzRuns * 5 }, async () => {
    const words = [...Object.keys(service.good), '__proto__', 'constructor', 'toString', ''];
    const values = Object.values(service.good);
    const pool: Pool = { words, donor: (random) => structuredClone(random.pick(values)) };
    const numbers = Array.from({ length: Math.ceil(fuzzRuns / 20) }, (_, number) => number);
    for (const number of onlyCase === undefined ? numbers : [onlyCase]) {
      const random = new Random(caseSeed(fuzzSeed, number));
      const body = written(service, mutateJson(service.good, random, pool));
      try {
        await expectSound(service, body, random.oneIn(8) ? 400 : 200);
      } catch (cause) {
        const again = `FUZZ_SEED=${fuzzSeed} FUZZ_CASE=${number}`;
        throw new Error(`${errorText(cause)} Run it again with ${again}.\n${writtenText(body)}`, { cause });
      }
    }
  });
});

it('every file that calls a token service is fuzzed', () => {
  const asking = readdirSync(auth).filter((file) =>
    readFileSync(new URL(file, auth), 'utf8').includes("'./request-token.ts'"),
  );
  expect(asking).toEqual([...new Set(tokenServices.map(({ file }) => file))]);
});
