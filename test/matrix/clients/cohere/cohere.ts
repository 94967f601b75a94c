import { type Cohere, CohereClientV2, CohereError } from 'cohere-ai';
import type { Scenario, Told } from '../../scenario.ts';
import type { AskOptions, ClientDriver } from '../client-driver.ts';
import { readArgs } from '../read-args.ts';
import { tapResponses } from '../response-tap.ts';
import { type Said, tell } from '../tell.ts';
import { cohereRequest } from './cohere-request.ts';
import { saidByStream } from './cohere-stream.ts';
import { usageOf } from './cohere-usage.ts';

const model = 'command-a-reasoning-08-2025';

const saidBy = ({ message, finishReason, usage }: Cohere.V2ChatResponse): Said => {
  const content = message.content ?? [];
  return {
    text: content.map((item) => (item.type === 'text' ? item.text : '')).join(''),
    reasoning: content.map((item) => (item.type === 'thinking' ? item.thinking : '')).join(''),
    calls: (message.toolCalls ?? []).map(({ id, function: called }) => ({
      id,
      name: called?.name ?? '',
      args: readArgs(called?.arguments),
    })),
    refusal: '',
    finish: finishReason,
    ...usageOf(usage),
  };
};

const readError = (thrown: unknown): Told['error'] | undefined =>
  thrown instanceof CohereError ? { status: thrown.statusCode ?? 0, message: thrown.message } : undefined;

const ask = async (scenario: Scenario, options: AskOptions): Promise<Told> => {
  const tap = tapResponses();
  const client = new CohereClientV2({
    environment: options.origin,
    token: 'not-sent',
    maxRetries: 0,
    headers: { ...options.headers },
    fetch: tap.fetch,
  });
  const request = cohereRequest(scenario.ask, options.model ?? model);
  const whole = async (): Promise<Said> => saidBy(await client.chat(request));
  const streamed = async (): Promise<Said> => saidByStream(await client.chatStream(request));
  return tell({ say: options.stream ? streamed : whole, readError, dropped: tap.dropped });
};

/** Asks for Cohere's chat through its client. */
export const cohereChat: ClientDriver = {
  dialect: 'cohere',
  library: 'cohere-ai',
  model,
  finishes: { stop: ['COMPLETE'], length: ['MAX_TOKENS'], 'tool-calls': ['TOOL_CALL'], refusal: [] },
  cannot: { document: 'Documents of a request are texts.' },
  ask,
};
