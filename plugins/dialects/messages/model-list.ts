import type { ModelList } from '../../sdk/dialect/client-route.ts';

/** https://docs.anthropic.com/en/api/models-list, which uses the epoch for an unknown time. */
export const modelList: ModelList = {
  clientHeader: 'anthropic-version',
  encode: (models) => ({
    data: models.map(({ id }) => ({ type: 'model', id, display_name: id, created_at: '1970-01-01T00:00:00Z' })),
    first_id: models[0]?.id ?? null,
    has_more: false,
    last_id: models.at(-1)?.id ?? null,
  }),
};
