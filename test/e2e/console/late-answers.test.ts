import { describe, expect, it } from 'vitest';
import { adminKey, callControl, chat, control } from '../../support/gateways/stored-gateway.ts';
import { patience } from '../../support/run/patience.ts';
import { hasBrowser } from './support/browser.ts';
import { consoleWorld } from './support/console-world.ts';
import { hold } from './support/hold.ts';
import { untilQuiet } from './support/until-quiet.ts';

const resources = [
  {
    path: '/providers',
    api: 'providers',
    add: 'Add provider',
    body: { provider: 'openai', credential: { api_key: 'sk-of-this-test' } },
  },
  {
    path: '/guardrails',
    api: 'guardrails',
    add: 'Add guardrail',
    body: { checks: [{ id: 'default.contains', parameters: { operator: 'any', words: ['a'] } }], actions: {} },
  },
];

describe.skipIf(!hasBrowser)('the console, when an answer arrives late,', () => {
  const world = consoleWorld();

  describe.each(resources)('at $path', ({ path, api, add, body }) => {
    const make = (name: string) =>
      control(world().gateway, `POST /${api}`, { body: { name, slug: name.toLowerCase(), ...body } });

    it('keeps a form that has been opened meanwhile', async () => {
      await make('Slow');
      const page = await world().open(path);
      const { asked, letGo } = await hold(page, `**/v1/${api}/slow`, 'GET');
      await page.getByRole('button', { name: 'Edit Slow' }).click();
      await asked;
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: add, exact: true }).click();
      const dialog = page.getByRole('dialog', { name: add.replace('Add', 'Add a') });
      await dialog.getByLabel('Name').fill('Mine');
      letGo();
      await untilQuiet(page);
      expect(await dialog.getByLabel('Name').inputValue()).toBe('Mine');
    });

    it('closes only the form that has been saved', async () => {
      await make('Saved');
      const page = await world().open(path);
      const { asked, letGo } = await hold(page, `**/v1/${api}/saved`, 'PUT');
      await page.getByRole('button', { name: 'Edit Saved' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click();
      await asked;
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: add, exact: true }).click();
      await page.getByRole('dialog').getByLabel('Name').fill('Mine');
      letGo();
      await page.getByText('was saved').waitFor();
      await untilQuiet(page);
      expect(await page.getByRole('dialog').getByLabel('Name').inputValue()).toBe('Mine');
    });

    it('does not close a form that was opened after the deletion of another item', async () => {
      await make('Gone');
      const page = await world().open(path);
      const { asked, letGo } = await hold(page, `**/v1/${api}/gone`, 'DELETE');
      await page.getByRole('button', { name: 'Delete Gone' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
      await asked;
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: add, exact: true }).click();
      await page.getByRole('dialog').getByLabel('Name').fill('Mine');
      letGo();
      await page.getByText('Gone was deleted.').waitFor();
      await untilQuiet(page);
      expect(await page.getByRole('dialog').getByLabel('Name').inputValue()).toBe('Mine');
    });
  });

  it.each(['never', 'just now'])('does not move the buttons of a provider that was used %s', async (used) => {
    const { gateway, upstream, open } = world();
    const slug = `used-${used.replace(' ', '-')}`;
    const settings = { custom_host: `${upstream.origin}/v1` };
    await control(gateway, 'POST /providers', {
      body: { name: slug, slug, provider: 'openai', credential: { api_key: 'sk-of-this-test' }, settings },
    });
    if (used !== 'never') {
      await control(gateway, 'POST /configs', { body: { name: slug, slug, config: { provider: `@${slug}` } } });
      for (let count = 0; count < 20; count += 1) await (await chat(gateway, { key: adminKey, config: slug })).text();
      const logged = async (): Promise<unknown> =>
        JSON.parse((await callControl(gateway, `GET /logs?slug=${slug}`)).text).data.length;
      await expect.poll(logged, patience).toBe(20);
    }
    const page = await open('/');
    const { asked, letGo } = await hold(page, `**/v1/logs?slug=${slug}*`, 'GET');
    await page.goto(`${gateway.origin}/console/providers`);
    await asked;
    const place = () => page.getByRole('button', { name: `Delete ${slug}` }).boundingBox();
    const before = await place();
    letGo();
    await page
      .getByRole('row')
      .filter({ hasText: slug })
      .getByText(used === 'never' ? 'Not used yet' : '20 of 20')
      .waitFor();
    await untilQuiet(page);
    expect(await place()).toEqual(before);
  });

  it('does not open the restore dialog of a version if it has been closed', async () => {
    const { gateway, open } = world();
    await control(gateway, 'POST /configs', { body: { name: 'C', slug: 'c', config: { provider: 'echo' } } });
    for (const attempts of [1, 2])
      await control(gateway, 'PUT /configs/c', { body: { config: { provider: 'echo', retry: { attempts } } } });
    const page = await open('/configs/c?view=history');
    const { asked, letGo } = await hold(page, '**/v1/configs/c?dry_run=true', 'PUT');
    await page.getByRole('button', { name: 'Restore version 1' }).click();
    await asked;
    await page.keyboard.press('Escape');
    letGo();
    await untilQuiet(page);
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  it('shows the text of the named version if another one is saved meanwhile', async () => {
    const { gateway, open } = world();
    const save = (attempts: number, path = 'PUT /configs/e') =>
      control(gateway, path, { body: { name: 'E', slug: 'e', config: { provider: 'echo', retry: { attempts } } } });
    await save(1, 'POST /configs');
    await save(2);
    await save(3);
    const page = await open('/configs/e?view=history');
    const { asked, letGo } = await hold(page, '**/v1/configs/e/versions?page_size=1&current_page=0');
    await page.getByRole('button', { name: 'Compare with current: version 1' }).click();
    await asked;
    await save(4);
    letGo();
    await page.getByRole('heading', { name: 'Version 1', exact: true }).waitFor();
    await untilQuiet(page);
    expect(await page.locator('.side-by-side pre').first().innerText()).toContain('"attempts": 1');
  });

  it('keeps what is typed into a config while it is being saved', async () => {
    const { gateway, open } = world();
    await control(gateway, 'POST /configs', { body: { name: 'D', slug: 'd', config: { provider: 'echo' } } });
    const page = await open('/configs/d');
    const editor = page.getByRole('textbox', { name: /as JSON$/ });
    const write = async (attempts: number): Promise<void> => {
      await editor.focus();
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.insertText(`{ "provider": "echo", "retry": { "attempts": ${attempts} } }`);
      await expect.poll(() => editor.innerText(), patience).toContain(`"attempts": ${attempts}`);
    };
    const review = page.getByRole('button', { name: 'Review and save…' });
    await write(1);
    await review.click();
    const { asked, letGo } = await hold(page, '**/v1/configs/d', 'PUT');
    await page.getByRole('button', { name: 'Save and put in service' }).click();
    await asked;
    await page.keyboard.press('Escape');
    // A dialog that closes moves the focus to the button that opened it.
    await expect.poll(() => review.evaluate((button) => button.matches(':focus')), patience).toBe(true);
    await write(2);
    letGo();
    await page.getByText('d, version 2 in service').waitFor();
    await untilQuiet(page);
    expect(await editor.innerText()).toContain('"attempts": 2');
    // Editing continues from the saved version, because nobody else has changed it.
    expect(await page.getByRole('dialog').count()).toBe(0);
    await review.click();
    await page.getByRole('button', { name: 'Save and put in service' }).click();
    await page.getByText('d, version 3 in service').waitFor();
  });

  it('keeps what is typed into a turn while its image is being read', async () => {
    const page = await world().open('/play');
    await page.evaluate(`{
      const read = FileReader.prototype.readAsDataURL;
      FileReader.prototype.readAsDataURL = function (file) { globalThis.letGo = () => read.call(this, file); };
    }`);
    const png = { name: 'dot.png', mimeType: 'image/png', buffer: Buffer.from('a dot') };
    await page.getByLabel('Image for User 1').setInputFiles([png]);
    await page.getByLabel('User 1', { exact: true }).fill('Which colours?');
    await page.evaluate('globalThis.letGo()');
    await page.getByRole('img', { name: 'dot.png' }).waitFor();
    expect(await page.getByLabel('User 1', { exact: true }).inputValue()).toBe('Which colours?');
  });
});
