import { jsonOutput } from '../show/json-output.ts';
import { recordOf, said, showRecord, showSaid, showTable } from '../show/show.ts';
import { type MemberFlag, pagingFlags, type Resource } from './resource.ts';

const description = {
  form: 'text',
  in: 'body',
  member: 'version_description',
  value: 'TEXT',
  describe: 'What is new in this version.',
} as const satisfies MemberFlag;

const fileNotes =
  'FILE is the request as JSON: "string" (the template), "parameters", "model" and so on; - is standard input.';

/** `gw prompts`: stored prompts. */
export const prompts: Resource = {
  name: 'prompts',
  summary: 'Store prompts on a gateway, publish their versions, and render them.',
  commands: {
    list: {
      summary: 'Lists the stored prompts.',
      route: 'GET /prompts',
      flags: {
        ...pagingFlags,
        collection: {
          form: 'text',
          in: 'query',
          member: 'collection_id',
          value: 'ID',
          describe: 'Only the prompts of this collection.',
        },
      },
      show: showTable([
        { head: 'SLUG', member: 'slug' },
        { head: 'NAME', member: 'name' },
        { head: 'PUBLISHED', member: 'published_version' },
        { head: 'CHANGED', member: 'last_updated_at', kind: 'time' },
        { head: 'ID', member: 'id' },
      ]),
    },
    get: {
      summary: 'Shows a prompt: its published version, or that of ID@VERSION.',
      route: 'GET /prompts/{id}',
      show: showRecord({ times: ['created_at', 'last_updated_at'] }),
    },
    create: {
      summary: 'Stores a prompt.',
      route: 'POST /prompts',
      file: { name: 'FILE' },
      flags: {
        name: { form: 'text', in: 'body', member: 'name', value: 'NAME', describe: 'What the prompt is called.' },
        slug: {
          form: 'text',
          in: 'body',
          member: 'slug',
          value: 'SLUG',
          describe: 'What requests name it by; made of the name by default.',
        },
        collection: {
          form: 'text',
          in: 'body',
          member: 'collection_id',
          value: 'ID',
          describe: 'The collection that it belongs to.',
        },
        description,
      },
      show: showSaid((answer) => `The prompt is stored as ${said(answer, 'slug')} (${said(answer, 'id')}).`),
      notes: fileNotes,
    },
    update: {
      summary: 'Makes a new version of a prompt, which is not published yet.',
      route: 'PUT /prompts/{id}',
      file: { name: 'FILE' },
      flags: {
        patch: { form: 'yes', in: 'body', member: 'patch', describe: 'Keep what FILE does not say.' },
        description,
      },
      show: showSaid(
        (_, [id]) => `The prompt ${id} has a new version. Publish it: gw prompts publish ${id} --version N`,
      ),
      notes: fileNotes,
    },
    delete: {
      summary: 'Deletes a prompt with all its versions.',
      route: 'DELETE /prompts/{id}',
      show: showSaid((_, [id]) => `The prompt ${id} is deleted.`),
    },
    versions: {
      summary: 'Lists the versions of a prompt.',
      route: 'GET /prompts/{id}/versions',
      flags: pagingFlags,
      show: showTable([
        { head: 'VERSION', member: 'version' },
        { head: 'PUBLISHED', member: 'is_published' },
        { head: 'LABELS', member: 'labels' },
        { head: 'MADE', member: 'created_at', kind: 'time' },
        { head: 'DESCRIPTION', member: 'version_description' },
      ]),
    },
    publish: {
      summary: 'Makes a version the one that requests get.',
      route: 'PUT /prompts/{id}/makeDefault',
      flags: {
        version: { form: 'number', in: 'body', member: 'version', value: 'N', describe: 'The number of the version.' },
      },
      show: showSaid((_, [id]) => `The version of the prompt ${id} is published.`),
    },
    render: {
      summary: 'Shows what a prompt is with these variables. No model is called.',
      route: 'POST /prompts/{id}/render',
      file: { name: 'FILE', optional: true, member: 'variables' },
      defaults: { variables: {} },
      show: (answer) => ({ out: jsonOutput(recordOf(answer)) }),
      notes: 'FILE has the variables as a JSON object; - is standard input. Without it there are none.',
    },
  },
};
