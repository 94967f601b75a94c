import { openResponse, toWishes } from '../../matrix/upstreams/responses/answer-responses.ts';
import { startUpstream, type TestUpstream, type UpstreamCall } from '../../support/servers/upstream-server.ts';

/** The response that the vendor stores, with the items before it and its own. */
interface Kept {
  readonly response: object;
  readonly input: readonly unknown[];
  readonly items: readonly unknown[];
}

export interface OpenaiStore extends TestUpstream {
  readonly kept: Map<string, Kept>;
}

const readInput = (input: unknown): readonly unknown[] =>
  Array.isArray(input) ? input : [{ type: 'message', role: 'user', content: input }];

const unknown = (id: string, param: string | null, code: string | null) => ({
  error: { message: `Previous response with id '${id}' not found.`, type: 'invalid_request_error', param, code },
});

/** The text of the model: how many items it was sent. */
const toSaid = (items: readonly unknown[]): string => `Items: ${items.length}.`;

/** OpenAI's responses with their store: https://platform.openai.com/docs/api-reference/responses */
export const startOpenaiStore = async (): Promise<OpenaiStore> => {
  const kept = new Map<string, Kept>();
  let count = 0;

  const create = (call: UpstreamCall): void => {
    const body = call.request.json();
    const before = body.previous_response_id === undefined ? undefined : kept.get(body.previous_response_id);
    if (body.previous_response_id !== undefined && before === undefined) {
      const error = unknown(body.previous_response_id, 'previous_response_id', 'previous_response_not_found');
      call.json(error, { status: 400 });
      return;
    }
    const input = readInput(body.input);
    const items = [...(before?.items ?? []), ...input];
    count += 1;
    const id = `resp_native${count}`;
    const stores = body.store !== false;
    const open = {
      ...openResponse(toWishes(call.request)),
      ...{ id, store: stores, metadata: body.metadata ?? {}, previous_response_id: body.previous_response_id ?? null },
    };
    const reasoning = { id: `rs_native${count}`, type: 'reasoning', summary: [], encrypted_content: `sealed${count}` };
    const message = {
      ...{ id: `msg_native${count}`, type: 'message', status: 'completed', role: 'assistant' },
      content: [{ type: 'output_text', text: toSaid(items), annotations: [], logprobs: [] }],
    };
    const output = body.include?.includes('reasoning.encrypted_content') === true ? [reasoning, message] : [message];
    const response = {
      ...open,
      ...{ status: 'completed', output },
      usage: {
        ...{ input_tokens: 3, input_tokens_details: { cached_tokens: 0 }, output_tokens: 2, total_tokens: 5 },
        output_tokens_details: { reasoning_tokens: 0 },
      },
    };
    if (stores) kept.set(id, { response, input, items: [...items, ...output] });
    if (body.stream !== true) {
      call.json(response);
      return;
    }
    const sse = call.sse();
    const events = [
      { type: 'response.created', response: open },
      { type: 'response.in_progress', response: open },
      { type: 'response.output_item.added', output_index: 0, item: { ...message, status: 'in_progress', content: [] } },
      {
        ...{ type: 'response.content_part.added', item_id: message.id, output_index: 0, content_index: 0 },
        part: { type: 'output_text', text: '', annotations: [], logprobs: [] },
      },
      {
        type: 'response.output_text.delta',
        item_id: message.id,
        output_index: 0,
        content_index: 0,
        delta: toSaid(items),
      },
      { type: 'response.output_item.done', output_index: 0, item: message },
      { type: 'response.completed', response },
    ];
    for (const [sequence_number, event] of events.entries()) sse.frame({ ...event, sequence_number }, event.type);
    sse.end();
  };

  const upstream = await startUpstream((call) => {
    const { method, path } = call.request;
    const [, id = ''] = /^\/v1\/responses\/([^/?]+)/.exec(path) ?? [];
    const found = kept.get(id);
    if (method === 'POST' && id === '' && String(call.request.json().input).includes('overloaded'))
      call.json({ error: { message: 'Overloaded.' } }, { status: 503 });
    else if (method === 'POST' && id === '') create(call);
    else if (found === undefined) call.json(unknown(id, null, null), { status: 404 });
    else if (method === 'DELETE') {
      kept.delete(id);
      call.json({ id, object: 'response', deleted: true });
    } else if (path.includes('/input_items')) call.json({ object: 'list', data: found.input, has_more: false });
    else call.json(found.response);
  });
  return Object.assign(upstream, { kept });
};
