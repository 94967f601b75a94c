import type { ModelList } from '../../sdk/dialect.ts';

/** https://platform.openai.com/docs/api-reference/models/list. No plan knows when a model was made: the epoch stands in. */
export const modelList: ModelList = {
  encode: (models) => ({
    object: 'list',
    data: models.map(({ id, provider }) => ({ id, object: 'model', created: 0, owned_by: provider })),
  }),
};
