import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { isJsonObject, type Json } from '../../../../../schema/json/json.ts';
import { readFences } from '../../../../support/readme/read-fences.ts';
import { startPlaces } from '../../support/place-world.ts';

/** The value with any text where the example has "…". */
const asExpected = (value: Json): unknown => {
  if (value === '…') return expect.any(String);
  if (Array.isArray(value)) return value.map(asExpected);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, asExpected(member)]));
};

it.each(['keys', 'workspaces'])('the requests in the README of %s are answered as it says', async (name) => {
  const file = new URL(`../../../../../plugins/control/access/${name}/README.md`, import.meta.url);
  const fences = readFences(readFileSync(file, 'utf8')).filter(({ language }) => ['http', 'json'].includes(language));
  await using world = await startPlaces();
  expect(fences.length).toBeGreaterThan(0);
  for (const [at, { language, text }] of fences.entries()) {
    if (language !== 'http') continue;
    const [line = '', ...rest] = text.trim().split('\n');
    const [method = '', path = ''] = line.split(' ');
    const json = rest.length === 0 ? {} : { json: JSON.parse(rest.join('\n')) };
    const { body } = await world.as(world.admin)(path.replace('/v1', ''), { method, ...json });
    expect(body).toEqual(asExpected(JSON.parse(fences[at + 1]?.text ?? '')));
  }
});
