import { expect, it } from 'vitest';
import {
  maxOverheadSets,
  OverheadAttributes,
} from '../../../../../plugins/telemetry/otlp/export/overhead-attributes.ts';
import type { OverheadRecord } from '../../../../../plugins/telemetry/otlp/records/records.ts';

const record = (plan: string): OverheadRecord => ({ kind: 'overhead', plan, endpoint: 'chat', ms: 1 });

it("the attributes of the gateway's own time are limited in number, and the first ones stay", () => {
  const attributes = new OverheadAttributes();
  const made = Array.from({ length: maxOverheadSets + 10 }, (_, at) => attributes.of(record(`plan-${at}`)));
  expect(new Set(made).size).toBe(maxOverheadSets + 1);
  expect(made.at(-1)).toEqual({ 'gatewright.plan': '(other)', 'gatewright.endpoint': '(other)' });
  expect(attributes.of(record('plan-0'))).toBe(made[0]);
  expect(made[0]).toEqual({ 'gatewright.plan': 'plan-0', 'gatewright.endpoint': 'chat' });
});
