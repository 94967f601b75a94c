import { describe, expect, it } from 'vitest';
import { parseObject } from '../../schema/json/parse-json.ts';
import { framesOfRecording, isThere, streamed, whole } from './recorded.ts';

const withTables = new Set(['messages', 'gemini', 'converse', 'cohere']);
const listed = ({ dialect }: { readonly dialect: { readonly id: string } }): boolean => withTables.has(dialect.id);

describe('recorded traffic of dialects with tables of their members (skipped if there are no recordings)', () => {
  it.runIf(isThere)('contains streams and whole answers', () => {
    expect(streamed.filter(listed).length).toBeGreaterThan(0);
    expect(whole.filter(listed).length).toBeGreaterThan(0);
  });

  it.each(streamed.filter(listed).map((recording) => [recording.name, recording] as const))(
    '%s has no members that the table of its dialect does not list',
    (_name, recording) => {
      for (const frame of framesOfRecording(recording))
        expect([frame.data, recording.dialect.frameTexts?.(frame)?.unreported]).toEqual([frame.data, []]);
    },
  );

  it.each(whole.filter(listed).map((recording) => [recording.name, recording] as const))(
    '%s is parsed, and every part has a known kind',
    (_name, { dialect, text }) => {
      const spans = dialect.texts?.(parseObject(text) ?? {}, 'output');
      expect(spans).toBeDefined();
      expect(spans?.filter(({ kind }) => kind === 'other')).toEqual([]);
    },
  );
});
