import type { Dialect } from '../../../plugins/sdk/dialect/dialect.ts';
import { definePlugin, type Plugin } from '../../../plugins/sdk/plugin/plugin.ts';
import { defineProvider } from '../../../plugins/sdk/provider/provider.ts';
import type { JsonObject } from '../../../schema/json/json.ts';

/** A plugin with the provider `speaker`, which has one dialect. */
export const speaking = ({ id }: Pick<Dialect, 'id'>): Plugin =>
  definePlugin({
    name: `speaking-${id}`,
    providers: [
      defineProvider({
        id: 'speaker',
        documentation: 'here',
        baseUrl: 'https://speaker.example',
        credential: 'optional',
        speaks: { [id]: '/say' },
        headers: () => [],
      }),
    ],
  });

/** A request for a stream with a text as its message or prompt. */
export const streamedRequest = ({ id, conversation }: Dialect, text: string, maxTokens = 9): JsonObject => {
  if (conversation === undefined) return { model: 'm', prompt: text, stream: true };
  const asked = {
    model: 'm',
    system: [],
    turns: [{ role: 'user' as const, parts: [{ kind: 'text' as const, text }] }],
    tools: [],
    sampling: { maxTokens },
    stream: true,
    extensions: {},
  };
  const target = { provider: id, strict: true, drop: new Set<string>(), scope: 'here' };
  return conversation.encodeRequest(asked, target).body;
};
