/** Runs the compiler in a worker, so that a config that takes long to compile does not block the page. */
import { createEditor, type Editor } from '../../../../../compiler/editor/api.ts';
import config from '../../../../../schema/config.schema.json';
import gateway from '../../../../../schema/gateway.schema.json';
import type { JsonObject } from '../../../../../schema/json/json.ts';
import type { CompilerQuestion, FromCompiler, ToCompiler } from './messages.ts';

/** The extension determines the format. */
const file = 'config.json';

let editor: Editor | undefined;

const ask = (asked: Editor, question: CompilerQuestion): unknown => {
  switch (question.about) {
    case 'findings':
      return asked.findings(file);
    case 'completions':
      return asked.completions(file, question.offset);
    case 'hover':
      return asked.hover(file, question.offset);
    case 'fixes':
      return asked.quickFixes(file, question.range);
  }
};

const answer = async (text: string, question: CompilerQuestion): Promise<unknown> => {
  if (editor === undefined) throw new TypeError('The compiler was asked before it had its facts.');
  editor.open(file, text);
  return await ask(editor, question);
};

self.addEventListener('message', async ({ data }: MessageEvent<ToCompiler>) => {
  if ('facts' in data) {
    const { catalogue, saved } = data.facts;
    // The files of schemas are JSON.
    const schemas = { config: config as unknown as JsonObject, gateway: gateway as unknown as JsonObject };
    editor = createEditor({ catalogue, saved, schemas, trust: 'saved' });
    return;
  }
  const { id, text, question } = data;
  let reply: FromCompiler;
  try {
    reply = { id, answer: await answer(text, question) };
  } catch (error) {
    reply = { id, failed: error instanceof Error ? error.message : String(error) };
  }
  self.postMessage(reply);
});
