/**
 * `npm run recipes`: follows the recipes with clients from npm and PyPI, which their tests cannot use. It installs them in
 * folders that it removes afterwards, or once in the folder that `RECIPES_TOOLS` names. It requires Python 3.10 or newer. If
 * recipes are named as arguments, only those are followed. It exits with 1 if a recipe does not do what it says.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import buildInstalledGateway from '../support/gateways/build-installed-gateway.ts';
import { createExampleFolder } from '../support/readme/example-folder.ts';
import { recipeBlocks } from './support/recipe-blocks.ts';
import { readRecipe, recipePages } from './support/recipe-pages.ts';
import { startRecipeUpstream } from './support/recipe-upstream.ts';
import { runRecipe } from './support/run-recipe.ts';

const run = promisify(execFile);

/** Returns an environment in which `pip install` and `npm install -g` install into a folder. */
const withTools = async (tools: string, { PATH = '', ...env }: NodeJS.ProcessEnv): Promise<NodeJS.ProcessEnv> => {
  if (!existsSync(path.join(tools, 'bin/pip'))) await run('python3', ['-m', 'venv', tools]);
  return {
    ...env,
    PATH: [path.join(tools, 'bin'), PATH].join(path.delimiter),
    npm_config_prefix: tools,
    // Otherwise LiteLLM would load its prices, and agents their updates and model lists, from the network.
    LITELLM_LOCAL_MODEL_COST_MAP: 'True',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    OPENCODE_DISABLE_MODELS_FETCH: '1',
  };
};

const follow = async (file: string, tools: string): Promise<readonly string[]> => {
  using place = createExampleFolder();
  const upstream = await startRecipeUpstream();
  try {
    const folder = { ...place, env: await withTools(path.join(tools, path.basename(file, '.md')), place.env) };
    return await runRecipe(readRecipe(file), { folder, upstream, installs: true });
  } finally {
    await upstream.close();
  }
};

const only = process.argv.slice(2);
const pages = recipePages.filter((file) =>
  only.length > 0
    ? only.includes(path.basename(file, '.md'))
    : recipeBlocks(readRecipe(file)).some(({ run: how }) => how === 'by command'),
);
const given = process.env.RECIPES_TOOLS;
const tools = given ?? (await mkdtemp(path.join(tmpdir(), 'gw-recipes-')));
try {
  await buildInstalledGateway();
  for (const page of pages) {
    const problems = await follow(page, tools);
    process.stdout.write(
      problems.length === 0 ? `${page}: it does what it says.\n` : `${page}:\n${problems.join('\n\n')}\n`,
    );
    if (problems.length > 0) process.exitCode = 1;
  }
} finally {
  if (given === undefined) await rm(tools, { recursive: true, force: true, maxRetries: 3 });
}
