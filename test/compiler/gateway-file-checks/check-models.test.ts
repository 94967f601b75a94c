import { describe, expect, it } from 'vitest';
import { checkModels } from '../../../compiler/gateway-file-checks/check-models.ts';
import { nothingSaved, type Saved } from '../../../schema/config/saved.ts';
import { testCatalogue as catalogue } from '../../support/plans/catalogue.ts';

const credential = { api_key: '${env:KEY}' };

const found = (models: Readonly<Record<string, string>>, providers: Saved['providers']): readonly string[] =>
  checkModels(models, { saved: { ...nothingSaved, providers }, catalogue }).map(
    ({ code, pointer }) => `${pointer} ${code}`,
  );

describe('a virtual model of a saved provider', () => {
  it.each([
    ['does not exist', { provider: 'coher', credential }],
    ['lacks its credential', { provider: 'cohere' }],
    ['has an invalid address', { provider: 'cohere', credential, settings: { custom_host: 'nowhere' } }],
  ])('has no error of its own if the provider %s', (_, cohere) => {
    expect(found({ ranker: '@cohere/rerank-v3.5' }, { cohere })).toEqual([]);
  });

  it('has an error if only the slug is misspelt', () => {
    expect(found({ ranker: '@coher/rerank-v3.5' }, { cohere: { provider: 'cohere', credential } })).toEqual([
      '/models/ranker unknown-saved-provider',
    ]);
  });
});
