/** A template cannot be rendered with these variables; the message is one sentence. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError';
}
