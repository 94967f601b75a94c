import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { isSampled } from '../../support/run/sampled-pairs.ts';
import { messagesAgent } from '../conversations/agent/messages-agent.ts';
import { responsesAgent } from '../conversations/agent/responses-agent.ts';
import { work } from '../conversations/agent/work.ts';
import { type Stage, startStage } from '../conversations/stage.ts';

let gateway: GatewayProcess;
let stage: Stage;

beforeAll(async () => {
  [gateway, stage] = await Promise.all([startGateway(), startStage()]);
});
afterAll(async () => {
  await gateway.stop();
  await stage[Symbol.asyncDispose]();
});

/** The members that the formats of the services cannot express, as the answers' headers name them. */
const losses: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  messages: {
    openai: ['reasoning', 'system.cache', 'tools.cache', 'turns.parts.cache'],
    google: ['system.cache', 'tools.cache', 'turns.parts.cache', 'turns.parts.reasoning'],
    bedrock: ['reasoning'],
    anthropic: [],
  },
  responses: {
    compatible: ['extensions.responses.reasoning', 'tools.format', 'turns.id', 'turns.parts.reasoning'],
    google: [
      'cacheKey',
      'extensions.responses.reasoning',
      'reasoning',
      'toolChoice.parallel',
      'tools.custom',
      'tools.strict',
      'turns.id',
      'turns.parts.reasoning',
    ],
    bedrock: ['cacheKey', 'extensions.responses.reasoning', 'reasoning', 'toolChoice.parallel', 'tools', 'turns.id'],
    anthropic: ['cacheKey', 'extensions.responses.reasoning', 'tools.format', 'turns.id'],
  },
};

const runs = [messagesAgent, responsesAgent].flatMap((agent) =>
  agent.targets.flatMap((target, targetAt) =>
    [false, true]
      .filter((_, streamAt) => isSampled(targetAt, streamAt, 2))
      .map((stream) => ({ agent, target, stream })),
  ),
);

describe.each(runs)(
  'a coding agent with the library of $agent.id at $target, streamed: $stream',
  ({ agent, target, stream }) => {
    it('works for twenty turns and loses nothing else that either side has said', async () => {
      const { origin } = gateway;
      const { errors, size, dropped } = await work(agent, { stage, origin, target, stream });
      expect(errors.slice(0, 3).map((error) => error.slice(0, 1500))).toEqual([]);
      expect(size).toBeGreaterThan(200_000);
      expect(dropped).toEqual(losses[agent.id]?.[target]);
    });
  },
);
