import type { Saved, SavedPrompt } from '../../../../schema/config/saved.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import type { TenantView } from '../../../sdk/control-plane/tenants.ts';
import { defineRoute } from '../../../sdk/route/define-route.ts';
import type { ControlRoute } from '../../kernel/requests/control-route.ts';
import { objectSchema, ok, titled } from '../../kernel/requests/replies.ts';
import { resolveWorkspace } from '../../kernel/requests/request-scope.ts';
import type { ControlParts } from '../../kernel/resource/control-parts.ts';

/** The maximum number of prompts. If a workspace has more, only a dry run finds the others. */
const maxPrompts = 100;

const anything = { type: 'object', additionalProperties: true } as const;

const factsSchema = titled(
  'ConfigFacts',
  objectSchema({
    object: { const: 'config-facts' },
    catalogue: {
      ...anything,
      description: 'The providers, formats, checks, caches and choosers of the gateway, with the members of each.',
    },
    saved: {
      ...anything,
      description: 'The names that configs of the workspace can use, and what they stand for. Secrets are references.',
    },
  }),
);

/** Returns the prompts of a workspace by their slugs, without their texts. */
const findPrompts = async ({ saved, prompts }: TenantView): Promise<Saved['prompts']> => {
  const { slugs = [] } = saved.prompts ?? {};
  const found = await prompts(slugs.slice(0, maxPrompts));
  const toHead = ({ slug, versionId, virtualKey, kind }: SavedPrompt): SavedPrompt => ({
    ...{ slug, versionId, virtualKey, kind },
  });
  return { slugs, found: Object.fromEntries([...found].map(([reference, prompt]) => [reference, toHead(prompt)])) };
};

/**
 * Creates the route that gives an editor everything that a compiler without plugins and store needs to check a config of a
 * workspace.
 */
export const configFactsRoute = ({ readView, describeCatalogue }: ControlParts): ControlRoute =>
  defineRoute({
    method: 'GET',
    path: '/config-facts',
    operationId: 'get_config_facts',
    summary:
      'Returns everything that an editor needs to check configs of the workspace: what plugins provide, and what is saved.',
    scope: 'configs.read',
    replies: { 200: factsSchema },
    handle: async (_, context) => {
      const view = await readView(resolveWorkspace(context, 'configs.read').tenant);
      const [catalogue, prompts] = await Promise.all([describeCatalogue(), findPrompts(view)]);
      const { providers, virtualKeys, guardrails, unusable, labels } = view.saved;
      const further = { ...(unusable && { unusable }), ...(labels && { labels }) };
      const saved = { providers, virtualKeys, guardrails, prompts, ...further };
      return ok({ object: 'config-facts', catalogue, saved } as unknown as JsonObject);
    },
  });
