import { expect, it } from 'vitest';
import { defineResource } from '../../../../../plugins/control/kernel/resource/define-resource.ts';
import { displayName, optional, text, word } from '../../../../../plugins/control/kernel/resource/member.ts';

const note = optional(text({ max: 10, description: 'For people.' }));
const texts = { noun: 'tag', plural: 'tags', path: '/tags', command: 'tags', summary: 'Keep tags.' } as const;
const tag = { ...texts, scope: 'prompts', owner: 'workspace', max: 1 } as const;
const members = { name: word('Its name.'), description: note, colour: note };

it('requires a description to have the columns of its table’s row type', () => {
  const described = [
    defineResource({ ...tag, members, table: 'labels' }),
    // If no other query uses the table, its columns follow from the description.
    defineResource({ ...tag, members, table: 'tags', rules: { beforeDelete: async ({ colour }) => void colour } }),
    // @ts-expect-error The row type of labels has a column "colour", which is neither a member nor hidden.
    defineResource({ ...tag, members: { name: members.name, description: note }, table: 'labels' }),
    // @ts-expect-error The row type of labels has no column "shade".
    defineResource({ ...tag, members: { ...members, shade: note }, table: 'labels' }),
    // @ts-expect-error The row type of labels has another type for the column "description".
    defineResource({ ...tag, members: { ...members, description: displayName() }, table: 'labels' }),
    // @ts-expect-error Tables has no row type of tags, which has the hidden column "sealed".
    defineResource({ ...tag, members, table: 'tags', hidden: ['sealed'] }),
  ];
  expect(described.map(({ table }) => table)).toEqual(['labels', 'tags', 'labels', 'labels', 'labels', 'tags']);
});
