import type { JsonObject } from '../../../schema/json/json.ts';
import { stubAnswer } from '../../support/in-process/stub-upstreams.ts';
import { drawn } from './modelled-providers.ts';
import { runModel } from './modelled-run.ts';

const targets = ['one', 'two', 'three', 'four'] as const;

/** Providers drop a cached conversation five minutes after its last request. */
const cachedMs = 300_000;

const tokensOfTurn = 300;

interface Turn {
  readonly conversation: number;
  /** The number of the turn, starting at 1. */
  readonly turn: number;
}

const perSecond = 4;

export interface Conversations {
  readonly strategy: JsonObject;
  readonly conversations: number;
  /** The mean number of turns. */
  readonly turns: number;
  /** The median time between two turns of a user. */
  readonly turnEveryS: number;
}

/** Draws the number of turns. After each turn, another one follows with the same probability. */
const lengthOf = (conversation: number, turns: number): number =>
  1 + Math.floor(Math.log(1 - drawn('turns', conversation)) / Math.log(1 - 1 / turns));

/** Returns the turns of many conversations in the order in which they are sent, until the last conversation starts. */
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
 * Returns the share of all input tokens that four targets read from their caches. Each target caches the conversations that it
 * answered for five minutes after their last turn at that target.
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
