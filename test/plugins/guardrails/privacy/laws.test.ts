import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pii } from '../../../../plugins/guardrails/privacy/pii.ts';
import type { Detector } from '../../../../plugins/guardrails/privacy/search/finding.ts';
import { secrets } from '../../../../plugins/guardrails/privacy/secrets.ts';
import type { TenantId } from '../../../../plugins/sdk/exchange/exchange.ts';
import type { CheckInput, Guardrail, Verdict } from '../../../../plugins/sdk/guardrail/guardrail.ts';
import { replacedTexts } from '../../../../plugins/sdk/texts/replaced-texts.ts';
import { Placeholders } from '../../../../runtime/engine/guardrail-checks/placeholders.ts';
import { Restorer } from '../../../../runtime/engine/guardrail-verdicts/restorer.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { dearLawRuns, slowLawMs } from '../../../support/run/law-runs.ts';
import { credentials } from '../corpus/credentials.ts';
import { slowTexts } from '../corpus/hostile.ts';
import { nearMisses, personalData } from '../corpus/personal-data.ts';
import { seeded } from '../corpus/random.ts';
import { findPersonalData, findSecrets } from './detectors.ts';

const makers = [...personalData, ...credentials];

/** Values of all kinds next to each other, with words that name them and other text between them. */
const texts: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      fc.tuple(fc.nat(), fc.nat(makers.length - 1)).map(([seed, index]) => makers[index]?.(seeded(seed)).value ?? ''),
      fc.tuple(fc.nat(), fc.nat(nearMisses.length - 1)).map(([seed, index]) => nearMisses[index]?.(seeded(seed)) ?? ''),
      fc.constantFrom(
        ' ',
        ' ',
        '-',
        '.',
        '\n',
        '/',
        ': ',
        'phone ',
        'SSN ',
        'password: ',
        'token=',
        '[',
        ']',
        '+',
        '@',
        '12',
      ),
      fc.string({ maxLength: 6 }),
    ),
    { maxLength: 12 },
  )
  .map((pieces) => pieces.join(''));

/** Returns the default parameters of a check. */
const toDefaults = ({ parameters }: Guardrail): JsonObject =>
  Object.fromEntries(
    Object.entries(parameters.properties ?? {}).map(([name, schema]) => [name, schema.default ?? null]),
  );

const placeholders = new Placeholders('a key of this test');

const judge = async (guardrail: Guardrail, action: string, text: string): Promise<Verdict> => {
  const check = guardrail.create({ ...toDefaults(guardrail), action }, {
    placeholder: (tenant: TenantId, value: { kind: string; text: string }) => placeholders.name(tenant, value),
  } as never);
  const input = { spans: [{ at: '', text, kind: 'text' }], phase: 'input', tenant: 'workspace' };
  return check(input as unknown as CheckInput);
};

const checks: readonly (readonly [name: string, guardrail: Guardrail, detect: Detector])[] = [
  ['default.pii', pii, findPersonalData],
  ['default.secrets', secrets, findSecrets],
];

describe.each(checks)('%s', (_, guardrail, detect) => {
  it('leaves nothing to find after it redacts', { timeout: slowLawMs }, async () => {
    await fc.assert(
      fc.asyncProperty(texts, fc.constantFrom('redact', 'redact-reversibly'), async (text, action) => {
        const { replace = [] } = await judge(guardrail, action, text);
        const [redacted = ''] = replacedTexts([{ text }], replace);
        expect(detect(redacted)).toEqual([]);
      }),
      dearLawRuns,
    );
  });

  it('returns the original text if placeholders are restored', { timeout: slowLawMs }, async () => {
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        const { replace = [], restore = {} } = await judge(guardrail, 'redact-reversibly', text);
        const [redacted = ''] = replacedTexts([{ text }], replace);
        expect(new Restorer(Object.entries(restore)).text(redacted)).toBe(text);
      }),
      dearLawRuns,
    );
  });

  it('finds in some part of a stream what it finds in the whole', { timeout: slowLawMs }, async () => {
    const { overlap = 0 } = guardrail.parts?.({ ...toDefaults(guardrail) }) ?? {};
    const prose = 'and then we went on to the next town, where it rained. '.repeat(Math.ceil(overlap / 40));
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.nat(makers.length - 1), fc.nat(overlap), async (seed, index, cut) => {
        const { value = '', name = '{}' } = makers[index]?.(seeded(seed)) ?? {};
        const text = `${prose} ${name.includes('{}') ? name.replace('{}', value) : `${name}: ${value}`} ${prose}`;
        const end = Math.max(overlap + 1, prose.length - overlap / 2 + cut);
        const parts = [text.slice(0, end), text.slice(end - overlap)];
        fc.pre((await judge(guardrail, 'block', text)).pass === false);
        const verdicts = await Promise.all(parts.map((part) => judge(guardrail, 'block', part)));
        expect(verdicts.some(({ pass }) => !pass)).toBe(true);
      }),
      { ...dearLawRuns, numRuns: Math.min(dearLawRuns.numRuns, 200) },
    );
  });

  it('takes linear time on hostile texts of a quarter of a megabyte', { timeout: slowLawMs }, () => {
    expect(slowTexts(detect, 250_000)).toEqual([]);
  });
});
