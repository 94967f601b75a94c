import { said, showRecord, showSaid, showTable } from '../show/show.ts';
import { type MemberFlag, pagingFlags, type Resource } from './resource.ts';

const changing = {
  name: { form: 'text', in: 'body', member: 'name', value: 'NAME', describe: 'What the provider is called.' },
  provider: {
    form: 'text',
    in: 'body',
    member: 'provider',
    value: 'ID',
    describe: 'Which provider it calls: openai, anthropic, and so on.',
  },
  'key-env': {
    form: 'variable',
    in: 'body',
    member: 'key',
    value: 'VARIABLE',
    describe: "The variable of the environment that has the provider's API key: OPENAI_API_KEY.",
  },
  note: { form: 'text', in: 'body', member: 'note', value: 'TEXT', describe: 'A text for people.' },
  expires: {
    form: 'time',
    in: 'body',
    member: 'expires_at',
    value: 'TIME',
    describe: 'Until when it can be used: 2030-01-31T12:00:00Z.',
  },
} as const satisfies { readonly [flag: string]: MemberFlag };

const fileNotes = [
  'FILE has further members of the request as JSON, such as "settings" and "credential"; - is standard input. Flags replace',
  'those of the file.',
].join('\n');

/** `gw providers`: saved providers. */
export const providers: Resource = {
  name: 'providers',
  summary: 'Save providers and their credentials on a gateway; configs name them as @SLUG.',
  commands: {
    list: {
      summary: 'Lists the saved providers, without their credentials.',
      route: 'GET /providers',
      flags: pagingFlags,
      show: showTable([
        { head: 'SLUG', member: 'slug' },
        { head: 'NAME', member: 'name' },
        { head: 'PROVIDER', member: 'provider' },
        { head: 'STATUS', member: 'status' },
        { head: 'EXPIRES', member: 'expires_at', kind: 'time' },
        { head: 'NOTE', member: 'note' },
      ]),
    },
    get: {
      summary: 'Shows a saved provider, with placeholders for its credential.',
      route: 'GET /providers/{slug}',
      show: showRecord({ times: ['created_at', 'last_updated_at', 'expires_at'] }),
    },
    create: {
      summary: 'Saves a provider.',
      route: 'POST /providers',
      file: { name: 'FILE', optional: true },
      flags: {
        ...changing,
        slug: { form: 'text', in: 'body', member: 'slug', value: 'SLUG', describe: 'Its name in configs, behind @.' },
        integration: {
          form: 'text',
          in: 'body',
          member: 'integration_id',
          value: 'SLUG',
          describe: 'The integration of the organisation whose credential it uses.',
        },
      },
      show: showSaid((answer) => `The provider is saved: configs name it @${said(answer, 'slug')}.`),
      notes: fileNotes,
    },
    update: {
      summary: 'Changes a saved provider; what is not given stays.',
      route: 'PUT /providers/{slug}',
      file: { name: 'FILE', optional: true },
      flags: changing,
      show: showSaid((_, [slug]) => `The provider ${slug} is changed.`),
      notes: fileNotes,
    },
    delete: {
      summary: 'Deletes a saved provider that nothing names.',
      route: 'DELETE /providers/{slug}',
      show: showSaid((_, [slug]) => `The provider ${slug} is deleted.`),
    },
  },
};
