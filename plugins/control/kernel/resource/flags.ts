import type { MemberFlag, MemberFlags } from './api-command.ts';

/** The flags of commands that list. */
export const pagingFlags: MemberFlags = {
  'page-size': {
    form: 'number',
    in: 'query',
    member: 'page_size',
    value: 'N',
    describe: 'The maximum number to list: 1 to 1000, 100 by default.',
  },
  page: {
    form: 'number',
    in: 'query',
    member: 'current_page',
    value: 'N',
    describe: 'The page to list; the first is 0.',
  },
};

/** The same for lists that can also continue after a record. */
export const listFlags: MemberFlags = {
  ...pagingFlags,
  after: { in: 'query', value: 'ID', describe: 'The id of the last one on the previous page, instead of --page.' },
};

/** The same for lists that can also be searched by a text in one of these members. */
export const searchFlags = (plural: string, members: readonly string[]): MemberFlags => ({
  ...listFlags,
  search: { in: 'query', value: 'TEXT', describe: `Only ${plural} whose ${members.join(' or ')} contains this text.` },
});

/** The flags of commands that summarise a period. */
export const periodFlags: MemberFlags = {
  since: {
    form: 'since',
    in: 'query',
    member: 'from',
    value: 'TIME',
    describe:
      'The start: 30m, 2h or 7d ago, 2030-01-31T12:00:00Z, or 2030-01-31 for its start in UTC; 30 days by default.',
  },
  until: {
    form: 'since',
    in: 'query',
    member: 'to',
    value: 'TIME',
    describe: 'The end: 30m, 2h or 7d ago, 2030-01-31T12:00:00Z, or 2030-01-31 for its start in UTC; now by default.',
  },
};

export const nameFlag: MemberFlag = { value: 'NAME', describe: 'The display name.' };

export const slugFlag: MemberFlag = {
  value: 'SLUG',
  describe: 'The name used in configs and requests; derived from the display name by default.',
};

export const expiresFlag: MemberFlag = {
  form: 'time',
  member: 'expires_at',
  value: 'TIME',
  describe: 'When it expires: 2030-01-31T12:00:00Z, or 2030-01-31 for its start in UTC.',
};

/** The same for a record that may have an expiry already. */
export const newExpiryFlag: MemberFlag = {
  ...expiresFlag,
  none: 'never',
  describe: 'When it expires: 2030-01-31T12:00:00Z, 2030-01-31 for its start in UTC, or never.',
};

export const versionFlag: MemberFlag = { form: 'number', value: 'N', describe: 'The number of the version.' };

export const versionDescriptionFlag: MemberFlag = {
  member: 'version_description',
  value: 'TEXT',
  describe: 'What is new in this version.',
};

/** The flags of records that call a provider. */
export const destinationFlags: MemberFlags = {
  name: nameFlag,
  provider: { value: 'ID', describe: 'Which provider it calls: openai, anthropic, and so on.' },
  'key-env': {
    form: 'variable',
    member: 'key',
    about: ['credential'],
    value: 'VARIABLE',
    describe: "The environment variable with the provider's API key: OPENAI_API_KEY.",
  },
};

export const noteFlag: MemberFlag = { value: 'TEXT', describe: 'A text for people.' };

export const furtherMembers = (example: string): string =>
  `FILE has further members of the request as JSON, such as ${example}; - is standard input. Flags replace\nthose of the file.`;

/** The flags of settings for requests without their own. */
export const settingsFlags: MemberFlags = {
  name: nameFlag,
  config: {
    member: 'settings/config',
    value: 'SLUG',
    none: 'none',
    describe: 'The config of requests that name neither a config nor a provider, or none.',
  },
  metadata: {
    form: 'pair',
    member: 'settings/metadata',
    value: 'NAME=TEXT',
    describe: 'A label for every request; repeat the flag for more. These labels replace the existing ones.',
  },
};
