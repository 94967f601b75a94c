import type { ModelList } from '../../sdk/dialect/client-route.ts';

/**
 * https://platform.openai.com/docs/api-reference/models/list. The creation time is the epoch, because a plan does not know when a
 * model was created.
 */
export const modelList: ModelList = {
  encode: (models) => ({
    object: 'list',
    data: models.map(({ id, provider }) => ({ id, object: 'model', created: 0, owned_by: provider })),
  }),
};
