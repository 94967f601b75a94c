/** The worker of a page that edits configs: it has an editor, and answers the calls of the page. */
import { createEditor } from './editor.js';

const readJson = async (name) => (await fetch(name)).json();

const open = async () => {
  const names = ['catalogue.json', 'models.json', 'config.schema.json', 'gateway.schema.json'];
  const [catalogue, models, config, gateway] = await Promise.all(names.map(readJson));
  return createEditor({ catalogue, models, schemas: { config, gateway } });
};

const opened = open();

/** Whether code may be created from a string here. */
const makesCode = () => {
  try {
    return new Function('return true')();
  } catch {
    return false;
  }
};

addEventListener('message', async ({ data: { id, method, given } }) => {
  try {
    const editor = await opened;
    postMessage({ id, value: method === 'makesCode' ? makesCode() : await editor[method](...given) });
  } catch (error) {
    postMessage({ id, error: String(error) });
  }
});
