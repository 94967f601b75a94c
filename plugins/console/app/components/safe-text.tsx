import { splitHidden } from './safe-pieces.ts';

/** Shows text from other people or from logs: invisible characters appear as code points, and its direction is isolated. */
export const SafeText = ({ text }: { readonly text: string }) => (
  <bdi>
    {splitHidden(text).map((piece, at) =>
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
