import { expect, it } from 'vitest';
import { shownDetail } from '../../../../plugins/control/logs/writer/retained-detail.ts';
import { toRecord } from '../../../../plugins/control/logs/writer/to-record.ts';
import { parseObject } from '../../../../schema/json/parse-json.ts';
import { rootPointer } from '../../../../schema/json/pointer.ts';

const at = { path: rootPointer, target: 'fast', attempt: 1 };
const usage = { kind: 'reported', model: 'm', input: { total: 9 }, output: { total: 8 } } as const;

it('a record shows the attempts and the trail of its request', () => {
  const trail = [
    { kind: 'chose', path: rootPointer, branch: 1 },
    { kind: 'attempted', ...at, status: 200, origin: 'upstream', key: 2, ms: { sent: 0.29, head: 1.13 } },
    { kind: 'settled', ...at, usage, finishReasons: ['stop'], ms: { end: 1.15 } },
  ] as const;
  const { detail } = toRecord({
    ...{ id: '01a1fcb4-d926-73c3-b749-2d95020dfb55', organisation: 'o', workspace: 'w', operation: 'converse' },
    line: { trace: 't', seed: 1, plan: null, route: 'POST /v1', status: 200, end: 'complete', ms: 1.5, trail },
    ...{ targets: { '': { id: 'fast', provider: 'openai', slug: 'main' } }, balanced: true, checks: [{ id: 'c' }] },
  });
  expect(shownDetail(parseObject(detail.detail))).toEqual({
    ...{ seed: 1, metadata: {}, checks: [{ id: 'c' }], trail },
    attempts: [
      {
        ...{ ...at, status: 200, origin: 'upstream', key: 2, slug: 'main', provider: 'openai' },
        ...{ sent_ms: 0.29, first_byte_ms: 1.13, last_byte_ms: 1.15 },
        usage: { kind: 'reported', model: 'm', input_tokens: 9, output_tokens: 8 },
      },
    ],
  });
});

it('a record shows the cause of each failed attempt, including the first, by the name that problems use', () => {
  const trail = [
    { kind: 'attempted', ...at, status: 500, origin: 'upstream' },
    { kind: 'attempted', ...at, attempt: 2, status: 502, origin: 'network', cause: 'connection-failed' },
    { kind: 'attempted', ...at, attempt: 3, status: 200, origin: 'upstream' },
  ] as const;
  const { detail } = toRecord({
    ...{ id: '01a1fcb4-d926-73c3-b749-2d95020dfb55', organisation: 'o', workspace: 'w', operation: 'converse' },
    line: { trace: 't', seed: 1, plan: null, route: 'POST /v1', status: 200, end: 'complete', ms: 1.5, trail },
    ...{ targets: {}, balanced: false, checks: [] },
  });
  const { attempts, trail: shown } = shownDetail(parseObject(detail.detail));
  expect(attempts).toEqual([
    { ...at, status: 500, origin: 'upstream', cause: 'upstream-500' },
    { ...at, attempt: 2, status: 502, origin: 'network', cause: 'connection-failed' },
    { ...at, attempt: 3, status: 200, origin: 'upstream' },
  ]);
  expect(shown).toEqual(trail);
});

it('a record shows the deadline that its request specified, so that the request can be replayed', () => {
  const { detail } = toRecord({
    ...{ id: '01a1fcb4-d926-73c3-b749-2d95020dfb55', organisation: 'o', workspace: 'w', operation: 'converse' },
    line: {
      ...{ trace: 't', seed: 1, plan: null, route: 'POST /v1', status: 408, end: 'complete', ms: 30, trail: [] },
      deadlineMs: 30,
    },
    ...{ targets: {}, balanced: false, checks: [] },
  });
  expect(shownDetail(parseObject(detail.detail))).toMatchObject({ deadline_ms: 30 });
});

it.each([
  { url: 'https://example.com', metadata: {} },
  { seed: 1, metadata: {}, attempts: [{ path: '' }], checks: [], trail: [{ kind: 'attempted' }] },
])('a record of another kind is shown as it was stored: %o', (detail) => {
  expect(shownDetail(detail)).toEqual(detail);
});
