import type { RawHeaders, UpstreamAnswer } from '../../../plugins/sdk/http/http.ts';
import { seededChance } from '../../../runtime/memory/seeded-chance.ts';
import { toPointer } from '../../../schema/json/pointer.ts';
import { stubAnswer } from '../../support/stub-upstreams.ts';

/** Every draw of the model is that of a request's number and of a name. */
export const drawn = (name: string, nth: number): number =>
  seededChance.between({ seed: nth, path: toPointer([name]), visit: 1 }, 0, 1);

/** A time with this median, a twentieth of which are more than about twice as long. */
const spread = (medianMs: number, name: string, nth: number): number => {
  const radius = Math.sqrt(-2 * Math.log(1 - drawn(`${name}/radius`, nth)));
  return medianMs * Math.exp(0.4 * radius * Math.cos(2 * Math.PI * drawn(`${name}/angle`, nth)));
};

/** What a provider does with a request. */
export interface ModelledAnswer {
  readonly afterMs: number;
  readonly answer: UpstreamAnswer;
}

export interface ModelledProvider {
  readonly model: string;
  /** US dollars for a million tokens. */
  readonly price: number;
  /** The answer to its `nth` request, at a time of the run. */
  answer(nth: number, now: number): ModelledAnswer;
}

/** The tokens of every answer. */
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

/** Six times as slow from the second to the fourth minute. */
const slowing = (): ModelledProvider => ({
  model: 'slowing',
  price: 3,
  answer: (nth, now) => ({
    afterMs: spread(500, 'slowing', nth) * (isBetween(now, 2, 4) ? 6 : 1),
    answer: whole('slowing'),
  }),
});

const limitOfMinute = 120;

/** Answers so many requests in a minute, and says with each answer how many it has left. */
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

/** Fails three of four requests from the fifth to the seventh minute, at once. */
const failing = (): ModelledProvider => ({
  model: 'failing',
  price: 1,
  answer: (nth, now) =>
    isBetween(now, 5, 7) && drawn('failing/fails', nth) < 0.75
      ? { afterMs: 40, answer: refused(503) }
      : { afterMs: spread(550, 'failing', nth), answer: whole('failing') },
});

/** Three providers, each with a fault of its own. */
export const threeProviders = (): readonly ModelledProvider[] => [slowing(), limiting(), failing()];

/** Two whose answers are slow for such a share of requests, eight times as slow as the others; the second costs the same. */
export const sometimesSlow = (share: number): readonly ModelledProvider[] =>
  ['first', 'second'].map((model) => ({
    model,
    price: 1,
    answer: (nth) => ({
      afterMs: spread(500, model, nth) * (drawn(`${model}/slow`, nth) < share ? 8 : 1),
      answer: whole(model),
    }),
  }));
