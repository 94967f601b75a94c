import { expect, it } from 'vitest';
import { asCommands, commandsByPath } from '../../../../plugins/control/cli/resources/commands-in-hints.ts';
import { runGw } from '../../../support/commands/run-gw.ts';
import { temporaryFolder } from '../../../support/commands/temporary-folder.ts';

it.each(Object.entries(commandsByPath))('GET /v1/%s in a message becomes gw %s list', async (path, name) => {
  expect(asCommands(`See GET /v1/${path}.`)).toBe(`See gw ${name} list.`);
  expect(asCommands(`POST /v1/${path} makes one.`)).toBe(`gw ${name} create makes one.`);
  for (const verb of ['list', 'create'])
    expect(await runGw(temporaryFolder(), [...name.split(' '), verb, '--help'])).toMatchObject({ code: 0 });
});

it.each(['GET /v1/openapi.json', 'PUT /v1/configs', 'GET /v1/toString', 'GET /v2/configs'])(
  '%s stays as it is',
  (text) => {
    expect(asCommands(text)).toBe(text);
  },
);

it('only GET becomes a command if a resource can only be listed', () => {
  expect(asCommands('GET /v1/logs lists, POST /v1/logs sends.')).toBe('gw logs list lists, POST /v1/logs sends.');
});

it('GET of the versions of a record becomes the command that lists them', () => {
  expect(asCommands('GET /v1/configs/chat/versions lists them.')).toBe('gw configs versions chat lists them.');
  expect(asCommands('GET /v1/prompts/partials/tone/versions')).toBe('gw prompts partials versions tone');
  expect(asCommands('GET /v1/providers/main/versions')).toBe('GET /v1/providers/main/versions');
});

it('PUT of a record becomes the command that changes it, with the file that was given', () => {
  expect(asCommands('PUT /v1/configs/chat changes that config.', 'chat.json')).toBe(
    'gw configs update chat chat.json changes that config.',
  );
  expect(asCommands('PUT /v1/prompts/partials/tone changes it.')).toBe('gw prompts partials update tone changes it.');
  expect(asCommands('PUT /v1/things/chat changes it.')).toBe('PUT /v1/things/chat changes it.');
});
