import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { isJsonObject, type Json } from '../../../../../schema/json/json.ts';
import { readFences } from '../../../../support/readme/read-fences.ts';
import { policyWorld } from './support.ts';

/** The value with any text where the example has "…". */
const asExpected = (value: Json): unknown => {
  if (value === '…') return expect.any(String);
  if (Array.isArray(value)) return value.map(asExpected);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, asExpected(member)]));
};

it('the requests in the README are answered as it says', async () => {
  const markdown = readFileSync(
    new URL('../../../../../plugins/control/metering/policies/README.md', import.meta.url),
    'utf8',
  );
  const fences = readFences(markdown).filter(({ language }) => ['http', 'json'].includes(language));
  await using world = await policyWorld();
  expect(fences).toHaveLength(4);
  for (const [at, { language, text }] of fences.entries()) {
    if (language !== 'http') continue;
    const [line = '', ...rest] = text.trim().split('\n');
    const [method = '', path = ''] = line.split(' ');
    const { body } = await world.ask(path.replace('/v1', ''), { method, json: JSON.parse(rest.join('\n')) });
    expect(body).toEqual(asExpected(JSON.parse(fences[at + 1]?.text ?? '')));
  }
});
