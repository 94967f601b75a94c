/** Contents of a project's files: marks of formats and of the gateway, and characters that are easily broken. */
const oddities: readonly string[] = [
  'data: [DONE]\n\nevent: error\ndata: {"type":"error"}\n\n',
  '{"signature":"gw1.here.fake","content_blocks":[],"thoughtSignature":"c2ln"}',
  'A mark: gw1. and, gw1.abcdef.in the middle of a text, and "gw1.x" in quotes',
  'const re = /^\\d+\\\\$/; // "\\u0041" \\" \\\\n',
  'tab\tCRLF\r\nNEL\u0085LS\u2028PS\u2029BOM\uFEFFNUL\u0000ESC\u001b[31m',
  'Grüße, Ελληνικά, עברית, 日本語, 👩‍👩‍👧‍👦, é, 𝒳',
  '<tool_result>&amp;</tool_result> ${env:HOME} {{mustache}} %s %00',
  '"""triple""" \'single\' `back` \\`escaped\\`',
];

/** A file of about this many characters, with some of everything. */
export const oddFile = (name: string, size: number): string => {
  let text = `// ${name}\n`;
  for (let line = 0; text.length < size; line += 1)
    text += `${line}: ${oddities[(line + name.length) % oddities.length]}\n`;
  return text;
};

export const oddity = (at: number): string => oddities[at % oddities.length] ?? '';
