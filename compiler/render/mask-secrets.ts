import { readSyntax } from '../parse/read-syntax.ts';
import type { SyntaxNode } from '../parse/syntax-tree.ts';
import { credentialFields } from '../validate/provider-fields.ts';

/** The members of a config or a gateway file whose values are never shown, in lower case. */
const secretNames: ReadonlySet<string> = new Set([
  ...credentialFields,
  ...['credential', 'key', 'private_key', 'authorization', 'password', 'token', 'secret'],
]);

/** References are not secrets, not even malformed ones. */
const reference = /^\$\{(?:env|file):[^{}]*\}$/;

interface Piece {
  readonly offset: number;
  readonly length: number;
}

const secretPieces = (node: SyntaxNode, isSecret: boolean): readonly Piece[] => {
  switch (node.kind) {
    case 'array':
      return node.items.flatMap((item) => secretPieces(item, isSecret));
    case 'object':
      return node.members.flatMap(({ name, value }) =>
        secretPieces(value, isSecret || secretNames.has(name.toLowerCase())),
      );
    case 'literal': {
      if (!isSecret || typeof node.value !== 'string' || reference.test(node.value)) return [];
      return [{ offset: node.offset + 1, length: node.length - 2 }];
    }
  }
};

/** Where a text is not valid JSON, anything that follows the name of a secret may be the secret. */
const afterSecretName = new RegExp(`"(?:${[...secretNames].join('|')})"\\s*:?([^\\r\\n]*)`, 'dgi');

/** Credentials inside a URL. */
const userInfo = /:\/\/([^/\s"@]+)@/dg;

const matchedPieces = (text: string, pattern: RegExp): readonly Piece[] =>
  [...text.matchAll(pattern)].flatMap(({ indices }) => {
    const [from, to] = indices?.[1] ?? [0, 0];
    return [{ offset: from, length: to - from }];
  });

/** The text with every secret replaced by dots, place for place. */
export const maskSecrets = (text: string): string => {
  const reading = readSyntax(text, { comments: true });
  const inside = reading.ok ? secretPieces(reading.root, false) : matchedPieces(text, afterSecretName);
  return [...inside, ...matchedPieces(text, userInfo)].reduce(
    (masked, { offset, length }) => masked.slice(0, offset) + '•'.repeat(length) + masked.slice(offset + length),
    text,
  );
};
