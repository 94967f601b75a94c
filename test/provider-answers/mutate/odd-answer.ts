import { parseJson } from '../../../schema/json/parse-json.ts';
import { mutateBytes } from '../../fuzz/mutate/bytes.ts';
import { mutateJson, type Pool } from '../../fuzz/mutate/json.ts';
import { oddText } from '../../fuzz/mutate/text.ts';
import { writeOdd } from '../../fuzz/mutate/values.ts';
import type { Random } from '../../fuzz/support/random.ts';
import type { ScriptedAnswer } from '../../support/servers/upstream-server.ts';

/** Changes the answer of a provider. */
export type Fault = (answer: ScriptedAnswer, random: Random, pool: Pool) => ScriptedAnswer;

const json = { 'content-type': 'application/json' };

const bytesOf = ({ body = '' }: ScriptedAnswer): Buffer => Buffer.from(body);

const page = '<!doctype html><html><head><title>Sign in</title></head><body>Please sign in.</body></html>';

/** Answers from which nothing can be learned. What is stored afterwards must be as if there had been no answer. */
export const unreadable: Readonly<Record<string, Fault>> = {
  'a page': () => ({ headers: { 'content-type': 'text/html' }, body: page }),
  'a page that fails': (_, random) => ({
    ...{ status: random.pick([500, 502, 503, 521, 599]), headers: { 'content-type': 'text/html' }, body: page },
  }),
  'no content': () => ({ status: 204 }),
  'an empty body': (_, random) => ({ headers: json, body: random.pick(['', ' ', '\n']) }),
  'a list': () => ({ headers: json, body: '[]' }),
  null: () => ({ headers: json, body: 'null' }),
  'a redirect': (_, random) => ({
    status: random.pick([301, 302, 307, 308]),
    headers: { location: random.pick(['/elsewhere', 'https://example.com/', '//', '']) },
  }),
  'a refusal': (_, random) => ({
    ...{ status: random.pick([400, 401, 403, 409, 418, 422, 429, 451]), headers: json },
    body: random.pick(['{"error":null}', '{"error":{"message":[1],"code":{"toString":[1]}}}', '{"message":{}}', '{']),
  }),
  'a text that breaks off': (answer, random) => {
    const bytes = bytesOf(answer);
    const parsed = parseJson(bytes.toString());
    return parsed === undefined || typeof parsed !== 'object'
      ? { headers: json, body: '{"id":' }
      : { ...answer, body: bytes.subarray(0, 1 + random.below(Math.max(bytes.length - 2, 1))) };
  },
  'a connection that breaks off': (answer, random) => ({ ...answer, cutAfter: random.below(120) }),
};

const mutatedJson: Fault = (answer, random, pool) => {
  const value = parseJson(bytesOf(answer).toString());
  if (value === undefined) return { ...answer, body: oddText(bytesOf(answer).toString(), random) };
  return { ...answer, body: writeOdd(mutateJson(value, random, pool)) };
};

const someLines = (lines: readonly string[], random: Random, pool: Pool): readonly string[] => {
  const at = random.below(lines.length);
  const line = lines[at] ?? '';
  const value = parseJson(line);
  switch (random.below(8)) {
    case 0:
      return lines.toSpliced(at, 0, line);
    case 1:
      return lines.toSpliced(at, 1, oddText(line, random));
    case 2:
      return lines.toSpliced(at, 0, '\n'.repeat(10_000));
    case 3:
      return lines.toSpliced(at, 1, random.pick(['null', '[]', '{}', '0', '"x"', '{"custom_id":null}']));
    default:
      return value === undefined ? lines : lines.with(at, writeOdd(mutateJson(value, random, pool)));
  }
};

/** Texts of XML elements, and references to characters that do not exist. */
const xmlTexts = ['&#9999999;', '&#xffffff;', '&#xd800;', '&constructor;', '../other/x.jsonl', '..', '\n', '', 'a%00b'];

const mutatedXml = (text: string, random: Random): string => {
  const elements = [...text.matchAll(/>([^<]+)</g)];
  if (elements.length === 0 || random.oneIn(3)) return oddText(text, random);
  const { index, 1: found = '' } = random.pick(elements);
  return text.slice(0, index + 1) + random.pick(xmlTexts) + text.slice(index + 1 + found.length);
};

const isXml = (text: string): boolean => text.startsWith('<');

/** Readable answers in which something is wrong. */
export const wrong: Readonly<Record<string, Fault>> = {
  'values that are wrong': (answer, random, pool) => {
    const text = bytesOf(answer).toString();
    if (isXml(text)) return { ...answer, body: mutatedXml(text, random) };
    const lines = text.split('\n').filter((line) => line !== '');
    if (lines.length > 1) return { ...answer, body: someLines(lines, random, pool).join('\n') };
    return mutatedJson(answer, random, pool);
  },
  'bytes that are wrong': (answer, random, pool) => ({
    ...answer,
    body: mutateBytes(bytesOf(answer), Buffer.from(JSON.stringify(pool.donor(random))), random),
  }),
  'the answer to another request': (answer, random, pool) => ({ ...answer, body: writeOdd(pool.donor(random)) }),
  'the answer twice': (answer) => ({ ...answer, body: Buffer.concat([bytesOf(answer), bytesOf(answer)]) }),
  'odd headers': (answer, random) => ({
    ...answer,
    headers: random.pick<NonNullable<ScriptedAnswer['headers']>>([
      {},
      { 'content-type': '' },
      { 'content-type': 'application/json; charset=utf-16' },
      { 'x-request-id': 'ä\u00ff', 'retry-after': '-1' },
      { 'content-encoding': 'gzip' },
      { etag: '"', 'content-range': 'bytes */*', 'last-modified': 'never' },
      { 'x-amz-meta-gatewright': Buffer.from('{"model":{},"endpoint":{"toString":1}}').toString('base64url') },
      { 'x-goog-meta-gatewright': 'bnVsbA' },
    ]),
  }),
  'another status': (answer, random) => ({ ...answer, status: random.pick([201, 202, 206, 299]) }),
};
