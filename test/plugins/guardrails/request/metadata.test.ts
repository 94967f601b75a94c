import { describe, it } from 'vitest';
import { requiredMetadataKeys } from '../../../../plugins/guardrails/request/required-metadata-keys.ts';
import { requiredMetadataPairs } from '../../../../plugins/guardrails/request/required-metadata-pairs.ts';
import { testGuardrail } from '../../../../plugins/testkit/test-guardrail.ts';

describe('default.requiredMetadataKeys', () => {
  const metadataKeys = ['team', 'user'];

  it('requires all, any or none of its keys', () =>
    testGuardrail(requiredMetadataKeys, [
      { parameters: { metadataKeys }, metadata: { team: 'a', user: '' }, verdict: 'pass' },
      { parameters: { metadataKeys }, metadata: { team: 'a' }, verdict: 'fail', data: { missingKeys: ['user'] } },
      { parameters: { metadataKeys, operator: 'any' }, metadata: { team: 'a' }, verdict: 'pass' },
      { parameters: { metadataKeys, operator: 'any' }, metadata: {}, verdict: 'fail' },
      { parameters: { metadataKeys, operator: 'none' }, metadata: { x: 1 }, verdict: 'pass' },
      { parameters: { metadataKeys, operator: 'none' }, metadata: { user: 'u' }, verdict: 'fail' },
      { parameters: { metadataKeys: ['toString'] }, metadata: {}, verdict: 'fail' },
    ]));

  it('rejects invalid parameters', () =>
    testGuardrail(requiredMetadataKeys, [
      { parameters: {}, verdict: 'refused' },
      { parameters: { metadataKeys: [] }, verdict: 'refused' },
      { parameters: { metadataKeys: 'team' }, verdict: 'refused' },
      { parameters: { metadataKeys, operator: 'some' }, verdict: 'refused' },
    ]));
});

describe('default.requiredMetadataKeyValuePairs', () => {
  const metadataPairs = { team: 'a', tier: ['gold', 'silver'] };

  it('requires all, any or none of its pairs', () =>
    testGuardrail(requiredMetadataPairs, [
      { parameters: { metadataPairs }, metadata: { team: 'a', tier: 'silver' }, verdict: 'pass' },
      {
        parameters: { metadataPairs },
        metadata: { team: 'a', tier: 'free' },
        verdict: 'fail',
        data: { missingKeys: ['tier'] },
      },
      { parameters: { metadataPairs, operator: 'any' }, metadata: { team: 'a' }, verdict: 'pass' },
      { parameters: { metadataPairs, operator: 'none' }, metadata: { team: 'b' }, verdict: 'pass' },
      { parameters: { metadataPairs, operator: 'none' }, metadata: { team: 'a' }, verdict: 'fail' },
      { parameters: { metadataPairs: { toString: 'x' } }, metadata: {}, verdict: 'fail' },
      { parameters: { metadataPairs: { beta: true, n: 3 } }, metadata: { beta: true, n: '3' }, verdict: 'pass' },
    ]));

  it('compares whole values, parts of values, or patterns', () =>
    testGuardrail(requiredMetadataPairs, [
      { parameters: { metadataPairs }, metadata: { team: 'ab', tier: 'gold' }, verdict: 'fail' },
      {
        parameters: { metadataPairs, matchType: 'contains' },
        metadata: { team: 'ab', tier: 'golden' },
        verdict: 'pass',
      },
      {
        parameters: { metadataPairs: { team: '^a\\d$' }, matchType: 'regex' },
        metadata: { team: 'a1' },
        verdict: 'pass',
      },
      {
        parameters: { metadataPairs: { team: '^a\\d$' }, matchType: 'regex' },
        metadata: { team: 'a12' },
        verdict: 'fail',
      },
    ]));

  it('rejects invalid parameters', () =>
    testGuardrail(requiredMetadataPairs, [
      { parameters: {}, verdict: 'refused' },
      { parameters: { metadataPairs: {} }, verdict: 'refused' },
      { parameters: { metadataPairs: { a: [] } }, verdict: 'refused' },
      { parameters: { metadataPairs: { a: null } }, verdict: 'refused' },
      { parameters: { metadataPairs: { a: '(' }, matchType: 'regex' }, verdict: 'refused' },
      { parameters: { metadataPairs, matchType: 'like' }, verdict: 'refused' },
    ]));
});
