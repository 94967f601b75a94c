import type { ModelList } from '../../sdk/dialect/client-route.ts';

/** https://ai.google.dev/api/models#method:-models.list */
export const modelList: ModelList = {
  clientHeader: 'x-goog-api-key',
  path: '/v1beta/models',
  encode: (models) => ({
    models: models.map(({ id }) => ({
      name: `models/${id}`,
      displayName: id,
      supportedGenerationMethods: ['generateContent', 'streamGenerateContent'],
    })),
  }),
};
