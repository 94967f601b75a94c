import { describe, expect, it } from 'vitest';
import { chat } from '../../../plugins/dialects/chat/chat.ts';
import { messages } from '../../../plugins/dialects/messages/messages.ts';
import type { Dialect } from '../../../plugins/sdk/dialect/dialect.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import { runGw } from '../../support/commands/run-gw.ts';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';

const key = { api_key: '${env:KEY}' };
const fallback = (...targets: readonly JsonObject[]): JsonObject => ({ strategy: { mode: 'fallback' }, targets });

const claude = { name: 'claude', provider: 'anthropic', ...key };
const llama = { name: 'llama', provider: 'groq', ...key };
const gpt = { name: 'gpt', provider: 'openai', ...key };
const cloud = { name: 'cloud', provider: 'vertex-ai', cloudb_project_id: 'p', cloudb_region: 'us-central1', ...key };

const explain = async (config: JsonObject, ...argv: readonly string[]): Promise<string> => {
  const { code, out, err } = await runGw(temporaryFolder({ 'a.json': config }), ['explain', 'a.json', ...argv]);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return out;
};

/** Returns the lines of the output that begin with these words, without the marks of the tree. */
const toLines = (out: string, words: string): readonly string[] =>
  out.split('\n').flatMap((line) => {
    const text = line.replace(/^[│ ]*/, '');
    return text.startsWith(words) ? [text] : [];
  });

/** Returns the members below a title, up to the next empty line. */
const membersBelow = (out: string, title: string): readonly string[] => {
  const lines = out.split('\n');
  const at = lines.indexOf(title);
  if (at === -1) return [];
  const end = lines.indexOf('', at);
  return lines.slice(at + 1, end).map((line) => /^ {2}(\S+) {2,}\S.*\.$/.exec(line)?.[1] ?? line);
};

const ofAnswers = /^(?:choices|created|id$|model$|usage\b)/;
const toLosses = ({ conversation }: Dialect, of: 'requests' | 'answers'): readonly string[] =>
  (conversation?.losses ?? [])
    .map(({ member }) => member)
    .filter((member) => ofAnswers.test(member) === (of === 'answers'));

describe('the dialects in gw explain', () => {
  it('are printed on one line for each leaf', async () => {
    const out = await explain(fallback(claude, gpt, cloud));
    expect(toLines(out, 'speaks')).toEqual([
      'speaks messages; requests in other dialects are translated to messages',
      'speaks chat and responses; requests in other dialects are translated to chat',
      'speaks gemini, messages or chat, as the model of the request requires',
    ]);
    expect(out).not.toContain('may lose');
  });

  it('are printed once if they are the same for every leaf', async () => {
    const out = await explain(fallback(claude, { ...claude, name: 'other' }));
    expect(toLines(out, 'speaks')).toHaveLength(1);
    expect(out.indexOf('speaks')).toBeLessThan(out.indexOf('fallback on'));
  });

  it('are those that the provider speaks with the model of the plan', async () => {
    const out = await explain({ ...cloud, override_params: { model: 'claude-sonnet-4-5' } });
    expect(toLines(out, 'speaks')).toEqual(['speaks messages; requests in other dialects are translated to messages']);
  });
});

