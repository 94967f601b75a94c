import type { Resource as CommandResource, MemberFlags } from '../../commands/engine/api-command.ts';
import { pagingFlags } from '../../commands/resources/flags.ts';
import type { Resource } from './define-resource.ts';

const memberFlags = ({ members }: Resource, isChange: boolean): MemberFlags =>
  Object.fromEntries(
    Object.entries(members)
      .filter(([, { presence }]) => !(isChange && presence === 'fixed'))
      .map(([name, { schema, placeholder, presence }]) => [
        name,
        {
          value: placeholder,
          describe: schema.description,
          ...(isChange && presence === 'optional' ? { none: 'none' } : {}),
        },
      ]),
  );

const heading = (member: string): string => member.toUpperCase().replaceAll('_', ' ');

const afterFlag: MemberFlags = {
  after: { in: 'query', value: 'ID', describe: 'The id of the last one of the page before, in place of --page.' },
};

/** The commands of a resource. */
export const resourceCommands = (resource: Resource): CommandResource => {
  const { noun, path, command, summary, summaries, naming, shown } = resource;
  const name = naming ?? 'id';
  const columns = Object.fromEntries(shown.map((member) => [heading(member), member]));
  return {
    name: command,
    summary,
    commands: {
      list: {
        summary: summaries.list,
        route: `GET ${path}`,
        flags: { ...pagingFlags, ...afterFlag },
        shows: {
          as: 'table',
          columns:
            naming === undefined
              ? { ID: 'id', ...columns, CHANGED: 'last_updated_at' }
              : { ...columns, CHANGED: 'last_updated_at', ID: 'id' },
        },
      },
      get: { summary: summaries.get, route: `GET ${path}/{${name}}`, shows: { as: 'record' } },
      create: {
        summary: summaries.create,
        route: `POST ${path}`,
        flags: memberFlags(resource, false),
        shows: {
          as: 'said',
          text: naming === undefined ? `The ${noun} is made ({id}).` : `The ${noun} {${name}} is made.`,
        },
      },
      update: {
        summary: summaries.update,
        route: `PUT ${path}/{${name}}`,
        flags: memberFlags(resource, true),
        shows: { as: 'said', text: `The ${noun} {${name}} is changed.` },
      },
      delete: {
        summary: summaries.delete,
        route: `DELETE ${path}/{${name}}`,
        shows: { as: 'said', text: `The ${noun} {${name}} is deleted.` },
      },
    },
  };
};
