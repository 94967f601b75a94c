import { describe, expect, it } from 'vitest';
import { responses } from '../../../../../plugins/dialects/responses/responses.ts';
import type { Frame } from '../../../../../plugins/sdk/dialect/dialect.ts';
import type { JsonObject } from '../../../../../schema/json/json.ts';
import { fixture } from '../../support/fixture.ts';
import { toFrames } from '../../support/frames.ts';

const toClasses = (frames: readonly Frame[]): readonly string[] => frames.map((frame) => responses.classify(frame));
const readClass = (event: JsonObject): string => responses.classify({ data: JSON.stringify(event) });

describe('the class of a responses frame', () => {
  it('is correct at the start and at the end of a stream', () => {
    const classes = toClasses(toFrames(fixture('responses-reasoning-and-tools.sse')));
    expect(classes.slice(0, 5)).toEqual(['preamble', 'preamble', 'preamble', 'preamble', 'content']);
    expect(classes.at(-1)).toBe('end');
    expect(classes).not.toContain('error');
  });

  it('is "preamble" for empty reasoning, but "content" for a tool call', () => {
    const classes = toClasses(toFrames(fixture('responses-web-search.sse')));
    expect(classes.slice(0, 5)).toEqual(['preamble', 'preamble', 'preamble', 'preamble', 'content']);
    expect(classes.at(-1)).toBe('end');
  });

  it('is "error" if the event name or the type indicates one', () => {
    expect(toClasses(toFrames(fixture('responses-failed.sse')))).toEqual(['preamble', 'error', 'error']);
    expect(readClass({ type: 'error', message: 'x' })).toBe('error');
    expect(readClass({ error: { message: 'x' } })).toBe('error');
  });

  it('is the same with and without the event name, wherever the type is', () => {
    for (const name of ['responses-reasoning-and-tools.sse', 'responses-web-search.sse', 'responses-failed.sse']) {
      const frames = toFrames(fixture(name));
      const moved = frames.map(({ data }) => {
        const { type = '', ...rest } = JSON.parse(data) as JsonObject;
        return { data: JSON.stringify({ ...rest, type }, null, 1).replaceAll('\n', ' ') };
      });
      expect(toClasses(frames.map(({ data }) => ({ data })))).toEqual(toClasses(frames));
      expect(toClasses(moved)).toEqual(toClasses(frames));
    }
  });

  it.each<[string, JsonObject, string]>([
    ['an empty delta', { type: 'response.output_text.delta', delta: '' }, 'preamble'],
    ['a text that quotes an empty delta', { type: 'response.output_text.delta', delta: '"delta":""' }, 'content'],
    [
      'a text that quotes an end',
      { type: 'response.output_text.delta', delta: '"type":"response.completed"' },
      'content',
    ],
    ['a source', { type: 'response.output_text.annotation.added', annotation: {} }, 'content'],
    [
      'the beginning of a message',
      { type: 'response.output_item.added', item: { type: 'message', content: [] } },
      'preamble',
    ],
    ['the beginning of a call', { type: 'response.output_item.added', item: { type: 'function_call' } }, 'content'],
    ['a whole text in one event', { type: 'response.output_text.done', text: 'Hi' }, 'content'],
    ['an empty part', { type: 'response.content_part.added', part: { type: 'output_text', text: '' } }, 'preamble'],
    ['an incomplete response', { type: 'response.incomplete', response: {} }, 'end'],
    ['a search in progress', { type: 'response.web_search_call.searching' }, 'preamble'],
    ['an unknown event', { type: 'response.news' }, 'preamble'],
    ['an object without a type', { message: 'upstream said no' }, 'content'],
  ])('is correct for %s', (_what, event, kind) => {
    expect(readClass(event)).toBe(kind);
  });

  it('is "content" for text that is not JSON, and "preamble" for [DONE]', () => {
    expect(responses.classify({ data: 'upstream said no' })).toBe('content');
    expect(responses.classify({ data: '[DONE]' })).toBe('preamble');
  });

  it('relies on an error mark that every error contains', () => {
    const marks = [responses.errorMark ?? expect.unreachable()].flat();
    const nameless = { event: 'response.failed', data: '{"response":{}}' };
    for (const { event, data } of [...toFrames(fixture('responses-failed.sse')).slice(1), nameless])
      expect(marks.filter((mark) => `${event} ${data}`.includes(mark))).not.toEqual([]);
  });
});
