import type { RawHeaders, UpstreamAnswer } from '../../../plugins/sdk/http/http.ts';
import { seededChance } from '../../../runtime/in-memory/seeded-chance.ts';
import { toPointer } from '../../../schema/json/pointer.ts';
import { stubAnswer } from '../../support/in-process/stub-upstreams.ts';

/** Draws a number that depends only on the number of the request and a name. */
export const drawn = (name: string, nth: number): number =>
  seededChance.between({ seed: nth, path: toPointer([name]), visit: 1 }, 0, 1);

/** Draws a time with this median. One in twenty is more than about twice as long. */
const spread = (medianMs: number, name: string, nth: number): number => {
  const radius = Math.sqrt(-2 * Math.log(1 - drawn(`${name}/radius`, nth)));
  return medianMs * Math.exp(0.4 * radius * Math.cos(2 * Math.PI * drawn(`${name}/angle`, nth)));
};

/** A provider's answer to a request, and when it arrives. */
export interface ModelledAnswer {
  readonly afterMs: number;
  readonly answer: UpstreamAnswer;
}

export interface ModelledProvider {
  readonly model: string;
  /** US dollars per million tokens. */
  readonly price: number;
  /** Answers the `nth` request, at a time of the run. */
  answer(nth: number, now: number): ModelledAnswer;
}

/** The tokens of every request and answer. */
export const tokens = { input: 400, output: 100 } as const;

const whole = (model: string, headers: RawHeaders = []): UpstreamAnswer =>
  stubAnswer(
    {
      ...{ id: 'c', object: 'chat.completion', created: 1, model },
      choices: [{ index: 0, message: { role: 'assistant', content: 'Yes.' }, finish_reason: 'stop' }],
      usage: {
        prompt_tokens: tokens.input,
        completion_tokens: tokens.output,
        total_tokens: tokens.input + tokens.output,
      },
    },
    { headers: ['content-type', 'application/json', ...headers] },
  );

const refused = (status: number, headers: RawHeaders = []): UpstreamAnswer =>
  stubAnswer({ error: { message: 'Not now.' } }, { status, headers: ['content-type', 'application/json', ...headers] });

const minute = 60_000;

const isBetween = (now: number, from: number, to: number): boolean => now >= from * minute && now < to * minute;

/** A provider that is six times as slow from the second to the fourth minute. */
const slowing = (): ModelledProvider => ({
  model: 'slowing',
  price: 3,
  answer: (nth, now) => ({
    afterMs: spread(500, 'slowing', nth) * (isBetween(now, 2, 4) ? 6 : 1),
    answer: whole('slowing'),
  }),
});

const limitOfMinute = 120;

/** A provider that answers a limited number of requests per minute, and reports with each answer how many are left. */
const limiting = (): ModelledProvider => {
  let window = -1;
  let taken = 0;
  return {
    model: 'limiting',
    price: 2,
    answer(nth, now) {
      const current = Math.floor(now / minute);
      if (current !== window) {
        window = current;
        taken = 0;
      }
      taken += 1;
      const resetS = Math.ceil(((current + 1) * minute - now) / 1000);
      const left = Math.max(0, limitOfMinute - taken);
      const headers = [
        ...['x-ratelimit-limit-requests', `${limitOfMinute}`, 'x-ratelimit-remaining-requests', `${left}`],
        ...['x-ratelimit-reset-requests', `${resetS}s`],
      ];
      if (taken > limitOfMinute) return { afterMs: 60, answer: refused(429, [...headers, 'retry-after', `${resetS}`]) };
      return { afterMs: spread(600, 'limiting', nth), answer: whole('limiting', headers) };
    },
  };
};

/** A provider that immediately fails three of four requests from the fifth to the seventh minute. */
const failing = (): ModelledProvider => ({
  model: 'failing',
  price: 1,
  answer: (nth, now) =>
    isBetween(now, 5, 7) && drawn('failing/fails', nth) < 0.75
      ? { afterMs: 40, answer: refused(503) }
      : { afterMs: spread(550, 'failing', nth), answer: whole('failing') },
});

/** Three providers, each with a different fault. */
export const threeProviders = (): readonly ModelledProvider[] => [slowing(), limiting(), failing()];

/** Two providers with the same price, whose answers to this share of requests are eight times as slow as the others. */
export const sometimesSlow = (share: number): readonly ModelledProvider[] =>
  ['first', 'second'].map((model) => ({
    model,
    price: 1,
    answer: (nth) => ({
      afterMs: spread(500, model, nth) * (drawn(`${model}/slow`, nth) < share ? 8 : 1),
      answer: whole(model),
    }),
  }));
