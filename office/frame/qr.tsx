/** A QR code; `dark` are the outlines of its dark squares, on a field of `size` squares each way. */
export type Qr = { size: number; dark: string };

export function QrPicture({ code, label }: { code: Qr; label: string }) {
  return (
    <svg viewBox={`0 0 ${code.size} ${code.size}`} role="img" aria-label={label} className="w-44 bg-white">
      <path d={code.dark} shapeRendering="crispEdges" />
    </svg>
  );
}
