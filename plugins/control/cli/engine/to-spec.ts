import type { ApiCommand, FlagSpec, MemberFlag } from '../../kernel/resource/api-command.ts';
import { accessFlags, accessNotes } from '../client/gateway-access.ts';
import type { CommandSpec } from '../command-line/services.ts';

const formatFlag = {
  type: 'string',
  choices: ['human', 'json'],
  describe: 'Text for people, or the JSON that the gateway answers.',
} as const;

const flagSpec = ({ form, value, describe, choices }: MemberFlag): FlagSpec => ({
  type: form === 'yes' ? 'boolean' : 'string',
  describe,
  ...(value !== undefined && { value }),
  ...(form === 'choice' && { choices: ['yes', 'no'] }),
  ...(form === 'pair' && { many: true }),
  ...(choices !== undefined && { choices }),
});

/** The names in the braces of a route. */
export const namesIn = (route: string): readonly string[] =>
  [...route.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);

/** The command line of a command, from its row. */
export const toSpec = (name: string, { summary, route, flags = {}, file, notes }: ApiCommand): CommandSpec => {
  const names = namesIn(route).map((each) => each.toUpperCase());
  const files = file === undefined ? [] : [file.optional === true ? `[${file.name}]` : file.name];
  const most = names.length + files.length;
  return {
    name,
    summary,
    positionals: [...names, ...files].join(' '),
    takes: { least: file?.optional === true ? most - 1 : most, most },
    options: {
      ...Object.fromEntries(Object.entries(flags).map(([flag, each]) => [flag, flagSpec(each)])),
      format: formatFlag,
      ...accessFlags,
    },
    notes: [...(notes === undefined ? [] : [notes, '']), accessNotes].join('\n'),
  };
};
