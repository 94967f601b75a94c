import { chmodSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, it, type TestContext } from 'vitest';
import { type ChangingFolder, changingFolder } from '../../support/gateways/changing-folder.ts';
import { startUpstream, type TestUpstream } from '../../support/servers/upstream-server.ts';
import { openaiAnswer } from '../../support/vendors/openai-wire.ts';

let upstream: TestUpstream;

beforeAll(async () => {
  upstream = await startUpstream();
  upstream.handle((call) => call.json(openaiAnswer({ text: 'yes' })));
});
afterAll(() => upstream.close());

/** Configs that differ in one number, and so in the hash of their plans. */
const plan = (timeout = 1000): object => ({
  provider: 'openai',
  api_key: '${env:KEY}',
  custom_host: `${upstream.origin}/v1`,
  request_timeout: timeout,
});

/** A folder with one config, which is the default. */
const site = (context: TestContext): ChangingFolder =>
  changingFolder(context, {
    'gateway.json': { configs: 'configs', default_config: 'main' },
    'configs/main.json': plan(),
  });

interface Way {
  /** The folder of configs. `configs` by default. */
  readonly configs?: string;
  readonly prepare?: (folder: ChangingFolder) => void;
  readonly change: (folder: ChangingFolder) => void;
}

const ways: { readonly [what: string]: Way } = {
  'is removed and made again': {
    change: ({ write, remove }) => {
      remove('configs');
      write({ 'configs/main.json': plan(2000) });
    },
  },
  'is swapped by rename': {
    change: ({ write, rename }) => {
      write({ 'next/main.json': plan(2000) });
      rename('configs', 'old');
      rename('next', 'configs');
    },
  },
  'is a link that is retargeted': {
    configs: 'live',
    prepare: ({ write, link }) => {
      write({ 'releases/1/main.json': plan() });
      link('releases/1', 'live');
    },
    change: ({ write, retarget }) => {
      write({ 'releases/2/main.json': plan(2000) });
      retarget('live', 'releases/2');
    },
  },
  'is in a folder that is swapped by rename': {
    configs: 'release/configs',
    prepare: ({ write }) => write({ 'release/configs/main.json': plan() }),
    change: ({ write, rename }) => {
      write({ 'next/configs/main.json': plan(2000) });
      rename('release', 'old');
      rename('next', 'release');
    },
  },
  'has files behind a link that is retargeted': {
    prepare: ({ write, remove, link }) => {
      write({ 'configs/..1/main.json': plan() });
      link('..1', 'configs/..data');
      remove('configs/main.json');
      link('..data/main.json', 'configs/main.json');
    },
    change: ({ write, retarget }) => {
      write({ 'configs/..2/main.json': plan(2000) });
      retarget('configs/..data', '..2');
    },
  },
  'has a link to a file elsewhere that is edited': {
    prepare: ({ write, remove, link }) => {
      write({ 'elsewhere/main.json': plan() });
      remove('configs/main.json');
      link('../elsewhere/main.json', 'configs/main.json');
    },
    change: ({ write }) => write({ 'elsewhere/main.json': plan(2000) }),
  },
  'has a file that an editor saves by rename': {
    change: ({ write, rename }) => {
      write({ 'configs/.main.json.swp': plan(2000) });
      rename('configs/.main.json.swp', 'configs/main.json');
    },
  },
  'has a file that is removed and added again': {
    change: ({ write, remove }) => {
      remove('configs/main.json');
      write({ 'configs/main.json': plan(2000) });
    },
  },
};

