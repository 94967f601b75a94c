import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../schema/json/json.ts';
import { runGw } from '../../support/commands/run-gw.ts';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';

const key = { api_key: '${env:KEY}' };
const asks = (provider: string, model: string): JsonObject => ({
  ...{ name: provider, provider, ...key },
  override_params: { model },
});
const eyes = { ...asks('openai', 'eyes'), name: 'eyes' };
const blind = { ...asks('openai', 'blind'), name: 'blind' };
const claude = asks('anthropic', 'mine');
const embedder = asks('voyage', 'voyage-4');
const fallback = (...targets: readonly JsonObject[]): JsonObject => ({ strategy: { mode: 'fallback' }, targets });

const gateway = {
  model_facts: [
    { provider: 'openai', model: 'eyes', context: 9000, output: 500, capabilities: ['chat', 'vision', 'tools'] },
    { provider: 'openai', model: 'blind', context: 1000, capabilities: ['chat', 'streaming'] },
  ],
};

const run = async (config: JsonObject, ...argv: readonly string[]): Promise<string> => {
  const [command = 'explain', ...more] = argv;
  const folder = temporaryFolder({ 'a.json': config, 'gateway.json': gateway });
  const { code, out, err } = await runGw(folder, [command, 'a.json', '--config', 'gateway.json', ...more]);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return out;
};

/** Returns the lines below the title that starts with these words, up to the next empty line. */
const below = (out: string, title: string): readonly string[] => {
  const lines = out.split('\n');
  const at = lines.findIndex((line) => line.startsWith(title));
  return at === -1 ? [] : lines.slice(at + 1, lines.indexOf('', at)).map((line) => line.trim().replace(/ {2,}/, ': '));
};

interface Found {
  readonly gaps: {
    readonly client: string | null;
    readonly leaves: readonly {
      readonly target: string;
      readonly beside: { readonly target: string };
      readonly gaps: readonly { readonly kind: string; readonly feature?: string; readonly by?: string }[];
    }[];
  };
}

const readJson = async (config: JsonObject, ...argv: readonly string[]): Promise<Found['gaps']> =>
  (JSON.parse(await run(config, 'explain', '--format', 'json', ...argv)) as Found).gaps;

describe('capability gaps between branches', () => {
  it('are notes in gw check, which do not make it fail', async () => {
    const out = await run(fallback(eyes, blind), 'check', '--max-warnings', '0');
    expect(out).toContain(
      'note[capability-gap]: This target does not serve everything that "eyes" serves: tools, images and requests of more than 1,000 tokens.',
    );
    expect(out).toMatch(/\n1 note in 1 file\.\n/);
    expect(await run(fallback(blind, { ...eyes, override_params: { model: 'other' } }), 'check')).toMatch(
      /^1 file, nothing to report\.\n/,
    );
  });

  it('are listed by gw explain with their reasons if they are certain', async () => {
    const out = await run(fallback(eyes, blind, claude), 'explain');
    expect(below(out, 'what requests that eyes serves lose at blind')).toEqual([
      'tools: Its model "blind" does not have it.',
      'images by their URL: Its model "blind" does not have it.',
      'images in the request itself: Its model "blind" does not have it.',
      'images by the ids of stored files: Its model "blind" does not have it.',
      'requests of more than 1,000 tokens: That is the limit of its model.',
    ]);
    expect(below(out, 'what requests that eyes serves lose at anthropic')).toEqual([]);
  });

  it('include parameters if a dialect of the clients is specified', async () => {
    const out = await run(fallback(eyes, claude), 'explain', '--dialect', 'chat');
    expect(below(out, 'what chat requests that eyes serves lose at anthropic')).toContain(
      '"seed": The API has no such parameter.',
    );
    expect(
      below(await run(fallback(claude, eyes), 'explain', '--dialect', 'messages'), 'what messages'),
    ).toContainEqual(expect.stringMatching(/^"top_k": /));
  });

  it('are a single one if the provider does not serve such requests at all', async () => {
    const { leaves } = await readJson(fallback(eyes, embedder), '--dialect', 'chat');
    expect(leaves.map(({ target, gaps }) => [target, gaps.map(({ kind }) => kind)])).toEqual([
      ['voyage', ['not-served']],
    ]);
  });

  it('are listed for each branch of a load balance, and not for a conditional', async () => {
    const balance = { strategy: { mode: 'loadbalance' }, targets: [blind, eyes] };
    const of = async (config: JsonObject) =>
      (await readJson(config)).leaves.map(({ target, beside, gaps }) => [
        ...[target, beside.target],
        gaps.flatMap(({ by, feature }) => (by === 'model' ? [feature] : [])),
      ]);
    const images = ['image-url', 'image-base64', 'image-file'];
    expect(await of(balance)).toEqual([
      ['blind', 'eyes', ['tools', ...images]],
      ['eyes', 'blind', ['streaming']],
    ]);
    const conditional = {
      strategy: {
        mode: 'conditional',
        conditions: [{ query: { 'metadata.a': 'b' }, then: 'eyes' }],
        default: 'blind',
      },
      targets: [eyes, blind],
    };
    expect(await of(conditional)).toEqual([]);
    expect(await of({ ...balance, strategy: { mode: 'loadbalance', require: 'capabilities' } })).toEqual([]);
    expect(await of({ ...balance, targets: [{ ...blind, weight: 0 }, eyes, { ...eyes, name: 'too' }] })).toEqual([]);
  });

  it('of a group that requires capabilities are only those that none of its targets serves', async () => {
    const able = { strategy: { mode: 'fallback', require: 'capabilities' }, name: 'able' };
    const targets = async (inner: JsonObject) =>
      (await readJson(fallback(eyes, inner))).leaves.map(({ target }) => target);
    expect(await targets({ ...able, targets: [blind, { ...eyes, name: 'too' }] })).toEqual([]);
    expect(await targets({ ...able, targets: [blind] })).toEqual(['blind']);
  });
});