describe('gw explain --dialect', () => {
  it('explains for each leaf how it serves the clients of a dialect', async () => {
    expect(toLines(await explain(fallback(claude, llama, gpt, cloud), '--dialect', 'messages'), 'messages:')).toEqual([
      'messages: the same dialect, nothing is translated',
      'messages: translated to chat, without logprobs, logit_bias and top_logprobs',
      'messages: translated to chat',
      'messages: the same dialect or translated to gemini or chat, as the model of the request requires',
    ]);
    expect(toLines(await explain(fallback(claude, gpt, cloud), '--dialect', 'completions'), 'completions:')).toEqual([
      'completions: translated to messages',
      'completions: the same dialect, nothing is translated',
      'completions: translated to gemini, messages or chat, as the model of the request requires',
    ]);
    expect(
      toLines(await explain(fallback(claude, llama, gpt, cloud), '--dialect', 'messages-count'), 'messages-count:'),
    ).toEqual([
      'messages-count: the same dialect, nothing is translated',
      'messages-count: estimated by the gateway, nothing is sent',
      'messages-count: translated to responses-count',
      'messages-count: the same dialect or translated to gemini-count, as the model of the request requires',
    ]);
    expect(toLines(await explain(fallback(claude, llama), '--dialect', 'embeddings'), 'embeddings:')).toEqual([
      'embeddings: not served (501)',
    ]);
  });

  it("refers to the caller's provider if the caller names it", async () => {
    expect(toLines(await explain({ retry: { attempts: 1 } }, '--dialect', 'chat'), 'chat:')).toEqual([
      'chat: as the provider that the caller names speaks it',
    ]);
  });

  it('lists each declared loss of requests and answers once, with its reason', async () => {
    const out = await explain(fallback(claude, llama, gpt), '--dialect', 'messages');
    expect(membersBelow(out, 'what requests translated to chat may lose')).toEqual(toLosses(chat, 'requests'));
    expect(membersBelow(out, 'what answers translated to messages may lose')).toEqual(toLosses(messages, 'answers'));
    // The other titles are for requests that the first target serves and that lose something at another target.
    expect(toLines(out, 'what ')).toHaveLength(5);
    for (const { member, why } of chat.conversation?.losses.slice(0, 3) ?? [])
      expect(out).toMatch(new RegExp(`^  ${member.replaceAll('.', '\\.')} +${why.replace(/[.]/g, '\\.')}$`, 'm'));
  });

  it('lists no losses if nothing is translated', async () => {
    expect(await explain(claude, '--dialect', 'messages')).not.toContain('may lose');
    expect(await explain(claude, '--dialect', 'embeddings')).not.toContain('may lose');
  });

  it('lists the losses of every dialect that the model of a request may select', async () => {
    const out = await explain(cloud, '--dialect', 'responses');
    expect(toLines(out, 'what ')).toEqual([
      'what requests translated to gemini may lose',
      'what requests translated to messages may lose',
      'what requests translated to chat may lose',
      'what answers translated to responses may lose',
    ]);
  });

  it('reports the same as JSON', async () => {
    const { dialect } = JSON.parse(await explain(fallback(claude, llama), '--dialect', 'chat', '--format', 'json'));
    expect(dialect).toMatchObject({
      id: 'chat',
      leaves: [
        { path: '/targets/0', target: 'claude', served: 'translated', to: 'messages', without: [] },
        { path: '/targets/1', target: 'llama', served: 'same' },
      ],
    });
    expect(dialect.losses.map(({ of, id }: JsonObject) => `${of} ${id}`)).toEqual([
      'requests messages',
      'answers chat',
      'provider groq',
    ]);
    expect(dialect.losses[0].losses).toContainEqual({
      member: 'sampling.seed',
      why: 'The API has no such parameter.',
    });
  });

  it('explains a compiled plan in the same way as its config', async () => {
    const cwd = temporaryFolder({ 'a.json': fallback(claude, cloud) });
    await runGw(cwd, ['compile', 'a.json', '--out', 'out', '--no-types']);
    const compiled = await runGw(cwd, ['explain', 'out/a.plan.json', '--dialect', 'chat']);
    expect(compiled).toEqual(await runGw(cwd, ['explain', 'a.json', '--dialect', 'chat']));
  });

  it.each([
    ['mesages', 'No client speaks a dialect "mesages". Did you mean "messages"?'],
    ['x', 'No client speaks a dialect "x". The dialects of clients are: "chat", "messages", '],
  ])('rejects the dialect %s in one sentence', async (id, words) => {
    const { code, out, err } = await runGw(temporaryFolder({ 'a.json': claude }), [
      'explain',
      'a.json',
      '--dialect',
      id,
    ]);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(words);
  });
});

describe('a provider that declares losses', () => {
  const plugin = `export default { name: 'acme', api: 1, providers: [{
    id: 'acme', documentation: 'https://acme.example/docs', baseUrl: 'https://acme.example/v1', credential: 'none',
    speaks: { chat: '/chat/completions' }, headers: () => [],
    losses: [{ member: 'sampling.seed', why: 'Its answers are never the same twice.' }],
  }] };`;

  const folder = (): string =>
    temporaryFolder({
      'gateway.json': { plugins: [{ package: './acme.mjs' }] },
      'acme.mjs': plugin,
      'a.json': { provider: 'acme', override_params: { seed: 1 } },
    });

  it('has them listed for its own dialect too', async () => {
    const { code, out } = await runGw(folder(), ['explain', 'a.json', '--dialect', 'chat']);
    expect(code).toBe(0);
    expect(membersBelow(out, 'what acme does not carry')).toEqual(['sampling.seed']);
  });

  it('is unknown in a compiled plan if its plugin is not loaded', async () => {
    const cwd = folder();
    await runGw(cwd, ['compile', 'a.json', '--out', 'out', '--no-types']);
    const bare = temporaryFolder({ 'gateway.json': {} });
    const { out } = await runGw(cwd, [
      'explain',
      'out/a.plan.json',
      '--dialect',
      'chat',
      '--config',
      `${bare}/gateway.json`,
    ]);
    expect(toLines(out, 'chat:')).toEqual(['chat: not known, because the plugin of the provider is not loaded']);
  });
});
