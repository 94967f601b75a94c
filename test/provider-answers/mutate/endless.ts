import { isJsonObject, type Json } from '../../../schema/json/json.ts';
import { parseJson } from '../../../schema/json/parse-json.ts';
import type { Random } from '../../fuzz/support/random.ts';
import type { ScriptedAnswer } from '../../support/servers/upstream-server.ts';

/** The names under which lists refer to their next page. */
const names = ['next_page_token', 'nextPageToken', 'last_id', 'after'];

/** Returns a list that always has another page: either the same one, or one that has not occurred before. */
export const endless = (answer: ScriptedAnswer, random: Random): ScriptedAnswer => {
  const text = String(answer.body ?? '');
  const token = random.pick(['again', `page-${random.word()}`]);
  if (text.includes('</ListBucketResult>')) {
    const next = `<NextContinuationToken>${token}</NextContinuationToken></ListBucketResult>`;
    return { ...answer, body: text.replace('</ListBucketResult>', next) };
  }
  const value = parseJson(text);
  if (!isJsonObject(value) || !Object.values(value).some(Array.isArray)) return answer;
  const more = [[], [{ id: token }], [{ id: token, name: token }]];
  const lists = Object.entries(value).map(([name, member]): [string, Json] => [
    name,
    Array.isArray(member) && random.oneIn(2) ? random.pick<readonly Json[]>(more) : member,
  ]);
  const next = Object.fromEntries(names.map((name) => [name, token]));
  return { ...answer, body: JSON.stringify({ ...Object.fromEntries(lists), ...next, has_more: true }) };
};
