import { isUtf8 } from 'node:buffer';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readPlainBytes } from '../../../../runtime/engine/capabilities/plain-bytes.ts';
import {
  functionNeeds,
  hasPlainFunctions,
  isPlainRequest,
} from '../../../../runtime/engine/capabilities/plain-request.ts';
import { parsedObject } from '../../../../runtime/json-bodies/read/parsed-object.ts';
import type { Json, JsonObject } from '../../../../schema/json/json.ts';
import { findText } from '../../../../schema/json/loose.ts';
import { findMaxOutput } from '../../../../schema/usage/max-output.ts';
import { lawRuns } from '../../../support/run/law-runs.ts';

const isPlain = (body: JsonObject | undefined): boolean =>
  body !== undefined && (isPlainRequest(body) || hasPlainFunctions(body));

/** Everything that is read from a plain request to determine its needs. */
const facts = (body: JsonObject, hasFunctions: boolean): readonly unknown[] => [
  findText(body.model),
  body.stream === true,
  findMaxOutput(body),
  hasFunctions,
  hasFunctions && functionNeeds(body),
];

const compare = (bytes: Buffer): 'plain' | 'other' => {
  const whole = isUtf8(bytes) ? parsedObject(bytes.toString()) : undefined;
  const read = readPlainBytes(bytes);
  if (read === undefined || whole === undefined) {
    expect(read).toBeUndefined();
    return 'other';
  }
  expect(isPlain(whole)).toBe(true);
  expect(facts(read.body, read.hasFunctions)).toEqual(facts(whole, hasPlainFunctions(whole)));
  return 'plain';
};

const { value } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<Json>(
      null,
      true,
      false,
      0,
      300,
      1.5,
      -1,
      1e21,
      '',
      'Hi',
      'gpt-4o-mini',
      'a "quote" \\ \n ü',
      'x'.repeat(70),
    ),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('type', 'content', 'model', 'tools', '__proto__', 'ü'), tie('value'), { maxKeys: 3 }),
  ),
}));

const turn = fc.oneof(
  { weight: 6, arbitrary: fc.record({ role: fc.constantFrom('user', 'system'), content: fc.string() }) },
  fc.constant<JsonObject>({ role: 'assistant', content: null, tool_calls: [{ id: 'c' }] }),
  fc.record({ role: fc.constant('tool'), content: value, tool_call_id: fc.string() }),
  fc.dictionary(fc.constantFrom('role', 'content', 'name', 'tool_calls'), value),
  value,
);
const definition = { name: 'f', description: 'Finds.', parameters: { type: 'object', properties: { type: {} } } };
const tool = fc.oneof(
  { weight: 6, arbitrary: fc.constant<JsonObject>({ type: 'function', function: definition }) },
  fc.record({ type: fc.constantFrom('function', 'web_search'), function: value }),
  value,
);

const body: fc.Arbitrary<JsonObject> = fc.record(
  {
    model: fc.oneof(fc.constantFrom('gpt-4o-mini', 'mödel', 'm'.repeat(80)), value),
    messages: fc.oneof({ weight: 9, arbitrary: fc.array(turn, { maxLength: 3 }) }, value),
    tools: fc.oneof({ weight: 4, arbitrary: fc.array(tool, { maxLength: 3 }) }, value),
    tool_choice: value,
    parallel_tool_calls: fc.boolean(),
    stream: fc.oneof(fc.boolean(), value),
    max_tokens: fc.oneof(fc.nat(), value),
    max_completion_tokens: fc.oneof(fc.nat(), value),
    temperature: value,
    system: fc.oneof(fc.string(), value),
    metadata: value,
    n: fc.constant(2),
    thinking: value,
  },
  { requiredKeys: [] },
);
const likely = fc.record(
  { model: fc.constant('m'), messages: fc.array(turn, { maxLength: 3 }), tools: fc.array(tool), stream: fc.boolean() },
  { requiredKeys: ['messages'] },
);