describe.concurrent('a folder of configs', () => {
  it.for(Object.entries(ways))('that %s is followed and stays watched', async ([_what, way], context) => {
    const { expect } = context;
    const folder = site(context);
    const { write, serve, ready, follows } = folder;
    const { configs = 'configs', prepare = () => {}, change } = way;
    write({ 'gateway.json': { configs, default_config: 'main' } });
    prepare(folder);
    await serve();
    await follows(() => change(folder));
    await follows(() => write({ [`${configs}/main.json`]: plan(3000) }));
    expect(await ready()).toMatchObject({ code: 200, status: 'ready' });
  });

  it('is followed while another file in it is constantly rewritten', async (context) => {
    const { expect } = context;
    const { at, write, serve, follows } = site(context);
    await serve();
    let writes = 0;
    const writing = setInterval(() => {
      writes += 1;
      writeFileSync(at('configs/log.txt'), `${writes}`);
    }, 10);
    try {
      await expect.poll(() => writes).toBeGreaterThan(2);
      await follows(() => write({ 'configs/main.json': plan(2000) }));
    } finally {
      clearInterval(writing);
    }
  });

  it('that is unavailable for a while keeps serving, is reported, and is followed when it is back', async (context) => {
    const { expect } = context;
    const folder = site(context);
    const { write, remove, serve, label, ready, count, follows } = folder;
    await serve();
    const before = await label();
    remove('configs');
    await expect.poll(ready).toMatchObject({
      code: 200,
      status: 'degraded',
      refused: [{ file: 'configs', reason: 'It does not exist. Restore it.' }],
    });
    expect(await label()).toBe(before);
    expect(JSON.stringify(await ready())).not.toContain(folder.path);
    await follows(() => write({ 'configs/main.json': plan(2000) }));
    expect(await ready()).toMatchObject({ code: 200, status: 'ready', refused: [] });
    expect(count('could not be read')).toBe(1);
  });

  it('that cannot be read for a while becomes ready again without a signal, even if no file has changed', async (context) => {
    const { expect } = context;
    const { write, remove, rename, serve, ask, ready } = site(context);
    await serve();
    rename('configs', 'kept');
    write({ configs: 'A file is in the way.' });
    await expect.poll(ready).toMatchObject({ code: 200, status: 'degraded', refused: [{ file: 'configs' }] });
    expect((await ask()).status).toBe(200);
    remove('configs');
    rename('kept', 'configs');
    await expect.poll(ready).toMatchObject({ code: 200, status: 'ready', refused: [] });
  });

  // The superuser can read everything.
  it.skipIf(process.getuid?.() === 0).for(['configs', 'configs/main.json'])(
    'keeps serving while %s cannot be read, and recovers by itself',
    async (name, context) => {
      const { expect } = context;
      const { at, serve, ask, ready } = site(context);
      await serve();
      chmodSync(at(name), 0);
      await expect.poll(ready).toMatchObject({ code: 200, status: 'degraded' });
      expect((await ask()).status).toBe(200);
      chmodSync(at(name), 0o755);
      await expect.poll(ready).toMatchObject({ code: 200, status: 'ready', refused: [] });
    },
  );

  it('reloads the readable files while one file cannot be read, and that file as soon as it can', async (context) => {
    const { expect } = context;
    const { write, remove, link, serve, ready, count, follows } = site(context);
    write({ 'configs/other.json': plan() });
    await serve();
    remove('configs/main.json');
    link('../elsewhere.json', 'configs/main.json');
    await follows(() => write({ 'configs/other.json': plan(2000) }), 'other');
    await expect.poll(ready).toMatchObject({
      code: 200,
      status: 'degraded',
      refused: [{ file: 'main.json', reason: 'It does not exist. Restore it.' }],
    });
    await follows(() => write({ 'elsewhere.json': plan(2000) }));
    expect(await ready()).toMatchObject({ code: 200, status: 'ready', refused: [] });
    expect(count('It does not exist')).toBe(1);
  });

  it('with an invalid file is degraded until the file is corrected, and reports it once', async (context) => {
    const { expect } = context;
    const { write, serve, ask, ready, count } = site(context);
    await serve();
    write({ 'configs/main.json': { provider: 'openaj' } });
    await expect.poll(ready).toMatchObject({ code: 200, status: 'degraded', refused: [{ file: 'main.json' }] });
    write({ 'configs/other.json': plan() });
    await expect.poll(async () => (await ask('other')).status).toBe(200);
    expect((await ask()).status).toBe(200);
    expect(count('unknown-provider')).toBe(1);
    expect(count('The last good configs stay in service.')).toBe(1);
    // The gateway already serves these plans.
    write({ 'configs/main.json': plan() });
    await expect.poll(ready).toMatchObject({ code: 200, status: 'ready' });
    await expect.poll(() => count('No file is refused any more')).toBe(1);
  });
});

describe.concurrent('a default config', () => {
  it('that is removed makes the gateway not ready until it is back', async (context) => {
    const { expect } = context;
    const { write, remove, serve, ask, ready, count } = site(context);
    write({ 'configs/other.json': plan() });
    await serve();
    remove('configs/main.json');
    const reason = expect.stringContaining('The default config "main" is not served');
    await expect.poll(ready).toMatchObject({ code: 503, status: 'not-ready', reason });
    const refused = await ask();
    expect(refused.status).toBe(503);
    expect(await refused.json()).toMatchObject({
      error: { code: 'missing-default-config', message: expect.stringContaining('"main"') },
    });
    expect((await ask('other')).status).toBe(200);
    expect(count('The default config "main" is not served')).toBe(1);
    write({ 'configs/main.json': plan() });
    await expect.poll(ready).toMatchObject({ code: 200, status: 'ready' });
    expect((await ask()).status).toBe(200);
  });
});

describe.concurrent('a change that needs a restart', () => {
  const needs = (what: string, file: string): string =>
    `${what} has changed on disk (${file}) since the gateway started. Restart the gateway to use it.`;
  const plugin = "import { name } from './lib/name.mjs';\nexport default { api: 1, name };\n";

  it.for(['plugin/index.mjs', 'plugin/lib/name.mjs', 'gateway.json'])(
    'is reported at /readyz and once on stderr when %s is edited, even with SIGHUP, but not for a new file time',
    async (name, context) => {
      const { expect } = context;
      const folder = site(context);
      const { write, serve, ask, ready, count } = folder;
      const settings = { configs: 'configs', default_config: 'main', plugins: [{ package: './plugin/index.mjs' }] };
      const files: Record<string, string> = {
        'plugin/index.mjs': plugin,
        'plugin/lib/name.mjs': "export const name = 'acme';\n",
        'gateway.json': JSON.stringify(settings),
      };
      write(files);
      await serve();
      write({ 'plugin/index.mjs': plugin });
      folder.gateway.signal('SIGHUP');
      await expect.poll(() => count('were reloaded')).toBe(1);
      expect(await ready()).toMatchObject({ status: 'ready', restart: [] });
      write({ [name]: `${files[name]}\n` });
      const part = name === 'gateway.json' ? 'The gateway file' : 'The plugin "acme"';
      const sentence = needs(part, path.basename(name));
      await expect.poll(ready).toMatchObject({ code: 200, status: 'degraded', restart: [sentence] });
      folder.gateway.signal('SIGHUP');
      await expect.poll(() => count('were reloaded')).toBe(2);
      expect((await ask()).status).toBe(200);
      expect(count(sentence)).toBe(1);
      write({ [name]: files[name] });
      await expect.poll(ready).toMatchObject({ code: 200, status: 'ready', restart: [] });
    },
  );
});
