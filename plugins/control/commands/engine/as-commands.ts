import { resources } from '../../resources.ts';

/** What commands call the resources of the API, by their paths below `/v1`. */
export const commandsByPath: Readonly<Record<string, string>> = {
  'api-keys': 'keys',
  configs: 'configs',
  'policies/rate-limits': 'policies rate',
  'policies/usage-limits': 'policies usage',
  prompts: 'prompts',
  'prompts/partials': 'prompts partials',
  providers: 'providers',
  'virtual-keys': 'virtual-keys',
  workspaces: 'workspaces',
  ...Object.fromEntries(resources.map(({ path, command }) => [path.slice(1), command])),
};

const verbs: Readonly<Record<string, string>> = { GET: 'list', POST: 'create' };

/** A hint of the gateway's with the commands in place of the requests that it names: `gw configs list` for `GET /v1/configs`. */
export const asCommands = (text: string): string =>
  text.replaceAll(/\b(GET|POST) \/v1\/([\w/-]+)/g, (request, method: string, path: string) => {
    const name = Object.hasOwn(commandsByPath, path) ? commandsByPath[path] : undefined;
    return name === undefined ? request : `gw ${name} ${verbs[method]}`;
  });
