import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../schema/json/json.ts';
import { findAskedTier, findMaxOutput } from '../../../schema/usage/max-output.ts';

describe('the maximum output of a request', () => {
  it.each<[JsonObject, number | undefined]>([
    [{ max_tokens: 10 }, 10],
    [{ max_tokens: 10, max_completion_tokens: 7 }, 7],
    [{ max_output_tokens: 9 }, 9],
    [{ generationConfig: { maxOutputTokens: 5, candidateCount: 2 } }, 10],
    [{ inferenceConfig: { maxTokens: 8 } }, 8],
    [{ max_tokens: 10, n: 3 }, 30],
    [{ max_tokens: 10, n: 0 }, 10],
    [{ max_tokens: 0 }, 0],
    [{ max_tokens: '10', max_output_tokens: -1, generationConfig: null, n: 2 }, undefined],
    [{}, undefined],
  ])('with %j is %s', (body, most) => expect(findMaxOutput(body)).toBe(most));
});

describe('the service tier that a request asks for', () => {
  it.each<[JsonObject, string | undefined]>([
    [{ service_tier: 'priority' }, 'priority'],
    [{ serviceTier: 'FLEX' }, 'flex'],
    [{ serviceTier: { type: 'priority' } }, 'priority'],
    [{ service_tier: 5 }, undefined],
    [{ service_tier: 'x'.repeat(41) }, undefined],
    [{ service_tier: '' }, undefined],
    [{}, undefined],
  ])('with %j is %s', (body, tier) => expect(findAskedTier(body)).toBe(tier));
});