describe('a plain request read from its bytes', () => {
  it('is recognised if and only if it is plain when parsed, and yields the same facts', () => {
    const found = { plain: 0, other: 0 };
    const law = fc.property(fc.oneof(body, likely), fc.constantFrom(undefined, 1), (given, indent) => {
      const bytes = Buffer.from(JSON.stringify(given, undefined, indent));
      const kind = compare(bytes);
      expect(kind).toBe(isPlain(parsedObject(bytes.toString())) ? 'plain' : 'other');
      found[kind] += 1;
    });
    fc.assert(law, lawRuns);
    expect(Math.min(found.plain, found.other)).toBeGreaterThan(lawRuns.numRuns / 20);
  });

  it('is recognised only if it is JSON within the limits, whatever the bytes are', () => {
    const bytesOf = fc.tuple(
      likely,
      fc.nat(),
      fc.constantFrom(...Buffer.from('{}[]":,\\n0\xff\x01 ', 'latin1')),
      fc.boolean(),
    );
    const law = fc.property(bytesOf, ([given, at, byte, isCut]) => {
      const bytes = Buffer.from(JSON.stringify(given));
      const offset = at % bytes.length;
      if (isCut) compare(bytes.subarray(0, offset));
      bytes[offset] = byte;
      compare(bytes);
    });
    fc.assert(law, { ...lawRuns, numRuns: lawRuns.numRuns * 3 });
    const nested = (levels: number): Buffer =>
      Buffer.from(`{"messages":[],"metadata":${'['.repeat(levels - 1)}"${'a'.repeat(2000)}"${']'.repeat(levels - 1)}}`);
    expect([compare(nested(1000)), compare(nested(1001))]).toEqual(['plain', 'other']);
    const many = (turns: number): Buffer =>
      Buffer.from(`{"messages":[${'{"content":""},'.repeat(turns)}{"content":""}],"user":"u"}`);
    // The object, two names, the list and the user, plus three for each turn.
    const most = (2_000_000 - 5) / 3;
    expect([compare(many(Math.floor(most) - 1)), compare(many(Math.floor(most)))]).toEqual(['plain', 'other']);
  });

  it('is parsed anew if its functions differ slightly from those of an earlier request', () => {
    const functions = Buffer.from(
      JSON.stringify(Array.from({ length: 12 }, () => ({ type: 'function', function: definition }))),
    );
    const asking = (list: Uint8Array): Buffer =>
      Buffer.concat([Buffer.from('{"messages":[],"tools":'), list, Buffer.from(',"user":"u"}')]);
    expect([compare(asking(functions)), compare(asking(functions))]).toEqual(['plain', 'plain']);
    const found = { plain: 0, other: 0 };
    for (let at = 0; at < functions.length; at += 1) {
      const changed = Buffer.from(functions);
      changed[at] = 0x22;
      compare(asking(functions));
      found[compare(asking(changed))] += 1;
      compare(asking(functions.subarray(0, at)));
      compare(asking(functions).subarray(0, at));
    }
    expect(found.other).toBeGreaterThan(functions.length / 2);
    // The values of a known list count like those of any other.
    const most = 2_000_000 - 7 - 12 * 16;
    const turnsBefore = (turns: number): Buffer =>
      Buffer.from(`{"messages":[${'{"content":""},'.repeat(turns)}{"content":""}],"tools":${functions},"user":"u"}`);
    const turns = Math.floor(most / 3);
    expect([compare(turnsBefore(turns - 40)), compare(turnsBefore(turns + 40))]).toEqual(['plain', 'other']);
  });

  it.each<[what: string, text: string, kind: 'plain' | 'other']>([
    ['a repeated model', '{"model":"a","messages":[],"model":"b"}', 'plain'],
    ['a repeated model, with an escape in its name', '{"model":"a","messages":[],"mod\\u0065l":"b"}', 'plain'],
    ['parts before a text', '{"messages":[{"content":[],"content":"a"}]}', 'other'],
    ['parts after a text', '{"messages":[{"content":"a","content":[]}]}', 'other'],
    ['parts after turns of text', '{"messages":[],"messages":[{"content":[]}]}', 'other'],
    ['parts, with an escape in their name', '{"messages":[{"content":"a","cont\\u0065nt":[]}]}', 'other'],
    ['another tool after functions', '{"messages":[],"tools":[{"type":"function"}],"tools":[{"type":"web"}]}', 'other'],
    ['another type after a function', '{"messages":[],"tools":[{"type":"function","type":"web"}]}', 'other'],
    ['a type with an escape', '{"messages":[],"tools":[{"type":"functi\\u006fn"}]}', 'plain'],
    ['a member named __proto__', '{"messages":[],"__proto__":{"tools":[]}}', 'other'],
    ['text after its end', '{"messages":[]}{"tools":[]}', 'other'],
    ['a comma at its end', '{"messages":[],}', 'other'],
    ['no members', '{}', 'other'],
    ['white space', ' {\n"messages" : [ {"content" : "a" , "role":"user" } ] } ', 'plain'],
  ])('is classified correctly with %s', (_what, text, kind) => {
    expect(compare(Buffer.from(text))).toBe(kind);
  });
});
