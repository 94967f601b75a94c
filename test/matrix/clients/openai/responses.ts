import type OpenAI from 'openai';
import type { Call, NextStep, Scenario } from '../../scenario.ts';
import type { AskOptions, ClientDriver } from '../client-driver.ts';
import { knownType } from '../known.ts';
import { readArgs } from '../read-args.ts';
import { counted, type ReceivedContent, receive } from '../receive.ts';
import { tapResponses } from '../response-tap.ts';
import { toResults } from '../to-results.ts';
import { openaiClient, openaiError } from './openai-client.ts';
import { responsesRequest } from './responses-request.ts';

type Params = OpenAI.Responses.ResponseCreateParamsNonStreaming;
type Response = OpenAI.Responses.Response;
type Item = OpenAI.Responses.ResponseOutputItem;

const model = 'gpt-5.1';

const toCalls = (item: Item): readonly Call[] =>
  item.type === 'function_call' ? [{ id: item.call_id, name: item.name, args: readArgs(item.arguments) }] : [];

const toRefusal = (item: Item): string =>
  item.type === 'message' ? item.content.map((part) => (part.type === 'refusal' ? part.refusal : '')).join('') : '';

const toReasoning = (item: Item): string =>
  item.type === 'reasoning' ? [...item.summary, ...(item.content ?? [])].map(({ text }) => text).join('') : '';

const toContent = ({ output, output_text, status, incomplete_details, usage }: Response): ReceivedContent => ({
  text: output_text,
  reasoning: output.map(toReasoning).join(''),
  calls: output.flatMap(toCalls),
  refusal: output.map(toRefusal).join(''),
  finish: incomplete_details?.reason ?? status ?? '',
  ...(usage && {
    usage: counted({
      input: usage.input_tokens,
      output: usage.output_tokens,
      cached: usage.input_tokens_details.cached_tokens,
      reasoning: usage.output_tokens_details.reasoning_tokens,
    }),
  }),
});

/** https://platform.openai.com/docs/api-reference/responses-streaming, without the events of the provider's own tools. */
const eventTypes = [
  ...['created', 'in_progress', 'completed', 'incomplete', 'failed'],
  ...['output_item.added', 'output_item.done', 'content_part.added', 'content_part.done'],
  ...['output_text.delta', 'output_text.done', 'refusal.delta', 'refusal.done'],
  ...['function_call_arguments.delta', 'function_call_arguments.done'],
  ...['reasoning_summary_part.added', 'reasoning_summary_part.done'],
  ...['reasoning_summary_text.delta', 'reasoning_summary_text.done', 'reasoning_text.delta', 'reasoning_text.done'],
].map((type) => `response.${type}`);

/** The helper for streams adds members that the API does not accept. */
const asInput = (item: Item): OpenAI.Responses.ResponseInputItem => {
  const input = JSON.stringify(item, (name, value) => (name.startsWith('parsed') ? undefined : value));
  return JSON.parse(input);
};

const streamed = async (responses: OpenAI.Responses, params: Params): Promise<Response> => {
  const stream = responses.stream({ ...params, stream: true });
  stream.on('event', ({ type }) => knownType('An event', type, eventTypes));
  return stream.finalResponse();
};

const whole = async (responses: OpenAI.Responses, params: Params): Promise<Response> => responses.create(params);

const nextParams = (params: Params, response: Response, next: NextStep): Params => ({
  ...params,
  input: [
    ...(typeof params.input === 'string' ? [] : (params.input ?? [])),
    ...response.output.map(asInput),
    ...toResults(response.output.flatMap(toCalls), next).map(({ id, text }) => ({
      type: 'function_call_output' as const,
      call_id: id,
      output: text,
    })),
  ],
});

const ask = async ({ ask: question, next }: Scenario, options: AskOptions): ReturnType<ClientDriver['ask']> => {
  const tap = tapResponses();
  const { responses } = openaiClient(options, tap);
  const take = options.stream ? streamed : whole;
  const run = async (): Promise<ReceivedContent> => {
    const params = responsesRequest(question, options.model ?? model);
    const response = await take(responses, params);
    return toContent(next === undefined ? response : await take(responses, nextParams(params, response, next)));
  };
  return receive({ run, readError: openaiError, tap });
};

/** Calls the Responses API through OpenAI's client. */
export const openaiResponses: ClientDriver = {
  dialect: 'responses',
  library: 'openai (responses)',
  model,
  finishes: {
    stop: ['completed'],
    length: ['max_output_tokens'],
    'tool-calls': ['completed'],
    refusal: ['content_filter'],
  },
  ask,
};
