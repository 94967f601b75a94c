import type { ApiCommand } from '../../kernel/resource/api-command.ts';
import type { ApiRequest } from '../client/ask-gateway.ts';
import { unusable } from '../command-line/command-failure.ts';
import type { ControlServices, FlagValues } from '../command-line/services.ts';
import { flagMembers, joined } from './flag-values.ts';
import type { BodyOrigin } from './format-problems.ts';
import { type FileOfBody, fileMembers } from './read-body-file.ts';

/** Dots alone would lead to another path. */
const toPath = (route: string, names: readonly string[]): string => {
  const given = names.values();
  return route.replace(/^\w+ /, '').replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = given.next().value ?? '';
    if (/^\.{0,2}$/.test(value))
      throw unusable(`"${value}" is no ${name}.`, 'Write one that the command "list" prints.');
    return encodeURIComponent(value);
  });
};

/** A request, and where its body came from. */
export interface Prepared {
  readonly request: ApiRequest;
  readonly origin: BodyOrigin;
}

export interface Arguments {
  readonly values: FlagValues;
  readonly names: readonly string[];
  readonly file: FileOfBody | undefined;
}

/** The request that the arguments of a command say. Throws a `CommandFailure`. */
export const prepareRequest = (
  { route, flags = {}, file: spec, defaults = {} }: ApiCommand,
  { values, names, file }: Arguments,
  { env }: ControlServices,
): Prepared => {
  const { body, query, headers } = flagMembers(flags, values, env);
  const ofFile = spec === undefined || file === undefined ? {} : fileMembers(spec, file);
  const method = route.slice(0, route.indexOf(' '));
  return {
    request: {
      method,
      path: toPath(route, names),
      query,
      headers,
      ...(method !== 'GET' && method !== 'DELETE' && { body: joined({ ...defaults, ...ofFile }, body) }),
    },
    origin: { file, flags, given: new Set(Object.keys(values)) },
  };
};
