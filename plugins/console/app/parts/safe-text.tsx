import { toPieces } from './safe-pieces.ts';

/** Text of others, as text: what cannot be seen is shown by its code point, and its direction stays its own. */
export const SafeText = ({ text }: { readonly text: string }) => (
  <bdi>
    {toPieces(text).map((piece, at) =>
      piece.isHidden ? (
        <span key={`${at}`} class="hidden-character">
          {piece.text}
        </span>
      ) : (
        piece.text
      ),
    )}
  </bdi>
);
