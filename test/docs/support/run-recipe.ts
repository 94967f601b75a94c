import { readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { root } from '../../../tools/build/package-modules.ts';
import { checkExampleTypes } from '../../support/readme/check-example-types.ts';
import { type CommandLine, commandLines } from '../../support/readme/command-lines.ts';
import { type ExampleFolder, quietCurl, strictCurl } from '../../support/readme/example-folder.ts';
import { matchesOutput } from '../../support/readme/matches-output.ts';
import { isServer, ShellSession } from '../../support/readme/shell-session.ts';
import { patience } from '../../support/run/patience.ts';
import { freePort } from '../../support/servers/free-port.ts';
import { type RecipeBlock, recipeBlocks } from './recipe-blocks.ts';
import type { RecipeUpstream } from './recipe-upstream.ts';
import { redirectProviders } from './redirect-providers.ts';

export interface RecipeWorld {
  readonly folder: ExampleFolder;
  readonly upstream: RecipeUpstream;
  /** Whether packages are installed from their registries, and the blocks that need them are run. */
  readonly installs: boolean;
}

/** The address of the OpenTelemetry receiver in recipes. */
const receiver = 'localhost:4318';

const installPattern = /^(?:npm|pip) install /;

/** Matches a command that imports the configs of another gateway's file into a folder. */
const importPattern = /^gw import .* --out (?<out>\S+)$/;

/** Points imported configs to the fake providers. */
const redirectImported = (out: string, { folder, upstream }: RecipeWorld): void => {
  for (const name of readdirSync(path.join(folder.path, out, 'configs'))) {
    const text = readFileSync(path.join(folder.path, out, 'configs', name), 'utf8');
    folder.write(path.join(out, 'configs', name), redirectProviders(`configs/${name}`, text, upstream.origin));
  }
};

/** Makes the packages that a command names those of this checkout. */
const linkPackages = async (command: string, folder: ExampleFolder): Promise<void> => {
  for (const name of command.split(' ').slice(2)) {
    const link = path.join(folder.path, 'node_modules', name);
    await mkdir(path.dirname(link), { recursive: true });
    symlinkSync(path.join(root, 'node_modules', name), link, 'junction');
  }
};

/** Replaces the addresses in recipes by the ones used here. */
const toHere = (markdown: string, { port }: RecipeUpstream, gateway: number): string =>
  markdown
    .replaceAll('8787', String(gateway))
    .replaceAll('my_vllm:8000', `127.0.0.1:${port}`)
    .replaceAll(receiver, `127.0.0.1:${port}`);

/** A reader with one shell. */
class Reader {
  readonly #world: RecipeWorld;
  readonly #session: ShellSession;
  readonly #unlike: string[] = [];

  constructor(world: RecipeWorld, env: NodeJS.ProcessEnv) {
    this.#world = world;
    this.#session = new ShellSession({ ...world.folder, env });
  }

  /** Runs the commands of a block, and returns the output of those that install nothing. */
  async run(block: RecipeBlock): Promise<string> {
    let printed = '';
    for (const line of commandLines(block)) {
      // The port is in use until the previous gateway has stopped.
      if (isServer(line.text)) await this.#session.end();
      if (installPattern.test(line.text)) await this.#install(line);
      else {
        const before = this.#session.output.length;
        await this.#session.run(line);
        printed += this.#session.output.slice(before);
        const { out } = importPattern.exec(line.text)?.groups ?? {};
        if (out !== undefined) redirectImported(out, this.#world);
      }
    }
    return printed;
  }

  async #install(line: CommandLine): Promise<void> {
    const { folder, installs } = this.#world;
    if (installs) await this.#session.run(line);
    else await linkPackages(line.text, folder);
  }

  /** Runs a block and compares its output with the one that is shown, which also reveals failures. */
  async compare(block: RecipeBlock, shown: RecipeBlock): Promise<void> {
    this.#world.folder.write('.home/.curlrc', quietCurl);
    const failed = this.#session.problems.length;
    const deadline = Date.now() + (block.retried ? patience.timeout : 0);
    let output = await this.run(block);
    while (!matchesOutput(shown.text, output) && Date.now() < deadline) output = await this.run(block);
    this.#session.problems.splice(failed);
    this.#world.folder.write('.home/.curlrc', strictCurl);
    if (!matchesOutput(shown.text, output)) this.#unlike.push(`line ${shown.line}: the output is another:\n${output}`);
  }

  /** Stops whatever is still running, and returns a sentence for everything that differed from the recipe. */
  async end(): Promise<readonly string[]> {
    await this.#session.end();
    return [...this.#session.problems, ...this.#unlike];
  }
}

/** Follows a recipe as a reader would, and returns a sentence for everything that differs from it. */
export const runRecipe = async (markdown: string, world: RecipeWorld): Promise<readonly string[]> => {
  const { folder, upstream, installs } = world;
  const blocks = recipeBlocks(toHere(markdown, upstream, await freePort()));
  const trusted = markdown.includes('"trusted_hosts"') ? {} : { GW_TRUSTED_HOSTS: '127.0.0.1' };
  const reader = new Reader(world, { ...folder.env, HOME: folder.path, ...trusted });
  for (const [at, block] of blocks.entries()) {
    const { file, language, run } = block;
    for (const instruction of block.upstream) upstream.follow(instruction);
    if (file !== undefined) folder.write(file, redirectProviders(file, block.text, upstream.origin));
    else if (language === 'sh' && (run === 'tested' || (installs && run === 'by command'))) {
      const next = blocks[at + 1];
      if (next?.language === 'text' && next.follows) await reader.compare(block, next);
      else await reader.run(block);
    }
  }
  const problems = [...(await reader.end()), ...upstream.problems];
  const traced = markdown.includes(receiver) && !upstream.requests.some(({ path: to }) => to === '/v1/traces');
  if (traced) problems.push('No traces reached the receiver.');
  const typed = blocks.flatMap(({ file = '' }) => (/\.m?ts$/.test(file) ? [file] : []));
  const said = typed.length === 0 ? '' : await checkExampleTypes(typed, folder);
  return said === '' ? problems : [...problems, said];
};
