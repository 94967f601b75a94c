import type { JsonObject } from '../../../schema/json/json.ts';
import { stubAnswer } from '../../support/stub-upstreams.ts';
import { drawn } from './modelled-providers.ts';
import { runModel } from './modelled-run.ts';

const targets = ['one', 'two', 'three', 'four'] as const;

/** Providers forget what was not asked again for five minutes. */
const cachedMs = 300_000;

const tokensOfTurn = 300;

interface Turn {
  readonly conversation: number;
  /** From 1. */
  readonly turn: number;
}

const perSecond = 4;

export interface Conversations {
  readonly strategy: JsonObject;
  readonly conversations: number;
  /** In the mean. */
  readonly turns: number;
  /** How long a user thinks between two turns, in the middle. */
  readonly turnEveryS: number;
}

/** One more turn after each with the same likelihood. */
const lengthOf = (conversation: number, turns: number): number =>
  1 + Math.floor(Math.log(1 - drawn('turns', conversation)) / Math.log(1 - 1 / turns));

/** The turns of many conversations, in the order in which they are sent, until the last one has begun. */
const toTurns = ({ conversations, turns: most, turnEveryS }: Omit<Conversations, 'strategy'>): readonly Turn[] => {
  const turns: Turn[] = [];
  const open: { conversation: number; turn: number; of: number }[] = [];
  for (let next = 1, nth = 1; next <= conversations; nth += 1) {
    while (open.length < turnEveryS * perSecond && next <= conversations) {
      open.push({ conversation: next, turn: 0, of: lengthOf(next, most) });
      next += 1;
    }
    const at = Math.floor(drawn('speaks', nth) * open.length);
    const found = open[at];
    if (found === undefined) continue;
    found.turn += 1;
    turns.push({ conversation: found.conversation, turn: found.turn });
    if (found.turn === found.of) open.splice(at, 1);
  }
  return turns;
};

const toBody = ({ conversation, turn }: Turn): JsonObject => ({
  model: 'm',
  messages: Array.from({ length: turn * 2 - 1 }, (_, at) => ({
    role: at % 2 === 0 ? 'user' : 'assistant',
    content: `Turn ${at} of conversation ${conversation}.`,
  })),
});

const conversationOf = /of conversation (\d+)/;

/**
 * The share of all input tokens that four targets read from their caches, where each keeps the conversations that it has answered
 * for five minutes after their last turn there.
 */
export const cachedShare = async ({ strategy, ...conversing }: Conversations): Promise<number> => {
  const turns = toTurns(conversing);
  const caches = new Map<string, { readonly turns: number; readonly at: number }>();
  let asked = 0;
  let cached = 0;
  const turnAt = (nth: number): Turn => turns[nth - 1] ?? { conversation: 0, turn: 1 };
  await runModel({
    config: {
      strategy: { mode: 'loadbalance', ...strategy },
      targets: targets.map((name) => ({
        ...{ provider: 'openai', api_key: '${env:KEY}', custom_host: `https://${name}.example/v1` },
      })),
    },
    traffic: {
      ...{ requests: turns.length, perSecond },
      body: (nth) => toBody(turnAt(nth)),
      metadata: (nth) => ({ session: `${turnAt(nth).conversation}` }),
    },
    answerAt: ({ origin, body }, now) => {
      const text = body.kind === 'bytes' ? body.bytes.toString() : '';
      const said = text.split('"role"').length / 2;
      const key = `${new URL(origin).hostname}/${conversationOf.exec(text)?.[1]}`;
      const known = caches.get(key);
      asked += said * tokensOfTurn;
      if (known !== undefined && now - known.at <= cachedMs) cached += known.turns * tokensOfTurn;
      caches.set(key, { turns: said, at: now });
      return {
        afterMs: 500,
        answer: stubAnswer({
          id: 'c',
          object: 'chat.completion',
          created: 1,
          model: 'm',
          choices: [{ index: 0, message: { role: 'assistant', content: 'So.' }, finish_reason: 'stop' }],
        }),
      };
    },
  });
  return cached / asked;
};
