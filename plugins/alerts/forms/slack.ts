import type { Alert } from '../messages/alert.ts';
import { countedTitle, cutText } from '../messages/alert-text.ts';
import type { Form } from './form.ts';

/** The maximum length in characters of the text of a section. https://docs.slack.dev/reference/block-kit/blocks/section-block */
const maxText = 3000;

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Escapes a text so that Slack does not interpret it as a mention, a link or a command. One character may become five. */
const escaped = (text: string, max: number): string =>
  cutText(text, Math.floor(max / 5)).replace(/[&<>]/g, (character) => entities[character] ?? character);

const marks = { open: ':red_circle:', resolved: ':large_green_circle:', once: ':large_orange_circle:' } as const;

const toContext = ({ kind, severity, workspace, at }: Alert, source: string): string =>
  [kind, severity, ...(workspace === undefined ? [] : [`workspace ${workspace}`]), source, new Date(at).toISOString()]
    .map((part) => escaped(part, maxText / 5))
    .join(' · ');

const markdown = (text: string): object => ({ type: 'mrkdwn', text, verbatim: true });

/** Creates messages for an incoming webhook. https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks */
export const slackForm = (url: string): Form => ({
  kind: 'slack',
  write(alert, { read, source }) {
    const title = escaped(countedTitle(alert), 2000);
    const action = alert.state === 'resolved' || alert.action === '' ? '' : `\n${escaped(alert.action, 900)}`;
    const text = `${marks[alert.state]} ${title}${action}`;
    const body = JSON.stringify({
      text: title,
      blocks: [
        { type: 'section', text: markdown(text) },
        { type: 'context', elements: [markdown(toContext(alert, source))] },
      ],
    });
    return { url: read(url), headers: { 'content-type': 'application/json' }, body };
  },
});
