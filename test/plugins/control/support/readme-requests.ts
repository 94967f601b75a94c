import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { isJsonObject, type Json } from '../../../../schema/json/json.ts';
import { readFences } from '../../../support/readme/read-fences.ts';

type Ask = (
  path: string,
  asked: { readonly method: string; readonly json?: object },
) => Promise<{ readonly body: unknown }>;

/** Returns the value with a matcher for any text in place of each "…". */
const asExpected = (value: Json): unknown => {
  if (value === '…') return expect.any(String);
  if (Array.isArray(value)) return value.map(asExpected);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, asExpected(member)]));
};

/** Sends the requests in the README of a folder of the control plane, and compares each answer with the one shown below it. */
export const expectAnswers = async (area: string, ask: Ask): Promise<void> => {
  const file = new URL(`../../../../plugins/control/${area}/README.md`, import.meta.url);
  const fences = readFences(readFileSync(file, 'utf8')).filter(({ language }) => ['http', 'json'].includes(language));
  const requests = fences.filter(({ language }) => language === 'http');
  expect(requests.length).toBeGreaterThan(0);
  for (const request of requests) {
    const [line = '', ...rest] = request.text.trim().split('\n');
    const [method = '', path = ''] = line.split(' ');
    const json = rest.length === 0 ? {} : { json: JSON.parse(rest.join('\n')) };
    const { body } = await ask(path.replace('/v1', ''), { method, ...json });
    expect(body).toEqual(asExpected(JSON.parse(fences[fences.indexOf(request) + 1]?.text ?? '')));
  }
};
