import type { ModelList } from '../../sdk/dialect/client-route.ts';

/**
 * https://docs.cohere.com/reference/list-models. The vendor's libraries identify themselves in a header of their code generator.
 */
export const modelList: ModelList = {
  clientHeader: 'x-fern-sdk-name',
  clientMark: 'cohere',
  encode: (models) => ({
    models: models.map(({ id }) => ({ name: id, is_deprecated: false, endpoints: ['chat'], finetuned: false })),
  }),
};
