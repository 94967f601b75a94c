import type { ModelList } from '../../sdk/dialect/client-route.ts';

/**
 * https://docs.mistral.ai/api/endpoint/models. The vendor's libraries identify themselves in `user-agent`, and require the `type`
 * and capabilities of each model. A plan knows only that its models are called for chats.
 */
export const mistralModelList: ModelList = {
  clientHeader: 'user-agent',
  clientMark: 'mistral',
  encode: (models) => ({
    object: 'list',
    data: models.map(({ id, provider }) => ({
      ...{ id, object: 'model', created: 0, owned_by: provider, type: 'base', name: id, aliases: [] },
      capabilities: {
        completion_chat: true,
        function_calling: true,
        completion_fim: false,
        fine_tuning: false,
        vision: false,
      },
    })),
  }),
};
