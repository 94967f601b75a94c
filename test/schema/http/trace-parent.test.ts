import { describe, expect, it } from 'vitest';
import { readTraceParent } from '../../../schema/http/trace-parent.ts';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const spanId = 'b7ad6b7169203331';
const ids = `${traceId}-${spanId}`;

describe('a traceparent', () => {
  it.each([
    [`00-${ids}-01`, true],
    [`00-${ids}-00`, false],
    [`00-${ids}-ff`, true],
    [`01-${ids}-02`, false],
    [`cc-${ids}-01-what later versions add`, true],
    [`fe-${ids}-01-`, true],
  ])('%s is valid', (text, sampled) => {
    expect(readTraceParent(text)).toEqual({ traceId, spanId, sampled });
  });

  it.each([
    '',
    '00',
    `00-${ids}`,
    `00-${ids}-0`,
    `00-${ids}-01-`,
    `00-${ids}-01 `,
    `01-${ids}-01x`,
    `ff-${ids}-01`,
    `00-${ids}-0G`,
    `00-${ids.toUpperCase()}-01`,
    `00-${'0'.repeat(32)}-${spanId}-01`,
    `00-${traceId}-${'0'.repeat(16)}-01`,
    `00_${ids}-01`,
    `00-${ids}-01-${'x'.repeat(100_000)}`,
  ])('%.60s is invalid', (text) => {
    expect(readTraceParent(text)).toBeUndefined();
  });
});
