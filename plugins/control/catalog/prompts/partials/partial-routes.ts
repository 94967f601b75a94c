import { slugSchema } from '../../../kernel/records/new-slug.ts';
import type { ControlRoute } from '../../../kernel/requests/control-route.ts';
import { objectSchema, text, titled } from '../../../kernel/requests/replies.ts';
import { versionDescription } from '../versions/prompt-bodies.ts';
import { versionedRoutes } from '../versions/versioned-routes.ts';
import type { PartialService } from './partial-service.ts';

const members = {
  name: { type: 'string', minLength: 1, maxLength: 255, description: 'For people.' },
  string: { type: 'string', description: 'The template.' },
  version_description: versionDescription,
} as const;

/** Makes the routes of partials, which templates include. */
export const partialRoutes = (service: PartialService): readonly ControlRoute[] =>
  versionedRoutes({
    noun: 'partial',
    title: 'Partial',
    path: '/prompts/partials',
    service,
    summaries: {
      create: 'Saves a partial, which templates include. Its first version is published.',
      list: 'Lists partials without their texts, the newest first.',
      get: 'A version of a partial: the published one, or that of id@5 or id@latest.',
      update: 'Renames a partial, or makes a new version of it, which is not published yet.',
      delete: 'Deletes a partial that no prompt or partial in use names.',
      versions: 'The versions of a partial without their texts, the newest first.',
      publish: 'Publishes a version: templates that name none include it.',
    },
    bodies: {
      create: {
        type: 'object',
        required: ['name', 'string'],
        properties: {
          ...members,
          slug: { ...slugSchema, description: 'What templates name it by; made of the name if absent.' },
        },
      },
      update: { type: 'object', properties: members },
    },
    changed: titled(
      'SavedPartial',
      objectSchema({ id: text, slug: text, version_id: text, object: { const: 'partial' } }),
    ),
    members: { record: { schema: { string: text }, view: ({ version }) => ({ string: version.text }) } },
  });
