import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../../schema/json/json.ts';
import { findNumber } from '../../../../../schema/json/loose.ts';
import { chatCodec, here, messagesCodec } from '../../support/codecs.ts';

/** Parses a body as the gateway does. */
const parsed = (text: string): JsonObject => JSON.parse(text) as JsonObject;

describe('a number that JavaScript cannot hold', () => {
  it('is rejected in a request', () => {
    const text = '{"model":"m","temperature":1e999,"messages":[{"role":"user","content":"Hi"}]}';
    expect(() => chatCodec.decodeRequest(parsed(text), here)).toThrow('temperature must be a number');
  });

  it('counts as absent in an answer', () => {
    const answer =
      '{"id":"a","model":"m","choices":[],"created":1e999,"usage":{"prompt_tokens":1e999,"completion_tokens":2}}';
    expect(chatCodec.decodeAnswer(parsed(answer), here)).toMatchObject({ usage: { input: 0, output: 2 } });
    expect(chatCodec.decodeAnswer(parsed(answer), here)).not.toHaveProperty('created');
    const uncounted = '{"id":"a","model":"m","choices":[],"usage":{"prompt_tokens":1e999}}';
    expect(chatCodec.decodeAnswer(parsed(uncounted), here)).not.toHaveProperty('usage');
    const calls =
      '{"content":[],"usage":{"input_tokens":1,"output_tokens":1,"server_tool_use":{"web_search_requests":1e999,"web_fetch_requests":2}}}';
    expect(messagesCodec.decodeAnswer(parsed(calls), here).usage?.calls).toEqual({ web_fetch: 2 });
  });

  it('is ignored, like every number beyond the range of exact integers', () => {
    const texts = ['1', '-9007199254740991', '9007199254740992', '1e308', '-1e999', '"1"', 'null'];
    const read = texts.map((text) => findNumber(JSON.parse(text)));
    expect(read).toEqual([1, -9007199254740991, undefined, undefined, undefined, undefined, undefined]);
  });
});
