import type OpenAI from 'openai';
import type { Call, Scenario } from '../../scenario.ts';
import type { AskOptions, ClientDriver } from '../client-driver.ts';
import { knownType } from '../known.ts';
import { readArgs } from '../read-args.ts';
import { tapResponses } from '../response-tap.ts';
import { type Said, tell } from '../tell.ts';
import { openaiClient, openaiError } from './openai-client.ts';
import { responsesRequest } from './responses-request.ts';

type Response = OpenAI.Responses.Response;
type Item = OpenAI.Responses.ResponseOutputItem;

const model = 'gpt-5.1';

const callsOf = (item: Item): readonly Call[] =>
  item.type === 'function_call' ? [{ id: item.call_id, name: item.name, args: readArgs(item.arguments) }] : [];

const refusalOf = (item: Item): string =>
  item.type === 'message' ? item.content.map((part) => (part.type === 'refusal' ? part.refusal : '')).join('') : '';

const reasoningOf = (item: Item): string =>
  item.type === 'reasoning' ? [...item.summary, ...(item.content ?? [])].map(({ text }) => text).join('') : '';

const saidBy = ({ output, output_text, status, incomplete_details, usage }: Response): Said => ({
  text: output_text,
  reasoning: output.map(reasoningOf).join(''),
  calls: output.flatMap(callsOf),
  refusal: output.map(refusalOf).join(''),
  finish: incomplete_details?.reason ?? status ?? '',
  ...(usage && { usage: { input: usage.input_tokens, output: usage.output_tokens } }),
});

/** https://platform.openai.com/docs/api-reference/responses-streaming, without those of the provider's own tools. */
const eventTypes = [
  ...['created', 'in_progress', 'completed', 'incomplete', 'failed'],
  ...['output_item.added', 'output_item.done', 'content_part.added', 'content_part.done'],
  ...['output_text.delta', 'output_text.done', 'refusal.delta', 'refusal.done'],
  ...['function_call_arguments.delta', 'function_call_arguments.done'],
  ...['reasoning_summary_part.added', 'reasoning_summary_part.done'],
  ...['reasoning_summary_text.delta', 'reasoning_summary_text.done', 'reasoning_text.delta', 'reasoning_text.done'],
].map((type) => `response.${type}`);

const ask = async (scenario: Scenario, options: AskOptions): ReturnType<ClientDriver['ask']> => {
  const tap = tapResponses();
  const { responses } = openaiClient(options, tap);
  const params = responsesRequest(scenario.ask, options.model ?? model);
  const streamed = async (): Promise<Said> => {
    const stream = responses.stream({ ...params, stream: true });
    stream.on('event', ({ type }) => knownType('An event', type, eventTypes));
    return saidBy(await stream.finalResponse());
  };
  const whole = async (): Promise<Said> => saidBy(await responses.create(params));
  return tell({ say: options.stream ? streamed : whole, readError: openaiError, dropped: tap.dropped });
};

/** Asks for responses through OpenAI's client. */
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
