import { isSuccess } from '../../../../schema/http/status.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../../schema/json/json.ts';
import { findObject, toObjects } from '../../../../schema/json/loose.ts';
import type { ParameterSchema } from '../../../sdk/parameters/from-schema.ts';
import { defineRoute } from '../../../sdk/route/define-route.ts';
import type { RouteContext, RouteReply } from '../../../sdk/route/route-row.ts';
import type { ControlRoute } from '../../kernel/requests/control-route.ts';
import { queryFault } from '../../kernel/requests/refusals.ts';
import { objectSchema, ok, orNull, seconds, text, textOrNull, titled } from '../../kernel/requests/replies.ts';
import {
  nativeSlug,
  type OneResponse,
  onlyInBackground,
  requestFromNamedProvider,
  requestFromProvider,
} from './one-response.ts';
import { followedAnswer, type ResponseParts } from './response-feed.ts';
import { completeResponse } from './response-rewriter.ts';
import { listedInput } from './sent-response.ts';
import type { StoredResponse } from './stored-responses.ts';

const openObject: ParameterSchema = { type: 'object', additionalProperties: true };
const listOfItems: ParameterSchema = { type: 'array', items: openObject };
const numberOrNull: ParameterSchema = { anyOf: [{ type: 'number' }, { type: 'null' }] };

/** The responses of the data path: a response, or an error of a provider. */
export const answers: readonly [ParameterSchema, 'events'] = [openObject, 'events'];

export const responseSchema: ParameterSchema = {
  title: 'Response',
  ...objectSchema(
    {
      ...{ id: text, object: { const: 'response' }, created_at: seconds, model: text, output: listOfItems },
      ...{
        error: orNull({ ...objectSchema({ code: text, message: text }), additionalProperties: true }),
        incomplete_details: orNull({ ...objectSchema({ reason: text }), additionalProperties: true }),
        instructions: { description: 'A string, a list of items, or null.' },
      },
      ...{ metadata: openObject, parallel_tool_calls: { type: 'boolean' }, tools: listOfItems },
      tool_choice: { anyOf: [text, openObject] },
      ...{ temperature: numberOrNull, top_p: numberOrNull },
    },
    { status: text, previous_response_id: textOrNull, usage: orNull(openObject) },
  ),
  additionalProperties: true,
};

const itemListSchema: ParameterSchema = titled(
  'ResponseItemList',
  objectSchema({
    ...{ object: { const: 'list' }, data: listOfItems, first_id: textOrNull, last_id: textOrNull },
    has_more: { type: 'boolean' },
  }),
);

export const deletedSchema: ParameterSchema = titled(
  'DeletedResponse',
  objectSchema({
    ...{ id: text, object: { const: 'response' }, deleted: { type: 'boolean' } },
  }),
);

const withoutImages = (content: Json | undefined): Json =>
  Array.isArray(content)
    ? content.map((part: Json) =>
        isJsonObject(part) && part.type === 'input_image' && part.image_url !== undefined
          ? { ...part, image_url: null }
          : part,
      )
    : (content ?? null);

const bare = (item: JsonObject, include: readonly string[]): JsonObject => {
  const { type } = item;
  if (type === 'file_search_call' && item.results !== undefined && !include.includes('file_search_call.results'))
    return { ...item, results: null };
  if (type === 'message' && !include.includes('message.input_image.image_url'))
    return { ...item, content: withoutImages(item.content) };
  const output = findObject(item.output);
  if (
    type === 'computer_call_output' &&
    output?.image_url !== undefined &&
    !include.includes('computer_call_output.output.image_url')
  )
    return { ...item, output: { ...output, image_url: null } };
  return item;
};

/** Removes additional data from items unless it is requested. */
const withIncluded = (items: readonly JsonObject[], include: readonly string[]): readonly JsonObject[] =>
  items.map((item) => bare(item, include));

/** Shows a response with only the additional data that is requested. */
const includedResponse = (response: JsonObject, include: readonly string[]): JsonObject => ({
  ...completeResponse(response),
  output: withIncluded(toObjects(response.output), include),
});

/**
 * Picks a page of a list of items, the newest first unless the order is `asc`. Throws the `GatewayError` `invalid-input` if the
 * cursor names none of them, because a paging client would otherwise start over endlessly.
 */
const listedItems = (
  items: readonly JsonObject[],
  {
    limit,
    order,
    after,
    before,
  }: {
    readonly limit: number;
    readonly order: string;
    readonly after?: string;
    readonly before?: string;
  },
): JsonObject => {
  const ordered = order === 'asc' ? items : items.toReversed();
  const at = (name: string, id: string): number => {
    const found = ordered.findIndex((item) => item.id === id);
    if (found !== -1) return found;
    throw queryFault(
      name,
      `"${name}" is not the id of an item of the input of this response.`,
      'Send the id of a listed item, or omit it.',
    );
  };
  const part = ordered.slice(
    after === undefined ? 0 : at('after', after) + 1,
    before === undefined ? undefined : at('before', before),
  );
  const data = part.slice(0, limit);
  return {
    object: 'list',
    data,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: part.length > data.length,
  };
};

