import { describe, expect, it } from 'vitest';
import { builtinDialects } from '../../../../plugins/dialects/builtin-dialects.ts';
import { promptPrefix } from '../../../../runtime/engine/load-balancing/prompt-prefix.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { operationSamples } from '../../../operations-table/samples.ts';

/** The dialects in which clients converse. */
const conversing = builtinDialects.filter(
  ({ id, operation }) => operation === 'converse' && operationSamples[id] !== undefined,
);

const bodyOf = (dialect: string, text: string): JsonObject => operationSamples[dialect]?.request(text) as JsonObject;

/** The same conversation at a later time, with turns added to its list. */
const later = (body: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(body).map(([member, value]) => {
      if (member === 'input' && typeof value === 'string')
        return [member, [{ role: 'user', content: [{ type: 'input_text', text: value }] }, { role: 'assistant' }]];
      return [member, Array.isArray(value) ? [...value, { role: 'assistant', content: 'Yes.' }] : value];
    }),
  );

describe('promptPrefix', () => {
  it.each(conversing)(
    'is the same for a conversation of $id as it continues, and differs for another one',
    ({ id }) => {
      const prefix = promptPrefix(bodyOf(id, 'Which bridge is it?'));
      expect(prefix).toContain('Which bridge is it?');
      expect(promptPrefix(later(bodyOf(id, 'Which bridge is it?')))).toBe(prefix);
      expect(promptPrefix(bodyOf(id, 'Which tower is it?'))).not.toBe(prefix);
    },
  );

  it('contains the system prompt but not the position of a cache hint', () => {
    const ask = (system: string, hint: object): JsonObject => ({
      system,
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi', ...hint }] }],
    });
    const prefix = promptPrefix(ask('Be kind.', {}));
    expect(promptPrefix(ask('Be kind.', { cache_control: { type: 'ephemeral' } }))).toBe(prefix);
    expect(promptPrefix(ask('Be brief.', {}))).not.toBe(prefix);
  });

  it('ends with the first turn of the user', () => {
    const turns = (...more: readonly JsonObject[]): JsonObject => ({
      messages: [{ role: 'system', content: 'S' }, { role: 'user', content: 'U' }, ...more],
    });
    expect(promptPrefix(turns({ role: 'user', content: 'V' }))).toBe(promptPrefix(turns()));
  });

  it('is undefined if there are no turns', () => {
    expect(promptPrefix({ query: 'q', documents: ['d'] })).toBeUndefined();
  });

  it.each(['system', 'instructions', 'systemInstruction', 'system_instruction'])(
    'contains the system prompt in %s, before the turns',
    (member) => {
      const body = { [member]: 'Be kind.', contents: [{ parts: [{ text: 'Hi' }] }] };
      expect(promptPrefix(body)).toBe('8 Be kind.2 Hi');
    },
  );

  it.each<[string, JsonObject]>([
    ['a string', { input: 'Hi' }],
    ['a turn without a role', { contents: [{ parts: [{ text: 'Hi' }] }, { parts: [{ text: 'Ho' }] }] }],
    [
      'a turn of the user',
      {
        messages: [
          { role: 'user', content: 'Hi' },
          { role: 'user', content: 'Ho' },
        ],
      },
    ],
    ['a list of texts', { input: ['Hi'] }],
    [
      'a turn with marks',
      { messages: [{ role: 'user', id: 'a', status: 'b', cachePoint: { c: 'd' }, content: 'Hi' }] },
    ],
    ['a turn with other values', { messages: [{ role: 'user', content: [null, 1, true, { text: 'Hi', of: null }] }] }],
    ['the first of several members', { messages: 'Hi', input: 'Ho', contents: 'Hu' }],
    ['the second if there is no first', { input: 'Hi', contents: 'Hu' }],
  ])('contains the texts of the first turn: %s', (_, body) => {
    expect(promptPrefix(body)).toBe('2 Hi');
  });

  it('contains all turns if none is of the user', () => {
    const messages = [{ role: 'system', content: 'S' }, { role: 'assistant', content: 'A' }, 'text'];
    expect(promptPrefix({ messages })).toBe('1 S1 A4 text');
  });

  it('differs if the same letters are divided otherwise', () => {
    const ask = (...content: readonly string[]): JsonObject => ({ messages: [{ role: 'user', content }] });
    const all = [ask('ab', 'c'), ask('a', 'bc'), ask('abc'), ask('a', 'b', 'c'), ask('2 ab1 c')].map(promptPrefix);
    expect(new Set(all).size).toBe(all.length);
  });
});
