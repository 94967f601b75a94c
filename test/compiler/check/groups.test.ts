import { describe, expect, it } from 'vitest';
import { toCodes } from '../../support/plans/compiled.ts';

const target = { provider: '@openai-prod' };
const other = { provider: '@azure-prod' };
const model = { override_params: { model: '@openai-prod/gpt-4o' } };

describe('a config with only half of a group', () => {
  it.each([
    [{ targets: [target] }, ['missing-strategy']],
    [{ targets: [] }, ['missing-strategy']],
    [{ targets: [target], ...model }, ['missing-strategy']],
    [{ strategy: { mode: 'fallback' } }, ['missing-targets']],
    [{ strategy: { mode: 'fallback' }, targets: [] }, ['missing-targets']],
    [{ strategy: { mode: 'fallback' }, targets: [{ strategy: { mode: 'loadbalance' } }, other] }, ['missing-targets']],
    [{ strategy: { mode: 'fallback' }, targets: [{ targets: [target] }, other] }, ['missing-strategy']],
    [{ strategy: { mode: 'single' } }, ['no-valid-combination']],
    [{ strategy: { mode: 'fallback' }, targets: [{ strategy: { mode: 'single' } }] }, ['no-valid-combination']],
    [{ strategy: { mode: 'falback' } }, ['not-in-list']],
    [{ strategy: { mode: 'falback', on_status_codes: [429] }, targets: [target, other] }, ['not-in-list']],
    [{ strategy: 'fallback' }, ['wrong-type']],
  ])('%j is reported once', (config, codes) => {
    expect(toCodes(config as never)).toEqual(codes);
  });

  it('gets no advice to remove its provider, because the strategy may be the leftover', () => {
    expect(toCodes({ ...target, strategy: { mode: 'fallback' } })).toEqual(['missing-targets']);
    expect(toCodes({ ...target, strategy: { mode: 'fallback' }, targets: [target, other] })).toEqual(['no-effect']);
  });
});
