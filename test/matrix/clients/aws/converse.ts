import { ConverseCommand, type ConverseCommandOutput, ConverseStreamCommand } from '@aws-sdk/client-bedrock-runtime';
import type { Scenario } from '../../scenario.ts';
import type { AskOptions, ClientDriver } from '../client-driver.ts';
import { readArgs } from '../read-args.ts';
import { type Said, tell } from '../tell.ts';
import { bedrockClient, bedrockError } from './bedrock-client.ts';
import { converseRequest } from './converse-request.ts';
import { saidByStream } from './converse-stream.ts';

const model = 'anthropic.claude-sonnet-4-6';

const saidBy = ({ output, stopReason, usage }: ConverseCommandOutput): Said => {
  const content = output?.message?.content ?? [];
  return {
    text: content.map(({ text = '' }) => text).join(''),
    reasoning: content.map(({ reasoningContent }) => reasoningContent?.reasoningText?.text ?? '').join(''),
    calls: content.flatMap(({ toolUse }) =>
      toolUse === undefined
        ? []
        : [{ id: toolUse.toolUseId ?? '', name: toolUse.name ?? '', args: readArgs(toolUse.input) }],
    ),
    refusal: '',
    finish: stopReason ?? '',
    ...(usage && { usage: { input: usage.inputTokens ?? 0, output: usage.outputTokens ?? 0 } }),
  };
};

const ask = async (scenario: Scenario, options: AskOptions): ReturnType<ClientDriver['ask']> => {
  const { client, dropped } = bedrockClient(options);
  const input = converseRequest(scenario.ask, options.model ?? model);
  const whole = async (): Promise<Said> => saidBy(await client.send(new ConverseCommand(input)));
  const streamed = async (): Promise<Said> => {
    const { stream } = await client.send(new ConverseStreamCommand(input));
    if (stream === undefined) throw new Error('There is no stream.');
    return saidByStream(stream);
  };
  try {
    return await tell({ say: options.stream ? streamed : whole, readError: bedrockError, dropped });
  } finally {
    client.destroy();
  }
};

/** Asks Converse through AWS's client. */
export const awsConverse: ClientDriver = {
  dialect: 'converse',
  library: '@aws-sdk/client-bedrock-runtime',
  model,
  finishes: { stop: ['end_turn'], length: ['max_tokens'], 'tool-calls': ['tool_use'], refusal: ['content_filtered'] },
  ask,
};
