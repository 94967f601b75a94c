import { describe, expect, it } from 'vitest';
import { howToContinue } from '../../../../plugins/sdk/models/how-to-continue.ts';

const asked = { provider: 'anthropic', dialect: 'messages', reasons: false } as const;

describe('a model that should continue an answer', () => {
  it.each([
    'claude-2.1',
    'claude-instant-1.2',
    'claude-3-haiku-20240307',
    'claude-3-7-sonnet-latest',
    'claude-sonnet-4-20250514',
    'claude-opus-4-1-20250805',
    'claude-opus-4-1',
    'claude-haiku-4-5@20251001',
    'us.anthropic.claude-sonnet-4-5-20250929-v1:0',
  ])('is prefilled: %s', (model) => {
    expect(howToContinue({ ...asked, model })).toBe('prefill');
    expect(howToContinue({ ...asked, provider: 'bedrock', dialect: 'converse', model })).toBe('prefill');
    expect(howToContinue({ ...asked, model, reasons: true })).toBe('ask');
    expect(howToContinue({ ...asked, provider: 'openrouter', dialect: 'chat', model })).toBe('ask');
  });

  it.each([
    'claude-opus-4-6',
    'claude-opus-4-6-v1',
    'us.anthropic.claude-opus-4-6-v1',
    'claude-sonnet-4-6-20260110',
    'claude-opus-4-10',
    'claude-sonnet-5',
    'claude-sonnet-5-5',
    'gpt-5.5',
    undefined,
  ])('is asked in a message: %s', (model) => {
    expect(howToContinue({ ...asked, model })).toBe('ask');
  });

  it('gets a prefix message if the provider is Mistral', () => {
    const mistral = { provider: 'mistral-ai', dialect: 'chat', model: 'mistral-large-latest', reasons: false };
    expect(howToContinue(mistral)).toBe('prefix');
    expect(howToContinue({ ...mistral, provider: 'openai' })).toBe('ask');
  });
});
