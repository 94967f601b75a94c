import { lookUp } from '../../../../schema/json/look-up.ts';
import type { Resource } from '../../kernel/resource/api-command.ts';
import { apiResources } from './api-resources.ts';

const named = (
  { name, commands, parts = {} }: Resource,
  needed: readonly ('list' | 'create')[],
): readonly (readonly [string, string])[] => [
  ...(commands.list === undefined || needed.some((each) => commands[each] === undefined)
    ? []
    : [[commands.list.route.slice('GET /'.length), name] as const]),
  ...Object.values(parts).flatMap((part) => named(part, needed)),
];

const withParts = ({ parts = {}, ...resource }: Resource): readonly Resource[] => [resource, ...Object.values(parts)];

/** The commands that list and create the API's resources, by path below `/v1`. */
export const commandsByPath: Readonly<Record<string, string>> = Object.fromEntries(
  apiResources.flatMap((each) => named(each, ['create'])),
);

/** The commands that list the API's resources, by the same paths. */
const listsByPath: Readonly<Record<string, string>> = Object.fromEntries(
  apiResources.flatMap((each) => named(each, [])),
);

/** Returns the names of the resources whose command of a name has a route of this form, by the path in it. */
const namesByPath = (command: string, form: RegExp): Readonly<Record<string, string>> =>
  Object.fromEntries(
    apiResources.flatMap(withParts).flatMap(({ name, commands }) => {
      const [, path] = form.exec(commands[command]?.route ?? '') ?? [];
      return path === undefined ? [] : [[path, name]];
    }),
  );

/** The commands that list the versions of a record, by the paths of the API. */
const versionsByPath = namesByPath('versions', /^GET \/([\w/-]+)\/\{\w+\}\/versions$/);

/** The commands that change a record, by the paths of the API. */
const changesByPath = namesByPath('update', /^PUT \/([\w/-]+)\/\{\w+\}$/);

const withVersions = (text: string): string =>
  text.replaceAll(/\bGET \/v1\/([\w/-]+)\/([\w.-]+)\/versions\b/g, (request, path: string, record: string) => {
    const name = lookUp(versionsByPath, path);
    return name === undefined ? request : `gw ${name} versions ${record}`;
  });

const withLists = (text: string): string =>
  text.replaceAll(/\b(GET|POST) \/v1\/([\w/-]+)/g, (request, method: string, path: string) => {
    const name = lookUp(method === 'GET' ? listsByPath : commandsByPath, path);
    return name === undefined ? request : `gw ${name} ${method === 'GET' ? 'list' : 'create'}`;
  });

/**
 * Replaces the requests in a hint of the gateway by commands: `gw configs list` for `GET /v1/configs`. In commands that change a
 * record, `file` follows the name.
 */
export const asCommands = (text: string, file?: string): string =>
  withLists(withVersions(text)).replaceAll(
    /\bPUT \/v1\/([\w/-]+)\/([\w.-]*\w)(?=\s)/g,
    (request, path: string, record: string) => {
      const name = lookUp(changesByPath, path);
      return name === undefined
        ? request
        : [`gw ${name} update ${record}`, ...(file === undefined ? [] : [file])].join(' ');
    },
  );
