import OpenAI from 'openai';
import type {
  Response,
  ResponseInput,
  ResponseInputItem,
  ResponseOutputItem,
  Tool,
} from 'openai/resources/responses/responses';
import type { Call } from '../../../matrix/scenario.ts';
import type { Say } from '../story.ts';
import type { ClientAnswer } from '../tongues/tongue.ts';
import type { Agent } from './agent.ts';
import { agentTools, patchTool } from './tools.ts';

const grammar = { type: 'grammar', syntax: 'lark', definition: 'start: "*** Begin Patch" /(.|\\n)+/' } as const;

const tools: Tool[] = [
  ...agentTools.map(({ name, description, schema }) => ({
    type: 'function' as const,
    name,
    description,
    parameters: { ...schema },
    strict: false,
  })),
  { type: 'custom', ...patchTool, format: grammar },
];

const toCall = (item: ResponseOutputItem): readonly Call[] => {
  if (item.type === 'function_call') return [{ id: item.call_id, name: item.name, args: JSON.parse(item.arguments) }];
  return item.type === 'custom_tool_call'
    ? [{ id: item.call_id, name: item.name, args: { gw_input: item.input } }]
    : [];
};

const toReasoning = (item: ResponseOutputItem): string =>
  item.type === 'reasoning' ? [...(item.content ?? []), ...item.summary].map(({ text }) => text).join('') : '';

const toClientAnswer = ({ output, output_text: text, status }: Response): ClientAnswer => ({
  reasoning: output.map(toReasoning).join(''),
  text,
  calls: output.flatMap(toCall),
  finish: status ?? '',
});

/**
 * Whether an item can be sent back. All can except for one kind, which is also the only difference between the library's types.
 */
const isSendable = (item: ResponseOutputItem): item is Extract<ResponseOutputItem, ResponseInputItem> =>
  item.type !== 'additional_tools';

const toItems = ({ results, user }: Say): ResponseInput => [
  ...results.map(({ id, name, text }) => ({
    type: name === patchTool.name ? ('custom_tool_call_output' as const) : ('function_call_output' as const),
    call_id: id,
    output: text,
  })),
  ...(user === undefined ? [] : [{ role: 'user' as const, content: user }]),
];

export const responsesAgent: Agent = {
  id: 'responses',
  targets: ['compatible', 'google', 'bedrock', 'anthropic'],
  hasPatches: true,
  finishes: { calls: 'completed', stop: 'completed' },
  begin({ origin, config, stream, system }) {
    const client = new OpenAI({
      baseURL: `${origin}/v1`,
      apiKey: 'not-sent',
      maxRetries: 0,
      defaultHeaders: { 'x-gw-config': JSON.stringify(config) },
    });
    const input: ResponseInput = [];
    return async (say) => {
      input.push(...toItems(say));
      const body = {
        model: 'gpt-5-codex',
        instructions: system,
        max_output_tokens: 16_000,
        store: false,
        include: ['reasoning.encrypted_content' as const],
        reasoning: { effort: 'medium' as const, summary: 'auto' as const },
        prompt_cache_key: 'the-project',
        parallel_tool_calls: true,
        tools,
        input,
      };
      if (!stream) {
        const { data, response } = await client.responses.create(body).withResponse();
        input.push(...data.output.filter(isSendable));
        return { answer: toClientAnswer(data), dropped: response.headers.get('x-gw-dropped-params') ?? '' };
      }
      const { data: events, response } = await client.responses.create({ ...body, stream: true }).withResponse();
      let final: Response | undefined;
      for await (const event of events) if (event.type === 'response.completed') final = event.response;
      if (final === undefined) throw new Error('The stream has no end.');
      input.push(...final.output.filter(isSendable));
      const text = final.output
        .flatMap((item) => (item.type === 'message' ? item.content : []))
        .map((part) => (part.type === 'output_text' ? part.text : ''))
        .join('');
      return {
        answer: { ...toClientAnswer(final), text },
        dropped: response.headers.get('x-gw-dropped-params') ?? '',
      };
    };
  },
};
