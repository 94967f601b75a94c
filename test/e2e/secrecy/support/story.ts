import type { TestUpstream } from '../../../support/upstream-server.ts';
import type { Answers, Asking, Told } from './answers.ts';
import type { Secrets } from './secrets.ts';

/** What the parts of a run share. */
export interface Story {
  readonly origin: string;
  readonly admin: string;
  readonly secrets: Secrets;
  readonly answers: Answers;
  readonly upstream: TestUpstream;
  /** Where webhooks are. */
  readonly hook: TestUpstream;
  /** Asks below `/v1` with the admin key; throws what a request is answered that must succeed. */
  done(request: string, asking?: Asking): Promise<Told>;
  /** Asks below `/v1` with the admin key, whatever is answered. */
  tried(request: string, asking?: Asking): Promise<Told>;
}

export const storyAt = (parts: Omit<Story, 'done' | 'tried'>): Story => {
  const { answers, origin, admin } = parts;
  const tried: Story['tried'] = (request, asking = {}) =>
    answers.ask(origin, request.replace('/', '/v1/'), { key: admin, ...asking });
  return {
    ...parts,
    tried,
    async done(request, asking) {
      const told = await tried(request, asking);
      if (told.status !== 200) throw new Error(`${request}: ${told.status} ${JSON.stringify(told.json)}`);
      return told;
    },
  };
};
