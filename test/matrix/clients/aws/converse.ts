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
import { counted, type Said, tell } from '../tell.ts';
import { toResults } from '../to-results.ts';
import { bedrockClient, bedrockError } from './bedrock-client.ts';
import { converseRequest } from './converse-request.ts';
import { type Ending, messageOfStream } from './converse-stream.ts';

const model = 'anthropic.claude-sonnet-4-6';

const saidBy = ({ content = [] }: Message, { stopReason, usage }: Ending): Said => ({
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
  readonly said: Said;
  readonly message: Message;
}

const whole = async (client: BedrockRuntimeClient, input: ConverseCommandInput): Promise<Turn> => {
  const { output, ...ending } = await client.send(new ConverseCommand(input));
  const message = output?.message ?? { role: 'assistant', content: [] };
  return { said: saidBy(message, ending), message };
};

const streamed = async (client: BedrockRuntimeClient, input: ConverseCommandInput): Promise<Turn> => {
  const { stream } = await client.send(new ConverseStreamCommand(input));
  if (stream === undefined) throw new Error('There is no stream.');
  const { message, ending } = await messageOfStream(stream);
  return { said: saidBy(message, ending), message };
};

const nextInput = (input: ConverseCommandInput, { said, message }: Turn, next: NextStep): ConverseCommandInput => ({
  ...input,
  messages: [
    ...(input.messages ?? []),
    message,
    {
      role: 'user',
      content: toResults(said.calls, next).map(({ id, text }) => ({
        toolResult: { toolUseId: id, content: [{ text }] },
      })),
    },
  ],
});

const ask = async ({ ask: asked, next }: Scenario, options: AskOptions): ReturnType<ClientDriver['ask']> => {
  const { client, tap } = bedrockClient(options);
  const take = options.stream ? streamed : whole;
  const say = async (): Promise<Said> => {
    const input = converseRequest(asked, options.model ?? model);
    const turn = await take(client, input);
    return next === undefined ? turn.said : (await take(client, nextInput(input, turn, next))).said;
  };
  try {
    return await tell({ say, readError: bedrockError, tap });
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
