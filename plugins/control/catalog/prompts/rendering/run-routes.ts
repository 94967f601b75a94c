import { invalidInput } from '../../../../../schema/errors/invalid-input.ts';
import type { JsonObject } from '../../../../../schema/json/json.ts';
import type { Principal, TenantId } from '../../../../sdk/exchange/exchange.ts';
import { headerValue, type RawHeaders } from '../../../../sdk/http/http.ts';
import { defineRoute } from '../../../../sdk/route/define-route.ts';
import type { ControlRoute } from '../../../kernel/requests/control-route.ts';
import { objectSchema, ok, titled } from '../../../kernel/requests/replies.ts';
import { renderBodySchema, renderedPromptSchema } from '../content/rendered-prompt-schema.ts';
import { promptStore } from '../store/prompt-store.ts';
import { toCaller } from '../versions/prompt-parts.ts';
import type { FoundPrompt, PromptsOf } from './prompts-of.ts';
import { renderForBody, templateError } from './render-for-body.ts';

interface Rendered {
  readonly prompt: FoundPrompt;
  readonly data: JsonObject;
}

/** Renders a prompt for a request. Throws the `GatewayError`s `invalid-input` and `not-found`. */
const rendered = async (
  findPrompts: PromptsOf,
  { tenant, reference, body }: { readonly tenant: TenantId; readonly reference: string; readonly body: JsonObject },
): Promise<Rendered> => {
  const prompt = await findPrompts(tenant)
    .find(reference)
    .catch((error) => {
      throw invalidInput([templateError(error)]);
    });
  if (prompt === undefined) throw promptStore.unknown(reference);
  return { prompt, data: renderForBody(prompt, body, (error) => invalidInput([error])) };
};

/** Headers that name a provider. One of a request is used in place of the prompt's. */
const destinations = ['x-gw-virtual-key', 'x-gw-provider'];

/**
 * Adds the virtual key or provider of a prompt to the headers of a request, if they name none. A config that names its
 * own destination does not use it.
 */
const headersFor = (headers: RawHeaders, { virtualKey }: FoundPrompt): RawHeaders => {
  if (destinations.some((name) => headerValue(headers, name) !== undefined)) return headers;
  return [...headers, virtualKey.startsWith('@') ? 'x-gw-provider' : 'x-gw-virtual-key', virtualKey];
};

/** Makes a caller each of whose requests has the label `_prompt`, whatever else its key and the request say. */
const labelled = (principal: Principal, { slug }: FoundPrompt): Principal => ({
  ...principal,
  defaults: { ...principal.defaults, metadata: { ...principal.defaults?.metadata, _prompt: slug } },
});

/**
 * The answers of the data path, in the form of the API that was called; checks can give a stream another status than
 * 200.
 */
const answers = [{ type: 'object', additionalProperties: true }, 'events'] as const;

/** Makes the routes that use prompts. */
export const runRoutes = (findPrompts: PromptsOf): readonly ControlRoute[] => [
  defineRoute({
    method: 'POST',
    path: '/prompts/{id}/render',
    operationId: 'render_prompt',
    summary: 'Renders a prompt with variables. No model is called.',
    scope: 'prompts.render',
    body: renderBodySchema,
    replies: { 200: titled('PromptRendering', objectSchema({ success: { const: true }, data: renderedPromptSchema })) },
    handle: async ({ params: { id }, body }, context) => {
      const { tenant } = toCaller(context, 'prompts.render');
      const { data } = await rendered(findPrompts, { tenant, reference: id, body: body as JsonObject });
      return ok({ success: true, data });
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/prompts/{id}/completions',
    operationId: 'complete_prompt',
    summary: 'Renders a prompt, and answers with the completion of it: a chat completion if it has messages.',
    scope: 'completions.write',
    body: renderBodySchema,
    replies: { 200: answers, default: answers },
    handle: async ({ params: { id }, body }, context) => {
      const { tenant } = toCaller(context, 'completions.write');
      const { prompt, data } = await rendered(findPrompts, { tenant, reference: id, body: body as JsonObject });
      return context.dispatch(
        {
          method: 'POST',
          path: prompt.kind === 'chat' ? '/v1/chat/completions' : '/v1/completions',
          headers: headersFor(context.headers, prompt),
          body: data,
        },
        labelled(context.principal, prompt),
      );
    },
  }),
];
