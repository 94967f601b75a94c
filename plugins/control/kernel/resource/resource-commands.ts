import type { ApiCommand, Resource as CommandResource, MemberFlags } from './api-command.ts';
import type { Resource, Verb } from './define-resource.ts';
import { searchFlags } from './flags.ts';

const memberFlags = ({ members }: Resource, isChange: boolean): MemberFlags =>
  Object.fromEntries(
    Object.entries(members).flatMap(([name, { schema, placeholder, presence }]) => {
      if (placeholder === undefined || (isChange && presence === 'fixed')) return [];
      const none = isChange && presence === 'optional' ? { none: 'none' } : {};
      return [[name, { value: placeholder, describe: schema.description, ...none }]];
    }),
  );

const scopeFlag = ({ owner, plural }: Resource): MemberFlags =>
  owner !== 'either'
    ? {}
    : {
        scope: {
          choices: ['workspace', 'organisation'],
          describe: `The owner; ${plural} of the organisation can be used in all of its workspaces.`,
        },
      };

/** The commands of a resource. */
export const resourceCommands = (resource: Resource): CommandResource => {
  const { noun, plural, path, command, headline, summary, summaries, naming, shown, searched } = resource;
  const { commands = {}, furtherCommands } = resource;
  const name = naming ?? 'id';
  const columns = Object.fromEntries(shown.map((member) => [member.toUpperCase().replaceAll('_', ' '), member]));
  const toCommand = (verb: Verb, made: Omit<ApiCommand, 'summary'>): ApiCommand => ({
    summary: summaries[verb],
    ...made,
    ...commands[verb],
  });
  return {
    name: command,
    headline,
    summary,
    commands: {
      list: toCommand('list', {
        route: `GET ${path}`,
        flags: searchFlags(plural, searched),
        shows: {
          as: 'table',
          columns:
            naming === undefined
              ? { ID: 'id', ...columns, CHANGED: 'last_updated_at' }
              : { ...columns, CHANGED: 'last_updated_at', ID: 'id' },
        },
      }),
      get: toCommand('get', { route: `GET ${path}/{${name}}`, shows: { as: 'record' } }),
      create: toCommand('create', {
        route: `POST ${path}`,
        flags: { ...memberFlags(resource, false), ...scopeFlag(resource) },
        shows: {
          as: 'said',
          text: naming === undefined ? `The ${noun} was created ({id}).` : `The ${noun} {${name}} was created.`,
        },
      }),
      update: toCommand('update', {
        route: `PUT ${path}/{${name}}`,
        flags: memberFlags(resource, true),
        shows: { as: 'said', text: `The ${noun} {${name}} was updated.` },
      }),
      delete: toCommand('delete', {
        route: `DELETE ${path}/{${name}}`,
        shows: { as: 'said', text: `The ${noun} {${name}} was deleted.` },
      }),
      ...furtherCommands,
    },
  };
};
