import {
  type BedrockRuntimeClient,
  ConverseCommand,
  type ConverseCommandInput,
  ConverseStreamCommand,
  type Message,
} from '@aws-sdk/client-bedrock-runtime';
import type { NextStep, Scenario } from '../../scenario.ts';
import type { AskOptions, ClientDriver } from '../client-driver.ts';
import { readArgs } from '../read-args.ts';
import { counted, type ReceivedContent, receive } from '../receive.ts';
import { toResults } from '../to-results.ts';
import { bedrockClient, bedrockError } from './bedrock-client.ts';
import { converseRequest } from './converse-request.ts';
import { type Ending, messageOfStream } from './converse-stream.ts';

const model = 'anthropic.claude-sonnet-4-6';

const toContent = ({ content = [] }: Message, { stopReason, usage }: Ending): ReceivedContent => ({
  text: content.map(({ text = '' }) => text).join(''),
  reasoning: content.map(({ reasoningContent }) => reasoningContent?.reasoningText?.text ?? '').join(''),
  calls: content.flatMap(({ toolUse }) =>
    toolUse === undefined
      ? []
      : [{ id: toolUse.toolUseId ?? '', name: toolUse.name ?? '', args: readArgs(toolUse.input) }],
  ),
  refusal: '',
  finish: stopReason ?? '',
  ...(usage && {
    usage: counted({
      // It excludes tokens read from a cache or written to it.
      input: (usage.inputTokens ?? 0) + (usage.cacheReadInputTokens ?? 0) + (usage.cacheWriteInputTokens ?? 0),
      output: usage.outputTokens ?? 0,
      cached: usage.cacheReadInputTokens ?? 0,
    }),
  }),
});

interface Turn {
  readonly content: ReceivedContent;
  readonly message: Message;
}

const whole = async (client: BedrockRuntimeClient, input: ConverseCommandInput): Promise<Turn> => {
  const { output, ...ending } = await client.send(new ConverseCommand(input));
  const message = output?.message ?? { role: 'assistant', content: [] };
  return { content: toContent(message, ending), message };
};

const streamed = async (client: BedrockRuntimeClient, input: ConverseCommandInput): Promise<Turn> => {
  const { stream } = await client.send(new ConverseStreamCommand(input));
  if (stream === undefined) throw new Error('There is no stream.');
  const { message, ending } = await messageOfStream(stream);
  return { content: toContent(message, ending), message };
};

const nextInput = (input: ConverseCommandInput, { content, message }: Turn, next: NextStep): ConverseCommandInput => ({
  ...input,
  messages: [
    ...(input.messages ?? []),
    message,
    {
      role: 'user',
      content: toResults(content.calls, next).map(({ id, text }) => ({
        toolResult: { toolUseId: id, content: [{ text }] },
      })),
    },
  ],
});

const ask = async ({ ask: question, next }: Scenario, options: AskOptions): ReturnType<ClientDriver['ask']> => {
  const { client, tap } = bedrockClient(options);
  const take = options.stream ? streamed : whole;
  const run = async (): Promise<ReceivedContent> => {
    const input = converseRequest(question, options.model ?? model);
    const turn = await take(client, input);
    return next === undefined ? turn.content : (await take(client, nextInput(input, turn, next))).content;
  };
  try {
    return await receive({ run, readError: bedrockError, tap });
  } finally {
    client.destroy();
  }
};

/** Calls Converse through AWS's client. */
export const awsConverse: ClientDriver = {
  dialect: 'converse',
  library: '@aws-sdk/client-bedrock-runtime',
  model,
  finishes: { stop: ['end_turn'], length: ['max_tokens'], 'tool-calls': ['tool_use'], refusal: ['content_filtered'] },
  ask,
};
