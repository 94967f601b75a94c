import type { ModelList } from '../../sdk/dialect.ts';

/** https://ai.google.dev/api/models#method:-models.list */
export const modelList: ModelList = {
  clientHeader: 'x-goog-api-key',
  encode: (models) => ({
    models: models.map(({ id }) => ({
      name: `models/${id}`,
      displayName: id,
      supportedGenerationMethods: ['generateContent', 'streamGenerateContent'],
    })),
  }),
};
