import type { ModelList } from '../../sdk/dialect/client-route.ts';

/** https://platform.openai.com/docs/api-reference/models/list. A plan does not know when a model was created, so the time is the epoch. */
export const modelList: ModelList = {
  encode: (models) => ({
    object: 'list',
    data: models.map(({ id, provider }) => ({ id, object: 'model', created: 0, owned_by: provider })),
  }),
};
