import type { TestUpstream } from '../../../support/servers/upstream-server.ts';
import type { Answers, Asking, JsonAnswer } from './answers.ts';
import type { Secrets } from './secrets.ts';

/** The parts that the steps of a run share. */
export interface Story {
  readonly origin: string;
  readonly admin: string;
  readonly secrets: Secrets;
  readonly answers: Answers;
  readonly upstream: TestUpstream;
  /** The server that receives webhooks. */
  readonly hook: TestUpstream;
  /** Sends a request below `/v1` with the admin key. Throws if it does not succeed. */
  done(request: string, asking?: Asking): Promise<JsonAnswer>;
  /** Sends a request below `/v1` with the admin key, whatever the answer. */
  tried(request: string, asking?: Asking): Promise<JsonAnswer>;
}

export const storyAt = (parts: Omit<Story, 'done' | 'tried'>): Story => {
  const { answers, origin, admin } = parts;
  const tried: Story['tried'] = (request, asking = {}) =>
    answers.ask(origin, request.replace('/', '/v1/'), { key: admin, ...asking });
  return {
    ...parts,
    tried,
    async done(request, asking) {
      const answer = await tried(request, asking);
      if (answer.status !== 200) throw new Error(`${request}: ${answer.status} ${JSON.stringify(answer.json)}`);
      return answer;
    },
  };
};
