import { problem } from '../../kernel/requests/problem.ts';
import { defineResource, type Resource } from '../../kernel/resource/define-resource.ts';
import { optional, text, word } from '../../kernel/resource/member.ts';

/** The references to a version that are not labels. */
const ownReference = /^(?:latest|published|\d+)$/;

/** Names for versions of prompts. */
export const labels: Resource = defineResource({
  noun: 'label',
  plural: 'labels',
  path: '/labels',
  command: 'prompts labels',
  summary: 'Create labels: a prompt with a labelled version is named SLUG@LABEL.',
  scope: 'prompts',
  owner: 'workspace',
  // References name the label, so renaming it changes what requests get.
  scopes: { update: 'prompts.publish' },
  table: 'labels',
  members: {
    name: word('The text after the @ in references: letters, digits, "-" and "_", but not only digits.'),
    description: optional(text({ max: 2000, description: 'For people.' })),
    colour: optional(
      text({ max: 7, pattern: '^#[0-9a-fA-F]{6}$', description: 'For people: #rrggbb.', placeholder: '#RRGGBB' }),
    ),
  },
  naming: 'name',
  max: 1000,
  feeds: { update: 'plans', delete: 'plans' },
  cascade: [{ table: 'prompt_labels', column: 'label_id' }],
  rules: {
    validate: ({ name }) =>
      name === undefined || !ownReference.test(name)
        ? []
        : [
            problem(
              ['name'],
              `"@${name}" already has a meaning of its own, so it cannot be a label.`,
              'Choose a name with a letter in it, other than "latest" and "published".',
            ),
          ],
  },
  summaries: {
    create: 'Creates a label for versions of prompts.',
    delete: 'Deletes a label, and removes it from all versions.',
  },
});
