import { expect, it } from 'vitest';
import { type NoteValues, noteOfValues, noteValues } from '../../../../plugins/control/logs/record/note-values.ts';
import type { NotedRequest } from '../../../../plugins/control/logs/record/noted-request.ts';
import { rootPointer } from '../../../../schema/pointer.ts';
import type { UsageRecord } from '../../../../schema/usage-record.ts';

const usage: UsageRecord = {
  ...{ kind: 'reported', model: 'm', tier: 'flex' },
  input: { total: 9, cacheRead: 4, cacheWrite: { '5m': 1 }, audio: 2, image: 3 },
  output: { total: 8, reasoning: 5, audio: 1, image: 2 },
  ...{ cacheHitRate: 0.5, calls: { search: 1 }, cost: { nanoUsd: 7, prices: 'genai-prices' } },
};

const path = rootPointer;
const at = { path, target: 'openai', attempt: 1 };

const full: NotedRequest = {
  ...{ id: 'i', organisation: 'o', workspace: 'w', operation: 'converse' },
  line: {
    ...{ trace: 't', seed: 1, plan: 'p@1', route: 'POST /v1', status: 200, end: 'complete', ms: 1.5 },
    ...{ cause: 'conflict', once: true, stream: true, empty: true, key: 'k', metadata: { team: 'red' } },
    trail: [
      { kind: 'chose', path, branch: 1 },
      { kind: 'attempted', ...at, status: 200, origin: 'upstream', ms: { sent: 0.5, head: 1.25 } },
      { kind: 'settled', ...at, usage, finishReasons: ['stop'], ms: { end: 1.5 } },
    ],
  },
  problem: { cause: 'conflict', hint: 'h' },
  config: 'p',
  leaf: { path, provider: 'openai', retries: 0, cache: 'DISABLED' },
  ...{ targets: { '': { id: 'openai', provider: 'openai' } }, balanced: true },
  ...{ prompt: 'greeting', requestedModel: 'm', checks: [{ id: 'c' }], headers: { 'x-team': 'red' }, error: 'e' },
};

const least: NotedRequest = {
  ...{ id: 'i', organisation: 'o', workspace: 'w', operation: 'opaque' },
  line: {
    ...{ trace: 't', seed: 1, plan: null, route: 'GET /', status: 502, end: 'failed', ms: 0 },
    trail: [
      { kind: 'attempted', ...at, status: 502, origin: 'network', ms: { sent: 0.5 } },
      { kind: 'attempted', ...at, status: 502, origin: 'network' },
      { kind: 'settled', ...at, usage: { kind: 'none', model: '', input: { total: 0 }, output: { total: 0 } } },
    ],
  },
  ...{ targets: {}, balanced: false, checks: [] },
};

it.each([{ full }, { least }])('a note is the same when it is read again: %o', (notes) => {
  for (const note of Object.values(notes)) {
    const written: NoteValues = JSON.parse(JSON.stringify(noteValues(note)));
    expect(JSON.parse(JSON.stringify(noteOfValues(written)))).toEqual(JSON.parse(JSON.stringify(note)));
  }
});
