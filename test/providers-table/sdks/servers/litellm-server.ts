import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { freePort } from '../../../support/servers/free-port.ts';
import { installFromPypi } from '../python/install-from-pypi.ts';
import type { VendorServer } from './vendor-server.ts';

const model = 'a-model';
const key = 'sk-of-the-server';

const toConfig = (upstream: string): object => ({
  model_list: [
    {
      model_name: model,
      litellm_params: { model: `openai/${model}`, api_key: 'key-of-the-upstream', api_base: `${upstream}/v1` },
    },
  ],
  general_settings: { master_key: key },
});

/** Resolves when the server reports that it is ready; rejects if it exits before. */
const waitUntilServing = async (child: ChildProcess): Promise<void> => {
  const { stderr } = child;
  if (stderr === null) throw new Error('Its output is not read.');
  let said = '';
  for await (const line of createInterface({ input: stderr })) {
    said += `${line}\n`;
    if (line.includes('running on')) {
      stderr.resume();
      return;
    }
  }
  throw new Error(`LiteLLM has not started.\n${said}`);
};

/** https://docs.litellm.ai/docs/simple_proxy */
export const litellmServer: VendorServer = {
  provider: 'litellm',
  dialects: [
    ...['chat', 'responses', 'completions', 'embeddings', 'messages', 'messages-count', 'responses-count'],
    ...['moderations', 'images'],
  ],
  model,
  async start(folder, upstream) {
    const { versionOf } = await installFromPypi(folder, ['litellm[proxy]']);
    const config = path.join(folder, 'config.yaml');
    await writeFile(config, JSON.stringify(toConfig(upstream)));
    const port = await freePort();
    const args = ['--config', config, '--host', '127.0.0.1', '--port', String(port)];
    const child = spawn(path.join(folder, 'bin/litellm'), args, {
      // By default the server loads its prices from the network.
      env: { ...process.env, LITELLM_LOCAL_MODEL_COST_MAP: 'True' },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const ended = once(child, 'exit');
    await waitUntilServing(child);
    return {
      library: `litellm[proxy] ${await versionOf('litellm')} (PyPI)`,
      ...{ baseUrl: `http://127.0.0.1:${port}/v1`, key },
      async stop() {
        child.kill();
        await ended;
      },
    };
  },
};
