import { isDeepStrictEqual } from 'node:util';
import { judgeHeard } from '../judge.ts';
import { Proofs } from '../proofs.ts';
import { readService, type ServiceId } from '../services.ts';
import type { Stage } from '../stage.ts';
import type { Reply, Story } from '../story.ts';
import type { Agent } from './agent.ts';
import { replyIn, sayAfter, systemPrompt, turns } from './lines.ts';
import { agentTools, patchTool } from './tools.ts';

export interface Work {
  readonly stage: Stage;
  /** The origin of the gateway. */
  readonly origin: string;
  readonly target: ServiceId;
  readonly stream: boolean;
}

/** The result of an agent's work. */
export interface Worked {
  readonly errors: readonly string[];
  /** The size of the last request, in bytes. */
  readonly size: number;
  /** The members that requests lost. */
  readonly dropped: readonly string[];
}

const isShown = (target: ServiceId): boolean => target !== 'openai';
const isSigning = (target: ServiceId): boolean => target !== 'openai' && target !== 'compatible';

/** `tools[9].cache` → `tools.cache` */
const membersIn = (dropped: string): readonly string[] =>
  dropped === '' ? [] : dropped.split(', ').map((name) => name.replace(/\[[\d*]+\]/g, ''));

/** Works through all turns with one service. */
export const work = async (agent: Agent, { stage, origin, target, stream }: Work): Promise<Worked> => {
  const id = `${agent.id}-${target}-${stream ? 's' : 'w'}`;
  const story: Story = {
    id,
    system: systemPrompt,
    tools: agentTools,
    ...(agent.hasPatches ? { customTool: patchTool.name } : {}),
    says: [],
    replies: [],
  };
  const proofs = new Proofs();
  const reasons: string[] = [];
  const dropped = new Set<string>();
  let size = 0;
  const next = (): Reply => replyIn(id, story.replies.length, agent.hasPatches);
  stage.open(id, {
    judge(service, heard, body) {
      const text = JSON.stringify(body);
      size = text.length;
      const lost = proofs.by(target).filter((value) => !text.includes(value));
      return [
        ...judgeHeard(story, heard, body),
        ...proofs.errors(body, [service.maker]),
        ...lost.map(() => 'What it made itself was lost.'),
        ...(heard.maxTokens === 16_000 ? [] : [`The limit of tokens is ${heard.maxTokens}.`]),
      ];
    },
    answer({ maker }) {
      const { reasoning, text, calls } = next();
      const made = calls.map((call) =>
        target === 'openai' && call.name === patchTool.name ? { ...call, isCustom: true as const } : call,
      );
      return {
        kind: 'answer',
        ...(isShown(target) ? { reasoning } : {}),
        ...(isSigning(target) ? { signature: proofs.make(target, maker, id) } : {}),
        ...(text === '' ? {} : { text }),
        ...(calls.length === 0 ? { finish: 'stop' } : { calls: made, finish: 'tool-calls' }),
        usage: { input: 20, output: 10 },
      };
    },
  });
  const config = readService(target).config(stage.toBase(id, target));
  const ask = agent.begin({ origin, config, stream, system: systemPrompt });
  for (let turn = 0; turn < turns; turn += 1) {
    const say = sayAfter(id, turn, story.replies.at(-1));
    story.says.push(say);
    const { answer, dropped: names } = await ask(say);
    const reply = next();
    const expected = {
      ...reply,
      reasoning: isShown(target) ? reply.reasoning : '',
      finish: reply.calls.length === 0 ? agent.finishes.stop : agent.finishes.calls,
    };
    if (!isDeepStrictEqual(answer, expected))
      reasons.push(`Turn ${turn}: ${JSON.stringify(answer)} instead of ${JSON.stringify(expected)}`);
    story.replies.push(reply);
    for (const name of membersIn(names)) dropped.add(name);
  }
  return { errors: [...stage.toFaults(id), ...reasons], size, dropped: [...dropped].sort() };
};
