import { describe, expect, it } from 'vitest';
import { MeasuredAttributes, maxSets } from '../../../../../plugins/telemetry/otlp/export/measured-attributes.ts';
import { sampleAttempt } from '../../../../support/telemetry/telemetry-records.ts';

const listed = new Map([
  ['gpt-4o', 'gpt-4o'],
  ['gpt-4o-preview-7', 'gpt-4o'],
]);
const create = () => new MeasuredAttributes(({ model }) => listed.get(model));

describe('the attributes of measurements', () => {
  it('name the models of plans and price lists, and call all others "other"', () => {
    const attributes = create();
    attributes.addModels(['our-model']);
    const named = ['our-model', 'gpt-4o', 'gpt-4o-preview-7', 'made-up', ''].map((model) => {
      const of = attributes.of(sampleAttempt({ askedModel: model, model, usage: null }));
      return [of['gen_ai.request.model'], of['gen_ai.response.model']];
    });
    expect(named).toEqual([
      ['our-model', 'our-model'],
      ['gpt-4o', 'gpt-4o'],
      ['gpt-4o', 'gpt-4o'],
      ['other', 'other'],
      [undefined, undefined],
    ]);
  });

  it('contain the failure of an attempt whose stream broke off', () => {
    const attributes = create();
    const broken = attributes.of(sampleAttempt({ askedModel: 'gpt-4o', streamFailure: 'stream-cut' }));
    expect(broken['error.type']).toBe('stream-cut');
    expect(attributes.of(sampleAttempt({ askedModel: 'gpt-4o' }))['error.type']).toBeUndefined();
  });

  it('are a single set for all models that callers make up', () => {
    const attributes = create();
    const sets = new Set(
      Array.from({ length: 1000 }, (_each, at) =>
        attributes.of(sampleAttempt({ askedModel: `m${at}`, model: `m${at}` })),
      ),
    );
    expect(sets.size).toBe(1);
  });

  it('are limited in number, whatever hosts and failures callers bring, without affecting plans', () => {
    const attributes = create();
    attributes.addModels(['our-model']);
    const seen = new Set<string>();
    const note = (members: Parameters<typeof sampleAttempt>[0]): object => {
      const of = attributes.of(sampleAttempt(members));
      seen.add(JSON.stringify(of));
      return of;
    };
    for (let at = 0; at < 5000; at += 1)
      note({
        isCallers: true,
        origin: `https://h${at}.example`,
        askedModel: 'gpt-4o',
        error: String(400 + (at % 199)),
      });
    // One more: the set for those without room.
    expect(seen.size).toBe(maxSets.callers + 1);
    expect(note({ isCallers: true, origin: 'https://late.example', askedModel: 'gpt-4o', error: '418' })).toEqual({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': 'other',
      'error.type': '_OTHER',
    });
    expect(note({ origin: 'https://own.example', askedModel: 'our-model', model: 'our-model' })).toMatchObject({
      'server.address': 'own.example',
      'gen_ai.request.model': 'our-model',
    });
    for (let at = 0; at < 5000; at += 1) note({ origin: `https://p${at}.example`, askedModel: 'our-model' });
    expect(seen.size).toBeLessThanOrEqual(maxSets.plans + maxSets.callers + 4);
  });

  it('remember at most a thousand model names from plans', () => {
    const attributes = create();
    attributes.addModels(Array.from({ length: 2000 }, (_each, at) => `plan-${at}`));
    const toModel = (askedModel: string) => attributes.of(sampleAttempt({ askedModel }))['gen_ai.request.model'];
    expect([toModel('plan-999'), toModel('plan-1000')]).toEqual(['plan-999', 'other']);
  });
});
