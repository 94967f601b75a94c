import { errorText } from '../../../schema/text/error-text.ts';
import type { Answer, Refusal } from '../../matrix/scenario.ts';
import { createChatDriver } from '../../matrix/upstreams/chat/chat-driver.ts';
import { openaiVendor } from '../../matrix/upstreams/chat/chat-vendors.ts';
import { messagesDriver } from '../../matrix/upstreams/messages/messages-driver.ts';
import { responsesDriver } from '../../matrix/upstreams/responses/responses-driver.ts';
import type { UpstreamDriver } from '../../matrix/upstreams/upstream-driver.ts';
import { startUpstream, type TestUpstream, type UpstreamCall } from '../../support/servers/upstream-server.ts';
import { greeting } from './recipe-greeting.ts';
import { findOperation } from './recipe-operations.ts';

/** The providers of a recipe, and the receiver of its traces. */
export interface RecipeUpstream extends Pick<TestUpstream, 'origin' | 'port' | 'requests' | 'close'> {
  /** Requests that no recipe should send and that a provider would have rejected. */
  readonly problems: readonly string[];
  /** Follows a comment of a recipe: `openai: 429, 429`, `openai: accepts sk-new` or `openai: never gets ada@example.org`. */
  follow(instruction: string): void;
}

const usage = { input: 12, output: 9 };

const drivers: readonly (readonly [RegExp, UpstreamDriver])[] = [
  [
    /\/chat\/completions(?:\?|$)/,
    createChatDriver({ ...openaiVendor, members: [...openaiVendor.members, 'num_ctx', 'provider'] }),
  ],
  [/\/messages(?:\?|$)/, messagesDriver],
  [/\/responses(?:\?|$)/, responsesDriver],
];

/** Whether a recipe starts the provider itself. Such a provider requires no key. */
const isPrivate = (provider: string): boolean => provider === 'v1';

const refusals: Readonly<Record<number, string>> = {
  401: 'Incorrect API key provided.',
  429: 'Rate limit reached for requests.',
};

const toRefusal = (status: number): Refusal => ({
  kind: 'error',
  status,
  message: refusals[status] ?? 'The server had an error while processing your request.',
});

const toReply = (asked: string): Answer => {
  const [, repeated] = /^Repeat: (.*)$/s.exec(asked) ?? [];
  return { kind: 'answer', text: repeated ?? greeting, finish: 'stop', usage };
};

const answerOperation = (call: UpstreamCall, refused: number | undefined): void => {
  const operation = findOperation(call.request.path);
  if (operation === undefined) call.json({ error: { message: 'Unknown request URL.' } }, { status: 404 });
  else if (refused === undefined) operation(call);
  else call.json({ error: { message: refusals[refused] } }, { status: refused });
};

/** Starts providers that answer in the formats of their vendors and reject what those reject. */
export const startRecipeUpstream = async (): Promise<RecipeUpstream> => {
  const problems: string[] = [];
  const refusing = new Map<string, number[]>();
  const accepted = new Map<string, string>();
  const secrets: string[] = [];

  const findRefusal = ({ request }: UpstreamCall, provider: string): number | undefined => {
    const key = request.header('x-api-key') ?? request.header('api-key') ?? request.header('authorization');
    const only = accepted.get(provider);
    if (!isPrivate(provider) && key === undefined) return 401;
    // Anthropic accepts the token of a subscription only as a bearer token.
    if (request.header('x-api-key')?.startsWith('sk-ant-oat') === true) return 401;
    if (only !== undefined && key?.endsWith(only) !== true) return 401;
    return refusing.get(provider)?.shift();
  };

  const upstream = await startUpstream((call) => {
    const { path } = call.request;
    const [, provider = ''] = path.split('/');
    const driver = drivers.find(([pattern]) => pattern.test(path))?.[1];
    problems.push(...secrets.filter((secret) => call.request.text().includes(secret)).map((text) => `It got ${text}.`));
    try {
      if (/^\/v1\/(?:traces|metrics)$/.test(path)) return call.answer({});
      const refused = findRefusal(call, provider);
      if (/\/models(?:\?|$)/.test(path))
        return refused === undefined
          ? call.json({ object: 'list', data: [] })
          : call.json({ error: { message: refusals[refused] } }, { status: refused });
      if (driver === undefined) return answerOperation(call, refused);
      if (refused !== undefined) return driver.answer(call, toRefusal(refused), false);
      const { stream, user } = driver.hear(call.request);
      return driver.answer(call, toReply(user.at(-1) ?? ''), stream);
    } catch (error) {
      problems.push(`${path}: ${errorText(error)}`);
      return call.json({ error: { message: errorText(error) } }, { status: 400 });
    }
  });

  return {
    origin: upstream.origin,
    port: upstream.port,
    requests: upstream.requests,
    problems,
    close: () => upstream.close(),
    follow: (instruction) => {
      const [provider = '', what = ''] = instruction.split(': ');
      if (what.startsWith('accepts ')) accepted.set(provider, what.slice('accepts '.length));
      else if (what.startsWith('never gets ')) secrets.push(what.slice('never gets '.length));
      else refusing.set(provider, what.split(', ').map(Number));
    },
  };
};
