import { isJsonObject } from '../../../../schema/json.ts';
import { toProblems } from '../client/api-problem.ts';
import { type Show, said, showRecord, showSaid, showTable } from '../show/show.ts';
import { type MemberFlag, pagingFlags, type Resource } from './resource.ts';

const dryRun = {
  form: 'yes',
  in: 'query',
  member: 'dry_run',
  describe: 'Say what is wrong with it and what it may cost at most, and save nothing.',
} as const satisfies MemberFlag;

const isDefault = {
  form: 'yes',
  in: 'body',
  member: 'is_default',
  describe: 'Use it for the requests of the workspace that name no config.',
} as const satisfies MemberFlag;

const name = {
  form: 'text',
  in: 'body',
  member: 'name',
  value: 'NAME',
  describe: 'What the config is called for people.',
} as const satisfies MemberFlag;

const slug = {
  form: 'text',
  in: 'body',
  member: 'slug',
  value: 'SLUG',
  describe: 'What requests name it by; made of the name by default.',
} as const satisfies MemberFlag;

const fileNotes =
  'FILE is a config, with or without comments; - is standard input. What is wrong with it is told with its line.';

/** What was saved, or the answer of a dry run; what is wrong is told in both cases. */
const showSaved =
  (sentence: (slug: string) => string): Show =>
  (answer, options) => {
    const { diagnostics, bounds } = isJsonObject(answer) ? answer : {};
    const problems = toProblems(diagnostics);
    if (bounds !== undefined) return { ...showRecord()(bounds, options), problems, note: 'Nothing was saved.' };
    return { ...showSaid((saved) => sentence(said(saved, 'slug')))(answer, options), problems };
  };

/** `gw configs`: saved configs. */
export const configs: Resource = {
  name: 'configs',
  summary: 'Save routing configs on a gateway, and list their versions.',
  commands: {
    list: {
      summary: 'Lists the saved configs.',
      route: 'GET /configs',
      flags: pagingFlags,
      show: showTable([
        { head: 'SLUG', member: 'slug' },
        { head: 'NAME', member: 'name' },
        { head: 'DEFAULT', member: 'is_default' },
        { head: 'CHANGED', member: 'last_updated_at', kind: 'time' },
      ]),
    },
    get: {
      summary: 'Shows a saved config, with placeholders for its secrets.',
      route: 'GET /configs/{slug}',
      show: showRecord({ times: ['created_at', 'last_updated_at'], text: 'config' }),
    },
    create: {
      summary: 'Saves a new config.',
      route: 'POST /configs',
      file: { name: 'FILE', member: 'config', nameAs: 'name' },
      flags: { name, slug, default: isDefault, 'dry-run': dryRun },
      show: showSaved((saved) => `The config is saved as ${saved}.`),
      notes: `${fileNotes}\nThe config is called like its file where --name is not given.`,
    },
    update: {
      summary: 'Saves a new version of a config, which is in service at once.',
      route: 'PUT /configs/{slug}',
      file: { name: 'FILE', member: 'config' },
      flags: { name, default: isDefault, 'dry-run': dryRun },
      show: showSaved((saved) => `The config ${saved} is saved, and in service.`),
      notes: fileNotes,
    },
    delete: {
      summary: 'Deletes a config with all its versions.',
      route: 'DELETE /configs/{slug}',
      show: showSaid((_, [slug]) => `The config ${slug} is deleted.`),
    },
    versions: {
      summary: 'Lists the versions of a config.',
      route: 'GET /configs/{slug}/versions',
      flags: pagingFlags,
      show: showTable([
        { head: 'VERSION', member: 'version' },
        { head: 'ID', member: 'id' },
        { head: 'MADE', member: 'created_at', kind: 'time' },
        { head: 'BY', member: 'created_by' },
      ]),
    },
  },
};
