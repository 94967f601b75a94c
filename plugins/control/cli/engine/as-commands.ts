import type { Resource } from '../../kernel/resource/api-command.ts';
import { apiResources } from '../resources/api-resources.ts';

const listed = ({ name, commands: { list, create }, parts = {} }: Resource): readonly (readonly [string, string])[] => [
  ...(list === undefined || create === undefined ? [] : [[list.route.slice('GET /'.length), name] as const]),
  ...Object.values(parts).flatMap(listed),
];

/** What commands list and make the resources of the API, by their paths below `/v1`. */
export const commandsByPath: Readonly<Record<string, string>> = Object.fromEntries(apiResources.flatMap(listed));

const verbs: Readonly<Record<string, string>> = { GET: 'list', POST: 'create' };

/** A hint of the gateway's with the commands in place of the requests that it names: `gw configs list` for `GET /v1/configs`. */
export const asCommands = (text: string): string =>
  text.replaceAll(/\b(GET|POST) \/v1\/([\w/-]+)/g, (request, method: string, path: string) => {
    const name = Object.hasOwn(commandsByPath, path) ? commandsByPath[path] : undefined;
    return name === undefined ? request : `gw ${name} ${verbs[method]}`;
  });
