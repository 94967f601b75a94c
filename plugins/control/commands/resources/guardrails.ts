import type { MemberFlags, Resource } from '../engine/api-command.ts';
import { nameFlag, pagingFlags, slugFlag } from './flags.ts';

const changing: MemberFlags = { name: nameFlag };

const fileNotes =
  'FILE is the request as JSON: "checks", a list of { "id", "parameters" }, and "actions"; - is standard input.';

/** `gw guardrails`: saved guardrails. */
export const guardrails: Resource = {
  name: 'guardrails',
  summary: 'Save guardrails on a gateway; configs name them by their slugs.',
  commands: {
    list: {
      summary: 'Lists the guardrails of the workspace and of its organisation.',
      route: 'GET /guardrails',
      flags: pagingFlags,
      shows: {
        as: 'table',
        columns: { SLUG: 'slug', NAME: 'name', SCOPE: 'scope', CHANGED: 'last_updated_at' },
      },
    },
    get: {
      summary: 'Shows a guardrail with its checks, with placeholders for its secrets.',
      route: 'GET /guardrails/{slug}',
      shows: { as: 'record', text: 'checks' },
    },
    create: {
      summary: 'Saves a guardrail.',
      route: 'POST /guardrails',
      file: { name: 'FILE', nameAs: 'name' },
      flags: {
        ...changing,
        slug: slugFlag,
        scope: {
          choices: ['workspace', 'organisation'],
          describe: 'Whose it is; one of the organisation can be named in all of its workspaces.',
        },
      },
      shows: { as: 'said', text: 'The guardrail is saved: configs name it {slug}.' },
      notes: `${fileNotes}\nThe guardrail is called like its file where neither it nor --name says a name.`,
    },
    update: {
      summary: 'Changes a guardrail, which is in service at once; what is not given stays.',
      route: 'PUT /guardrails/{slug}',
      file: { name: 'FILE', optional: true },
      flags: changing,
      shows: { as: 'said', text: 'The guardrail {slug} is changed.' },
      notes: fileNotes,
    },
    delete: {
      summary: 'Deletes a guardrail that nothing names.',
      route: 'DELETE /guardrails/{slug}',
      shows: { as: 'said', text: 'The guardrail {slug} is deleted.' },
    },
  },
};
