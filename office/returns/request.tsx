import { variantText } from "#app/catalog/sizes.ts";
import { approximateNaira, type Rate } from "#app/money/exchange-rate.ts";
import { formatNaira, formatUsd } from "#app/money/format.ts";
import { timesCents, usdCents } from "#app/money/money.ts";
import { newPieceText } from "#app/orders/returns/exchange.ts";
import { leftOut, type ReturnPiece, type ReturnWish } from "#app/orders/returns/return.ts";
import { quantityOf, type Units } from "#app/orders/units.ts";
import { lineOf } from "#app/owner/returns/standing.ts";
import type { OrderLine } from "#db/types.ts";
import { Photograph } from "../orders/photos/photograph.tsx";
import { PieceImage } from "../orders/pieces.tsx";

type Given = { pieces: ReturnPiece[]; refunded: Units[] | null; wish: ReturnWish; lines: OrderLine[]; rate: Rate };

/** The pieces of a return, and what is sent in exchange. */
export function ReturnPieces({ pieces, refunded, wish, lines, rate }: Given) {
  const isInPart = leftOut(pieces, refunded).length > 0;
  return (
    <ul>
      {pieces.map((piece) => {
        const line = lineOf(lines, piece);
        const cents = timesCents(usdCents(line?.priceCents ?? 0), piece.quantity);
        return (
          <li
            key={`${piece.productId} ${piece.size}`}
            className="grid grid-cols-[3rem_minmax(0,1fr)_auto] items-center gap-3 border-b border-hairline py-2.5"
          >
            {line ? <PieceImage line={line} width={48} /> : <span />}
            <span>
              <strong className="font-semibold">{line?.title ?? piece.productId}</strong>{" "}
              <span className="block text-muted tabular-nums">
                {variantText({ color: line?.color, size: piece.size })} × {piece.quantity}
              </span>{" "}
              {wish === "exchange" && piece.newSize && (
                <span className="block font-medium text-waiting">for {newPieceText(piece)}</span>
              )}
              {refunded && isInPart && (
                <span className="block font-medium text-waiting">{quantityOf(piece, refunded)} refunded</span>
              )}
            </span>{" "}
            <span className="text-right tabular-nums">
              {formatNaira(approximateNaira(cents, rate))}{" "}
              <small className="block text-[0.8125rem] text-muted">{formatUsd(cents)}</small>
            </span>
          </li>
        );
      })}
    </ul>
  );
}

type WordsProps = { reason: string; words: string; pictures: string[]; number: string; name: string };

/** The shopper's reason, message and pictures. */
export function ReturnWords({ reason, words, pictures, number, name }: WordsProps) {
  return (
    <div className="mt-5">
      <h2 className="mb-1">
        What <span>{name || "the shopper"}</span> says
      </h2>
      <p>
        <strong className="font-semibold">{reason}.</strong>{" "}
        <span className="whitespace-pre-line wrap-anywhere">{words}</span>
      </p>
      {pictures.length > 0 && (
        <ul className="mt-2.5 flex flex-wrap gap-2">
          {pictures.map((id, at) => (
            <li key={id}>
              <Photograph
                to={`/returns/${number}/pictures/${id}`}
                about={`What was sent with it, ${at + 1} of ${pictures.length}`}
              />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