/** All values that OpenAI has. Data that is never removed from a stored response is shown even if it is not requested. */
const include = {
  type: 'array',
  items: {
    type: 'string',
    enum: [
      'file_search_call.results',
      'web_search_call.results',
      'web_search_call.action.sources',
      'message.input_image.image_url',
      'message.output_text.logprobs',
      'computer_call_output.output.image_url',
      'code_interpreter_call.outputs',
      'reasoning.encrypted_content',
    ],
  },
  maxItems: 20,
  description: 'Additional data to include.',
} as const;

/** OpenAI's clients write the name with brackets. */
const included = { include, 'include[]': include } as const;

const retrieveQuery = {
  type: 'object',
  properties: {
    ...included,
    stream: { type: 'boolean', description: 'Whether to stream the events of a background response.' },
    starting_after: {
      type: 'integer',
      minimum: 0,
      maximum: 2_147_483_647,
      description: 'The sequence number after which the stream begins.',
    },
    include_obfuscation: {
      type: 'boolean',
      description:
        'Whether the events of a provider contain random characters as padding. Events of the gateway have none.',
    },
  },
} as const;

const itemsQuery = {
  type: 'object',
  properties: {
    limit: {
      type: 'integer',
      minimum: 1,
      maximum: 100,
      default: 20,
      description: 'The maximum number of listed items.',
    },
    order: { type: 'string', enum: ['asc', 'desc'], default: 'desc', description: 'desc: the newest first.' },
    after: { type: 'string', maxLength: 512, description: 'The id of the item after which the list begins.' },
    before: { type: 'string', maxLength: 512, description: 'The id of the item before which the list ends.' },
    ...included,
  },
} as const;

interface Included {
  readonly include?: readonly string[];
  readonly 'include[]'?: readonly string[];
}

const toInclude = (query: Included): readonly string[] => [...(query.include ?? []), ...(query['include[]'] ?? [])];

/** Requests a response from the provider that also has it; undefined if none has it, or if it does not return it. */
const native = async (
  found: StoredResponse,
  request: OneResponse,
  context: RouteContext,
): Promise<RouteReply | undefined> => {
  const slug = nativeSlug(found);
  if (slug === undefined) return undefined;
  const answer = await requestFromProvider(request, context, slug);
  if (isSuccess(answer.status)) return answer;
  if (answer.body.kind === 'stream') answer.body.discard();
  return undefined;
};

/** The routes that show responses. */
export const readRoutes = (parts: ResponseParts): readonly ControlRoute[] => {
  const read = async (
    request: OneResponse,
    context: RouteContext,
    show: (found: StoredResponse) => RouteReply | Promise<RouteReply>,
  ): Promise<RouteReply> => {
    const found = await parts.kept.find(context.tenant, request.id);
    if (found === undefined) return requestFromNamedProvider(parts.kept, request, context);
    // The provider may have additional data that was not requested when the response was made.
    const asked = toInclude(request.query as Included).length > 0 ? await native(found, request, context) : undefined;
    return asked ?? show(found);
  };
  const common = { method: 'GET', scope: 'completions.write', shared: true } as const;
  return [
    defineRoute({
      ...common,
      path: '/responses/{id}',
      operationId: 'get_response',
      summary: 'Returns a response that is stored by the gateway or by the provider of the request.',
      query: retrieveQuery,
      replies: { 200: [responseSchema, 'events'], default: answers },
      handle: ({ params: { id }, query }, context) =>
        read(
          { method: 'GET', id, rest: '', query: query as JsonObject },
          context,
          async ({ response, isBackground }) => {
            if (query.stream !== true) return ok(includedResponse(response, toInclude(query)));
            if (isBackground !== true) return onlyInBackground(id, 'streamed again');
            const { tenant, cancellation } = context;
            return followedAnswer(parts, { tenant, id, cancellation, from: (query.starting_after ?? -1) + 1 });
          },
        ),
    }),
    defineRoute({
      ...common,
      path: '/responses/{id}/input_items',
      operationId: 'list_response_input_items',
      summary: 'Lists the input of a response that is stored by the gateway or by the provider of the request.',
      query: itemsQuery,
      replies: { 200: itemListSchema, default: answers },
      handle: ({ params: { id }, query }, context) =>
        read({ method: 'GET', id, rest: '/input_items', query: query as JsonObject }, context, ({ input }) =>
          ok(listedItems(withIncluded(listedInput(id, input), toInclude(query)), query)),
        ),
    }),
  ];
};
